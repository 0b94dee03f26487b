"""Numbers as people and programs write them in requests and settings: ASCII digits, nothing else.

Python's own `int` also takes `1_0`, ` 5 `, `+5`, `٣` and, with a base, `0x2`.
"""

import re

#: Longer ones are no counts or sizes of ours.
_WHOLE = re.compile(r"[0-9]{1,18}")
_HEX = re.compile(r"[0-9a-fA-F]{1,15}")


def whole(text: str) -> int:
    """The number that `text` writes. Raises ValueError."""
    if not _WHOLE.fullmatch(text):
        raise ValueError("not a whole number")
    return int(text)


def whole_hex(text: str) -> int:
    """The number that `text` writes in hexadecimal digits. Raises ValueError."""
    if not _HEX.fullmatch(text):
        raise ValueError("not a hexadecimal number")
    return int(text, 16)


def natural(name: str) -> list[tuple[int, int, str]]:
    """Sort key: `file 2` before `file 10`."""
    import re

    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.split(r"(\d+)", name.casefold())]
