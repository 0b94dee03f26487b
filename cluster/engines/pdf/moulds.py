"""Objects alike but for their numbers and strings: one is parsed, the others are cast in its mould.

    mould, told = cast(b"<</Length 714/Filter/FlateDecode>>")
    mould.filled(told)    # {b"/Length": b"714", b"/Filter": b"/FlateDecode"}

What a text has instead of its plain whole numbers, arrays of numbers and simple strings are holes. A mould is made by
the one parser, from the text with a mark in every hole, and stands only where the parser finds each mark as a token of
its own: so whatever else is told in the holes, the parser would find it there as well.
"""

import re
from collections.abc import Callable, Set
from typing import Any, NamedTuple

from cluster.engines.pdf.syntax import Ref, Unreadable, parse, template

_SPACE = rb"[\t\n\r ]"
_REFERENCES = _SPACE + rb"*+\d{1,9}+" + _SPACE + rb"++0" + _SPACE + rb"++R"
#: An array of numbers or of references, a number, a string: without what closes it, which tells in the text around it
#: what it is.
_HOLE = re.compile(
    rb"(\[(?:[-+.0-9\t\n\r ]*+|(?:" + _REFERENCES + rb"(?=[\t\n\r \]]))++" + _SPACE + rb"*+)(?=\])"
    + rb"|[\t\n\r \[]\d{1,9}+(?=[\t\n\r />\]])(?![\t\n\r ]++R)"
    + rb"|\([^()\\]*+(?=\))|<[0-9a-fA-F]++(?=>))"
)  # fmt: skip
_GAP = b"\x00\t\n\x0c\r "
#: Longer texts are hardly alike.
LONGEST = 800
#: Moulds, and texts that have none yet: about 5 MB in all.
_REMEMBERED = 1000
_OFTEN = 4
#: The mark of the first hole; of as many digits as a number in a hole can have.
_MARK = 100_000_000

Plan = tuple[Any, list[tuple[Any, int]], list[tuple[Any, Any]]]
"""A dict or list, which holes stand where in it, and the plans of those inside it."""


class Hole(NamedTuple):
    """What a hole's text is as a value, and as text for the sink: a reference stays a Ref."""

    value: Callable[[bytes], Any]
    told: Callable[[bytes], Any]


class Letter(NamedTuple):
    """Text with gaps, and what goes into them: which hole's text, made what of."""

    text: bytes
    gaps: list[tuple[int, Callable[[bytes], Any]]]

    def filled(self, told: list[bytes]) -> tuple[Any, ...]:
        """What goes into the gaps: references, and bytes that stand as they are."""
        return tuple([make(told[at]) for at, make in self.gaps])


class Mould:
    """What objects of one text have in common."""

    __slots__ = ("_holes", "_makes", "_plan", "_top", "keys", "length")

    def __init__(self, plan: Plan, holes: list[Hole]) -> None:
        self._plan, self._holes = plan, holes
        self._makes = [each.value for each in holes]
        #: Those of a dictionary.
        self.keys: Set[bytes] = plan[0].keys()
        #: Which hole tells how long the stream is; None where none does, or where the stream lies in another file.
        self.length: int | None = None
        self._top = dict(plan[1])
        at = self._top.get(b"/Length")
        if at is not None and holes[at] is _NUMBER and b"/F" not in plan[0]:
            self.length = at

    def filled(self, told: list[bytes]) -> Any:
        """The value whose holes hold what is `told`."""
        return _filled(self._plan, [make(each) for make, each in zip(self._makes, told, strict=True)])

    def entry(self, key: bytes, told: list[bytes]) -> Any:
        """One entry of the dictionary that `filled` makes."""
        at = self._top.get(key)
        return self.filled(told)[key] if at is None else self._makes[at](told[at])

    def open(self) -> Any:
        """The value with its holes: references below zero."""
        return _filled(self._plan, [Ref(-1 - at) for at in range(len(self._holes))])

    def letter(self, value: Any) -> Letter:
        """The text of a `value` that was made of an open one."""
        refs: list[int] = []
        text = template(value, refs)
        return Letter(text, [(-1 - ref, self._holes[-1 - ref].told) if ref < 0 else (0, _always(ref)) for ref in refs])


#: By text; None where there is no mould.
_known: dict[bytes, Mould | None] = {}
#: Texts that have no mould yet: what was told in them, and how often.
_waiting: dict[bytes, tuple[list[bytes], int]] = {}


def cast(text: bytes) -> tuple[Mould, list[bytes]] | None:
    """The mould of an object's text, white space around it, and what is told in its holes; None: parse it."""
    if b"%" in text:
        return None
    parts = _HOLE.split(text)
    told = parts[1::2]
    # What opens a hole tells a string from a number where the text around them is the same.
    key = b"%b".join(parts[::2]) + bytes([each[0] for each in told])
    mould = _known.get(key)
    if mould is None and key not in _known:
        mould = _met(key, b"%b".join(parts[::2]), told)
    return (mould, told) if mould else None


def _met(key: bytes, text: bytes, told: list[bytes]) -> Mould | None:
    """A mould for what came before with something else told, or often: read twice, one object is not many alike."""
    before, came = _waiting.get(key, (told, 0))
    if before == told and came < _OFTEN:
        if len(_waiting) >= _REMEMBERED:
            _waiting.clear()
        _waiting[key] = told, came + 1
        return None
    if len(_known) >= _REMEMBERED:
        _known.clear()
    _waiting.pop(key, None)
    _known[key] = _made(text, told)
    return _known[key]


def _made(text: bytes, told: list[bytes]) -> Mould | None:
    marked = text % tuple([each[:1] + b"%d" % (_MARK + at) for at, each in enumerate(told)])
    try:
        value, end = parse(marked)
    except Unreadable:
        return None
    holes: list[Hole] = []
    if type(value) is not dict or marked[end:].strip(_GAP):
        return None
    plan = _planned(value, holes)
    return Mould(plan, holes) if plan and 0 < len(holes) == len(told) else None


def _planned(value: Any, holes: list[Hole]) -> Plan | None:
    """The plan of a value with marks; each mark that is next adds its hole."""
    here: list[tuple[Any, int]] = []
    below: list[tuple[Any, Any]] = []
    for key, each in value.items() if type(value) is dict else enumerate(value):
        if type(key) is bytes and key[:1] != b"/":
            return None
        if hole := _hole(each, _MARK + len(holes)):
            here.append((key, len(holes)))
            holes.append(hole)
        elif type(each) in (dict, list):
            below.append((key, _planned(each, holes)))
            if below[-1][1] is None:
                return None
    return value, here, below


def _hole(value: Any, mark: int) -> Hole | None:
    if type(value) is Ref:
        return _REFERENCE if value == mark else None
    digits = b"%d" % mark
    if type(value) is list:
        return _ARRAY if value == [digits] else None
    tokens = {digits: _NUMBER, b"(%b)" % digits: _STRING, b"<%b>" % digits: _DIGITS}
    return tokens.get(value) if type(value) is bytes else None


def _always(ref: int) -> Callable[[bytes], int]:
    return lambda _: ref


def _reference(told: bytes) -> Ref:
    return Ref(told[1:])


def _number(told: bytes) -> bytes:
    return told[1:]


def _array(told: bytes) -> list[Any]:
    words = told[1:].split()
    return [Ref(each) for each in words[::3]] if b"R" in told else words


def _array_text(told: bytes) -> Any:
    return _array(told) if b"R" in told else b"[" + told[1:].strip() + b"]"


def _closed(by: bytes) -> Callable[[bytes], bytes]:
    return lambda told: told + by


def _both(make: Callable[[bytes], Any]) -> Hole:
    return Hole(make, make)


_REFERENCE, _NUMBER, _STRING, _DIGITS = _both(_reference), _both(_number), _both(_closed(b")")), _both(_closed(b">"))
_ARRAY = Hole(_array, _array_text)


def _filled(plan: Plan, values: list[Any]) -> Any:
    value, holes, below = plan
    made = value.copy()
    for key, at in holes:
        made[key] = values[at]
    for key, inside in below:
        made[key] = _filled(inside, values)
    return made
