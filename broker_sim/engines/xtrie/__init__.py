"""XTrie: tree patterns cut into substrings, the substrings found in a trie, the patterns put together in a table.

Chan, Felber, Garofalakis, Rastogi: "Efficient Filtering of XML Documents with XPath Expressions" (ICDE 2002). A pattern
becomes an XPE-tree (`xpe_tree`), the tree a set of rows, one for each substring (`decomposition`), the rows enter
the substring table (`table`) and their substrings the trie (`trie`); `index` holds both. A document runs through the
index lazily or eagerly (`lazy`, `eager`), and `engine` puts it behind the protocol of all engines.
"""
