"""Which CIDs the glyphs of a CFF answer to: a new charset at its end, everything else left where it is.

Written here because fontTools, which can do it too, costs a fresh process 0.05 to 0.1 s to import.
"""

import itertools
import re

#: Bytes that end a real: one of their halves is 15.
_LAST = bytes(each for each in range(256) if 15 in divmod(each, 16))
#: Operands and operators of a DICT: numbers of 3 and 5 bytes, reals, numbers of 2 bytes, escaped operators, the rest.
_TOKEN = re.compile(
    rb"\x1c..|\x1d....|\x1e[^" + re.escape(_LAST) + rb"]*.|[\xf7-\xfe].|\x0c.|.",
    re.DOTALL,
)
_CHARSET, _CID_COUNT = b"\x0f", b"\x0c\x22"


def with_cids(program: bytes, cids: list[int]) -> bytes:
    """A CID-keyed CFF of HarfBuzz whose nth glyph answers to the nth of `cids`; the first is 0.

    HarfBuzz writes places and counts as numbers of five bytes, so that they can be changed where they stand.
    """
    changed = {_CHARSET: len(program), _CID_COUNT: max(cids) + 1}
    made = bytearray(program)
    tokens = list(_TOKEN.finditer(program, *_top(program)))
    for number, operator in itertools.pairwise(tokens):
        if operator[0] in changed and number[0][0] == 0x1D:
            made[number.start() + 1 : number.end()] = changed.pop(operator[0]).to_bytes(4, "big")
    if _CHARSET in changed:
        raise ValueError("a CFF whose charset stands in no place")
    return bytes(made) + b"\0" + b"".join(cid.to_bytes(2, "big") for cid in cids[1:])


def _top(program: bytes) -> tuple[int, int]:
    """Where the top DICT begins and ends: it is all of the second INDEX."""
    _, after_names = _index(program, program[2])
    return _index(program, after_names)


def _index(program: bytes, at: int) -> tuple[int, int]:
    """Where the data of the INDEX at `at` begin and end."""
    count, size = int.from_bytes(program[at : at + 2], "big"), program[at + 2]
    before = at + 2 + (count + 1) * size  # offsets count from the byte before the data
    return before + 1, before + int.from_bytes(program[before + 1 - size : before + 1], "big")
