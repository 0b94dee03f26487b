"""Pages as Word that looks like them: each line a framed paragraph in its place, and behind it what is no text."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from cluster.engines.export.ooxml import face, family
from cluster.engines.export.word_file import WordFile
from cluster.engines.export.word_fonts import with_own_fonts
from cluster.engines.export.word_xml import floating_picture, paragraph_properties, run, section, twips
from cluster.engines.layout.letters import dense
from cluster.engines.layout.model import Sheet, Span, Style, TextLine
from cluster.engines.layout.spacing import ASCENT, LINE
from cluster.engines.pdf.libraries import import_pymupdf

#: The base fonts of MuPDF whose widths are those of the families: plain, bold, italic, both.
_WIDTHS = {
    "Times New Roman": ("tiro", "tibo", "tiit", "tibi"),
    "Arial": ("helv", "hebo", "heit", "hebi"),
    "Courier New": ("cour", "cobo", "coit", "cobi"),
}
_EDGE = 20.0
_BLANK = re.compile("( +)")
_TAB = re.compile(r" *\t[ \t]*")
#: A frame is this much wider than its text where the width of its letters is not known: they may not break the line.
_ROOM, _KNOWN_ROOM = 1.15, 1.02
#: What a blank of a justified line may have more, and a letter, in heights of letters.
_BLANK_MORE, _LETTER_MORE = 1.5, 0.12
#: What is this near to its own width is left as it is; and so near (points) are two widths the same.
_NEARLY, _SAME = 0.99, 0.5


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
    if sheet.background:
        relation, number = file.picture(sheet.background)
        behind = floating_picture(relation, number, (0, 0, sheet.width, sheet.height), around=False)
        file.add(f"<w:p>{paragraph_properties(pitch=1)}{behind}</w:p>")
    for line in sheet.lines:
        file.add(_line(file, line, sheet.width))


def _line(file: WordFile, line: TextLine, page: float) -> str:
    high, line = line.size * LINE, _trimmed(file, line)
    left, top = max(1, twips(line.box[0])), max(1, twips(line.base - ASCENT * high))
    fit = _fitting(file, line)
    # Lines are broken before their letters are narrowed. A frame that reached beyond the page would be pushed back.
    wide = max(line.width, fit.own) * _KNOWN_ROOM if fit else line.width * _ROOM
    wide = min(wide + 2, max(line.width, page - line.box[0]))
    frame = (
        f'<w:framePr w:w="{twips(wide)}" w:h="{twips(high)}" w:hRule="exact" w:wrap="none" '
        f'w:vAnchor="page" w:hAnchor="page" w:x="{left}" w:y="{top}"/>'
    )
    runs = "".join(_linked(file, span, fit or Fit()) for span in line.spans)
    return f"<w:p>{paragraph_properties(frame=frame, pitch=high)}{runs}</w:p>"


def _trimmed(file: WordFile, line: TextLine) -> TextLine:
    """Without the blanks at its end, unless its box holds just them, too; a tab is a blank, for it leads nowhere."""
    line = replace(line, spans=tuple(replace(span, text=_TAB.sub(" ", span.text)) for span in line.spans))
    last = line.spans[-1]
    if last.text == last.text.rstrip() or abs((_own(file, line) or 0) - line.width) < _SAME:
        return line
    return replace(line, spans=(*line.spans[:-1], replace(last, text=last.text.rstrip())))


def _own(file: WordFile, line: TextLine) -> float | None:
    """How wide its letters are by themselves; None where that is not known."""
    widths = [_width(file, span) for span in line.spans]
    return None if None in widths else sum(width for width in widths if width is not None)


def _linked(file: WordFile, span: Span, fit: "Fit") -> str:
    made = "".join(_run(file, part, fit) for part in _parts(span, fit))
    return f'<w:hyperlink r:id="{file.link(span.style.link)}">{made}</w:hyperlink>' if span.style.link else made


def _face(file: WordFile, style: Style) -> str:
    """One that goes with the file, or else one that people have."""
    return style.font if style.font in file.fonts else face(style)


def _parts(span: Span, fit: "Fit") -> list[Span]:
    """The span, blanks apart where they are as wide as the line needs."""
    texts = _BLANK.split(span.text) if fit.blank else [span.text]
    return [replace(span, text=text) for text in texts if text]


def _run(file: WordFile, span: Span, fit: "Fit") -> str:
    more = fit.blank if span.text.isspace() else fit.letter
    return run(span, width=fit.percent, more=more, name=_face(file, span.style))


@dataclass(frozen=True)
class Fit:
    """How a line gets its width: percent of its letters' `own`, and points that each blank and letter has more."""

    own: float = 0.0
    percent: int = 100
    blank: float = 0.0
    letter: float = 0.0


def _fitting(file: WordFile, line: TextLine) -> Fit | None:
    """None where its letters' widths are not known. What is missing blanks have more, as in a justified line.

    Letters are narrowed where they are too wide (blanks cannot be, in LibreOffice), or of another font than their own.
    """
    if not (own := _own(file, line)):
        return None
    percent, size = math.floor(100 * line.width / own), line.size
    if all(_face(file, span.style) in (span.style.font, family(span.style.font)) for span in line.spans):
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


def _width(file: WordFile, span: Span) -> float | None:
    """The span's width in its family, in points; None where its widths are not known."""
    style, size = span.style, round(span.style.size * 2) / 2
    if font := file.fonts.get(style.font):
        return size * sum(font.widths[letter] for letter in span.text)
    wide = sum(map(dense, span.text)) * size
    rest = "".join(letter for letter in span.text if not dense(letter))
    faces = _WIDTHS.get(face(style))
    if not faces and not rest.strip():
        return wide + len(rest) * size / 4
    base = _font(faces[style.bold + 2 * style.italic]) if faces else None
    if base is None or not all(base.has_glyph(ord(letter)) for letter in rest):
        return None
    return float(wide + base.text_length(rest, size))


@cache
def _font(name: str) -> Any:
    return import_pymupdf().Font(name)
