"""Small DTD texts with every kind of content model and attribute."""

NEWS = """
<!ELEMENT news (head, body)>
<!ELEMENT head (title, meta*)>
<!ELEMENT title (#PCDATA)>
<!ELEMENT meta EMPTY>
<!ATTLIST meta name CDATA #REQUIRED content CDATA #IMPLIED>
<!ELEMENT body (section+, (note | quote)?)>
<!ELEMENT section (title?, (para | section)*)>
<!ATTLIST section id ID #IMPLIED kind (long | short) "long">
<!ELEMENT para (#PCDATA | em | link)*>
<!ELEMENT em (#PCDATA | em)*>
<!ELEMENT link (#PCDATA)>
<!ATTLIST link to IDREF #REQUIRED unit CDATA #FIXED "section">
<!ELEMENT note ANY>
<!ELEMENT quote (para, link)>
"""

FLAT = """
<!ELEMENT a (b | c)*>
<!ELEMENT b EMPTY>
<!ELEMENT c EMPTY>
"""

CHAIN = """
<!ELEMENT a (b)>
<!ELEMENT b (c)>
<!ELEMENT c (d)>
<!ELEMENT d (#PCDATA)>
"""
