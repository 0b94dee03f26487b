"""Pages as Word that looks like them: each line a framed paragraph in its place, and behind it what is no text."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cluster.engines.export.ooxml import face, family
from cluster.engines.export.widths import own_width, trimmed
from cluster.engines.export.word_file import WordFile
from cluster.engines.export.word_xml import floating_picture, paragraph_properties, run, section, twips
from cluster.engines.layout.model import Sheet, Span, TextLine
from cluster.engines.layout.spacing import ASCENT, LINE

_EDGE = 20.0
_BLANK = re.compile("( +)")
#: A frame is this much wider than its text where the width of its letters is not known: they may not break the line.
_ROOM, _KNOWN_ROOM = 1.15, 1.02
#: What a blank of a justified line may have more, and a letter, in heights of letters.
_BLANK_MORE, _LETTER_MORE = 1.5, 0.12
#: What is this near to its own width is left as it is.
_NEARLY = 0.99


def write_exact(sheets: Sequence[Sheet], path: Path, title: str = "") -> None:
    """Write the sheets as `path`, a page each."""
    file = WordFile(10.5)
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
    if sheet.background:
        relation, number = file.picture(sheet.background)
        behind = floating_picture(relation, number, (0, 0, sheet.width, sheet.height), around=False)
        file.add(f"<w:p>{paragraph_properties(pitch=1)}{behind}</w:p>")
    for line in sheet.lines:
        file.add(_line(file, line, sheet.width))


def _line(file: WordFile, line: TextLine, page: float) -> str:
    high, line = line.size * LINE, trimmed(line)
    left, top = max(1, twips(line.box[0])), max(1, twips(line.base - ASCENT * high))
    fit = _fitting(line)
    # Lines are broken before their letters are narrowed. A frame that reached beyond the page would be pushed back.
    wide = max(line.width, fit.own) * _KNOWN_ROOM if fit else line.width * _ROOM
    wide = min(wide + 2, max(line.width, page - line.box[0]))
    frame = (
        f'<w:framePr w:w="{twips(wide)}" w:h="{twips(high)}" w:hRule="exact" w:wrap="none" '
        f'w:vAnchor="page" w:hAnchor="page" w:x="{left}" w:y="{top}"/>'
    )
    runs = "".join(_linked(file, span, fit or Fit()) for span in line.spans)
    return f"<w:p>{paragraph_properties(frame=frame, pitch=high)}{runs}</w:p>"


def _linked(file: WordFile, span: Span, fit: "Fit") -> str:
    made = "".join(_run(part, fit) for part in _parts(span, fit))
    return f'<w:hyperlink r:id="{file.link(span.style.link)}">{made}</w:hyperlink>' if span.style.link else made


def _parts(span: Span, fit: "Fit") -> list[Span]:
    """The span, blanks apart where they are as wide as the line needs."""
    texts = _BLANK.split(span.text) if fit.blank else [span.text]
    return [replace(span, text=text) for text in texts if text]


def _run(span: Span, fit: "Fit") -> str:
    more = fit.blank if span.text.isspace() else fit.letter
    return run(span, width=fit.percent, more=more, name=face(span.style))


@dataclass(frozen=True)
class Fit:
    """How a line gets its width: percent of its letters' `own`, and points that each blank and letter has more."""

    own: float = 0.0
    percent: int = 100
    blank: float = 0.0
    letter: float = 0.0


def _fitting(line: TextLine) -> Fit | None:
    """None where its letters' widths are not known. What is missing blanks have more, as in a justified line.

    Letters are narrowed where they are too wide (blanks cannot be, in LibreOffice), or of another font than their own.
    """
    if not (own := own_width(line)):
        return None
    percent, size = math.floor(100 * line.width / own), line.size
    if all(face(span.style) == family(span.style.font) for span in line.spans):
        percent = 100 if line.width > _NEARLY * own else percent
    percent = percent if 50 < percent < 200 else 100
    more, blanks, letters = line.width - own * percent / 100, line.text.count(" "), len(line.text) - 1
    if more <= 0:
        return Fit(own, percent)
    if blanks and more < blanks * _BLANK_MORE * size:
        return Fit(own, percent, blank=more / blanks)
    if letters and more < letters * _LETTER_MORE * size:
        return Fit(own, percent, blank=more / letters, letter=more / letters)
    return Fit(own, round(100 * line.width / own) if line.width < 2 * own else 100)
