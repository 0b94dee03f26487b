"""Pages as Word that looks like them: each line a framed paragraph in its place, and behind it what is no text."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from cluster.engines.export.word_file import WordFile
from cluster.engines.export.word_fitting import Part, face_of, fitting, own_width
from cluster.engines.export.word_fonts import with_own_fonts
from cluster.engines.export.word_xml import floating_picture, paragraph_properties, run, section, turned_box, twips
from cluster.engines.layout.model import Sheet, Span, TextLine
from cluster.engines.layout.spacing import ASCENT, LINE
from cluster.engines.layout.turning import DOWNWARDS, UPWARDS

_EDGE = 20.0
_TAB = re.compile(r" *\t[ \t]*")
#: A frame is this much wider than its text where the width of its letters is not known: they may not break the line.
_ROOM, _KNOWN_ROOM = 1.15, 1.02
#: LibreOffice draws frames so many points (two of its units) right of where they are said to be.
_RIGHTWARDS = 0.1
#: How a line's turn is called that runs downwards or upwards.
_WAYS = {DOWNWARDS: "vert", UPWARDS: "vert270"}
#: So near (points) are two widths the same.
_SAME = 0.5


def write_exact(sheets: Sequence[Sheet], path: Path, title: str = "") -> None:
    """Write the sheets as `path`, a page each."""
    file = WordFile(10.5)
    sheets = with_own_fonts(file, sheets)
    for number, sheet in enumerate(sheets):
        _page(file, sheet)
        if number < len(sheets) - 1:
            props = paragraph_properties(pitch=1, section=_section(sheet))
            file.add(f"<w:p>{props}</w:p>")
    file.close_section(_section(sheets[-1]))
    file.save(path, title)


def _section(sheet: Sheet) -> str:
    return section((sheet.width, sheet.height), (_EDGE,) * 4, header=0, footer=0)


def _page(file: WordFile, sheet: Sheet) -> None:
    floating = ""
    if sheet.background:
        relation, number = file.picture(sheet.background)
        floating += floating_picture(relation, number, (0, 0, sheet.width, sheet.height), around=False)
    floating += "".join(_turned(file, line) for line in sheet.lines if line.turn in _WAYS)
    if floating:
        file.add(f"<w:p>{paragraph_properties(pitch=1)}{floating}</w:p>")
    for line in (line for line in sheet.lines if line.turn not in _WAYS):
        file.add(_line(file, line, sheet.width))


def _turned(file: WordFile, line: TextLine) -> str:
    """A line that runs downwards or upwards, in a box of its own: a frame knows no such text."""
    left, top, right, bottom = line.box
    high, middle = line.size * LINE, (left + right) / 2
    laid = _trimmed(file, replace(line, box=(0, 0, bottom - top, high)))
    runs = "".join(_linked(file, parts) for parts in fitting(file, laid).spans)
    paragraph = f"<w:p>{paragraph_properties(pitch=high)}{runs}</w:p>"
    # Its end has some room: its letters may be wider than is known.
    room = 0.1 * (bottom - top)
    top, bottom = (top, bottom + room) if line.turn == DOWNWARDS else (top - room, bottom)
    box = (middle - high / 2, top, middle + high / 2, bottom)
    return turned_box(file.numbered(), box, paragraph, _WAYS[line.turn])


def _line(file: WordFile, line: TextLine, page: float) -> str:
    high, line = line.size * LINE, _trimmed(file, line)
    left, top = max(1, twips(line.box[0] - _RIGHTWARDS)), max(1, twips(line.base - ASCENT * high))
    fit = fitting(file, line)
    # Lines are broken before their letters are narrowed. A frame that reached beyond the page would be pushed back.
    wide = max(line.width, fit.wide) * _KNOWN_ROOM if fit.wide else line.width * _ROOM
    wide = min(wide + 2, max(line.width, page - line.box[0]))
    frame = (
        f'<w:framePr w:w="{twips(wide)}" w:h="{twips(high)}" w:hRule="exact" w:wrap="none" '
        f'w:vAnchor="page" w:hAnchor="page" w:x="{left}" w:y="{top}"/>'
    )
    runs = "".join(_linked(file, parts) for parts in fit.spans)
    return f"<w:p>{paragraph_properties(frame=frame, pitch=high)}{runs}</w:p>"


def _trimmed(file: WordFile, line: TextLine) -> TextLine:
    """Without the blanks at its ends, unless its box holds just them, too; a tab is a blank, for it leads nowhere."""
    first, *others = (_untabbed(span) for span in line.spans)
    # Where letters have places, the box begins with the first that is seen.
    first = first.cut(len(first.text) - len(first.text.lstrip()), len(first.text)) if first.places else first
    line = replace(line, spans=(first, *others))
    last = line.spans[-1]
    if last.text == last.text.rstrip() or abs((own_width(file, line) or 0) - line.width) < _SAME:
        return line
    return replace(line, spans=(*line.spans[:-1], last.cut(0, len(last.text.rstrip()))))


def _untabbed(span: Span) -> Span:
    return replace(span, text=_TAB.sub(" ", span.text), places=()) if "\t" in span.text else span


def _linked(file: WordFile, parts: Sequence[Part]) -> str:
    made = "".join(
        run(part.span, width=part.percent, more=part.more, name=face_of(file, part.span.style)) for part in parts
    )
    link = parts[0].span.style.link if parts else ""
    return f'<w:hyperlink r:id="{file.link(link)}">{made}</w:hyperlink>' if link else made
