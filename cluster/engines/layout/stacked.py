"""Lines that stand in one cell: which of them are one text that was wrapped, and which stand below each other."""

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from cluster.engines.layout.letters import fits, glued, mark_of, text_of
from cluster.engines.layout.model import Align, Box, Cell, Paragraph, TextLine

#: What Word leaves between a cell's edge and its text.
PAD = 5.4
#: Letters of another font are so much wider, as a rule, at most.
_WIDER = 1.04
#: What ends a text, and what a text that goes on below ends with.
_ENDS, _GOES_ON = ".!?。！？;；:：", ",，、(（[&+/-–—"
#: Lines of one kind end in a value; so many of them are a list.
_VALUES, _LIST = "%)）", 3
#: Edges that differ by less than this (points) are one.
_SAME = 1.5
#: A line whose upper edge lies higher than this in the last one's height stands beside it: a raised or lowered mark.
_BELOW = 0.6


def text_in(cell: Cell) -> str:
    """The cell's text, a line for each text that stands apart in it."""
    if cell.said is not None:
        return cell.said
    out: list[str] = []
    last: Paragraph | None = None
    for block in cell.blocks:
        text = text_of(block.lines).replace("\t", " ").strip() if isinstance(block, Paragraph) else ""
        if not isinstance(block, Paragraph) or not text:
            continue
        if last is None or _ends(out[-1], block) or _apart(last, block, cell):
            out.append(text)
        else:
            out[-1] = glued(out[-1], text) + text
        last = block
    return "\n".join(out)


def parted(text: Paragraph, lines: Sequence[TextLine], box: Box) -> Iterator[Paragraph]:
    """One of the texts of a ruled cell that holds these lines; as several where a line was not broken for want of room,
    as lines in the middle of a cell are, and those of a list of values."""
    begun, listed = 0, _is_list(lines)
    for at, (last, line) in enumerate(itertools.pairwise(text.lines), 1):
        room = _drawn_room(last, text.align, lines, box) if text.align == "center" else 0
        if (listed or room or _are_rows(last, line)) and _stands_apart(last, line, room, lines):
            yield replace(text, lines=text.lines[begun:at])
            begun = at
    yield replace(text, lines=text.lines[begun:])


def _ends(before: str, block: Paragraph) -> bool:
    return before[-1] in _ENDS or bool(mark_of(block.lines[0]))


def _apart(before: Paragraph, block: Paragraph, cell: Cell) -> bool:
    last, lines = before.lines[-1], cell.lines
    if cell.turn:
        return False
    if cell.ruled:
        room = _drawn_room(last, before.align, lines, cell.box)
        return _stands_apart(last, block.lines[0], room, lines)
    # Nothing tells how wide the cell is but the widest line in it.
    return _stands_apart(last, block.lines[0], max(each.width for each in lines) - last.width, ())


def _drawn_room(line: TextLine, align: Align, lines: Sequence[TextLine], box: Box) -> float:
    """What the line leaves of a cell with drawn edges that holds the lines."""
    pad = min(PAD, *(max(0.0, each.box[0] - box[0]) for each in lines))
    if align == "center":
        return box[2] - box[0] - 2 * pad - line.width
    return line.box[0] - box[0] - pad if align == "right" else box[2] - pad - line.box[2]


def _stands_apart(last: TextLine, line: TextLine, room: float, values: Sequence[TextLine]) -> bool:
    """Whether the line could have gone on the last one, which it does not in what it says; so are lists of values."""
    if _are_rows(last, line):
        return True
    before, text = last.text.rstrip(), line.text.lstrip()
    level = line.box[1] < last.box[1] + _BELOW * (last.box[3] - last.box[1])
    if level or before[-1:] in _GOES_ON or text[:1].islower():
        return False
    return _is_list(values) or fits(last, line, last.box[2] + room)


def _are_rows(last: TextLine, line: TextLine) -> bool:
    """Whether both have several parts, the second ones right below each other: rows of a table within the cell.

    Lines of justified text have wide gaps, too, but anywhere.
    """
    return bool(last.tabs and line.tabs) and abs(last.tabs[0] - line.tabs[0]) < _SAME


def _is_list(lines: Sequence[TextLine]) -> bool:
    """Whether every line ends in a value of its own."""
    ends = [line.text.rstrip()[-1:] for line in lines]
    return len(lines) >= _LIST and all(end.isdigit() or (end and end in _VALUES) for end in ends)


def pads(lines: Sequence[TextLine], left: float, right: float, aligned: Collection[Align]) -> tuple[float, float]:
    """What to leave between a cell's edges and its text, so that no line needs another one.

    It is less than usual where the text stands closer, and where the cell is nearly full, at the side from which none
    of its texts are set.
    """
    gaps = (
        min((line.box[0] - left for line in lines), default=PAD),
        min((right - line.box[2] for line in lines), default=PAD),
    )
    near, far = (max(0.0, min(PAD, gap)) for gap in gaps)
    lack = _WIDER * max((line.width for line in lines), default=0.0) - (right - left - near - far)
    if lack <= 0:
        return near, far
    if "center" in aligned:
        return max(0.0, near - lack / 2), max(0.0, far - lack / 2)
    return (max(0.0, near - lack), far) if set(aligned) == {"right"} else (near, max(0.0, far - lack))
