"""What a name is: the `Name` of XML 1.0 (fifth edition) with at most one colon, as documents write it.

`\\w` will not do: it lacks combining characters and the middle dot, which XML allows inside a name, and has
superscript digits, which XML does not. Prefixes are kept as written: `mml:math` is compared with `mml:math`.
"""

from __future__ import annotations

from typing import Final

_START: Final = (
    "A-Za-z_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_REST: Final = rf"{_START}\-.0-9\u00b7\u0300-\u036f\u203f\u2040"
_PART: Final = f"[{_START}][{_REST}]*"

NAME: Final = f"{_PART}(?::{_PART})?"
"""A regular expression for one name."""
