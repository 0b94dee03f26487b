"""Pages as Word that looks like them: each line a framed paragraph in its place, and behind it what is no text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from cluster.engines.export.ooxml import KNOWN, family
from cluster.engines.export.word_file import WordFile
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
#: What stands for fonts that nobody has, by the kind of their letters.
_INSTEAD = {"serif": "Times New Roman", "mono": "Courier New", "": "Arial"}
_EDGE = 20.0
_BLANK = re.compile("( +)")
#: A frame is this much wider than its text where the width of its letters is not known: they may not break the line.
_ROOM, _KNOWN_ROOM = 1.15, 1.02
#: What a blank of a justified line may have more or less, and a letter, in heights of letters.
_BLANKS, _LETTERS = (-0.15, 1.5), (-0.04, 0.12)


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
    high, line = line.size * LINE, _trimmed(line)
    left, top = max(1, twips(line.box[0])), max(1, twips(line.base - ASCENT * high))
    fit = _fitting(line)
    # A frame that reached beyond the page would be pushed back onto it.
    wide = min(line.width * (_KNOWN_ROOM if fit else _ROOM) + 2, max(line.width, page - line.box[0]))
    frame = (
        f'<w:framePr w:w="{twips(wide)}" w:h="{twips(high)}" w:hRule="exact" w:wrap="around" '
        f'w:vAnchor="page" w:hAnchor="page" w:x="{left}" w:y="{top}"/>'
    )
    runs = "".join(_linked(file, span, fit or Fit()) for span in line.spans)
    return f"<w:p>{paragraph_properties(frame=frame, pitch=high)}{runs}</w:p>"


def _trimmed(line: TextLine) -> TextLine:
    """Without the blanks at its end, which its box does not hold."""
    last = line.spans[-1]
    return replace(line, spans=(*line.spans[:-1], replace(last, text=last.text.rstrip())))


def _linked(file: WordFile, span: Span, fit: "Fit") -> str:
    made = "".join(_run(part, fit) for part in _parts(span, fit))
    return f'<w:hyperlink r:id="{file.link(span.style.link)}">{made}</w:hyperlink>' if span.style.link else made


def _parts(span: Span, fit: "Fit") -> list[Span]:
    """The span, blanks apart where they are as wide as the line needs."""
    texts = _BLANK.split(span.text) if fit.blank else [span.text]
    return [replace(span, text=text) for text in texts if text]


def _run(span: Span, fit: "Fit") -> str:
    more = fit.blank if span.text.isspace() else fit.letter
    return run(span, width=fit.percent, more=more, name=_face(span.style))


@dataclass(frozen=True)
class Fit:
    """How a line gets its width: percent of its letters' own, and points that each blank and letter has more."""

    percent: int = 100
    blank: float = 0.0
    letter: float = 0.0


def _fitting(line: TextLine) -> Fit | None:
    """None where its letters' widths are not known. Blanks give and take first, as in a justified line."""
    widths = [_width(span) for span in line.spans]
    own = sum(width for width in widths if width is not None)
    if not own or None in widths:
        return None
    more, size = line.width - own, line.size
    blanks, letters = line.text.count(" "), len(line.text) - 1
    if blanks and _BLANKS[0] * size < more / blanks < _BLANKS[1] * size:
        return Fit(blank=more / blanks)
    if letters and _LETTERS[0] * size < more / letters < _LETTERS[1] * size:
        return Fit(letter=more / letters, blank=more / letters)
    wanted = round(100 * line.width / own)
    return Fit(wanted) if 50 < wanted < 200 else Fit()


def _face(style: Style) -> str:
    """The family to write: the font's own where people have it."""
    named = family(style.font)
    return named if named in KNOWN or not style.font else _INSTEAD[style.kind]


def _width(span: Span) -> float | None:
    """The span's width in its family, in points; None where its widths are not known."""
    style, size = span.style, round(span.style.size * 2) / 2
    wide = sum(map(dense, span.text)) * size
    rest = "".join(letter for letter in span.text if not dense(letter))
    faces = _WIDTHS.get(_face(style))
    if not faces and not rest.strip():
        return wide + len(rest) * size / 4
    face = _font(faces[style.bold + 2 * style.italic]) if faces else None
    if face is None or not all(face.has_glyph(ord(letter)) for letter in rest):
        return None
    return float(wide + face.text_length(rest, size))


@cache
def _font(name: str) -> Any:
    return import_pymupdf().Font(name)
