"""Pages as Word that looks like them: each line a framed paragraph in its place, and behind it what is no text."""

from collections.abc import Sequence
from pathlib import Path

from cluster.engines.export.ooxml import family
from cluster.engines.export.word_file import WordFile
from cluster.engines.export.word_xml import floating_picture, paragraph_properties, run, section, twips
from cluster.engines.layout.letters import dense
from cluster.engines.layout.model import Sheet, Span, TextLine
from cluster.engines.layout.spacing import ASCENT, LINE
from cluster.engines.pdf.libraries import import_pymupdf

#: The base fonts of MuPDF whose widths are those of the families: plain, bold, italic, both.
_WIDTHS = {
    "Times New Roman": ("tiro", "tibo", "tiit", "tibi"),
    "Arial": ("helv", "hebo", "heit", "hebi"),
    "Courier New": ("cour", "cobo", "coit", "cobi"),
}
_EDGE = 20.0
#: A frame is this much wider than its text, so that another font's letters do not break the line.
_ROOM = 1.15


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
        file.add(_line(file, line))


def _line(file: WordFile, line: TextLine) -> str:
    high = line.size * LINE
    left, top = max(1, twips(line.box[0])), max(1, twips(line.base - ASCENT * high))
    frame = (
        f'<w:framePr w:w="{twips(line.width * _ROOM) + 40}" w:h="{twips(high)}" w:hRule="exact" w:wrap="around" '
        f'w:vAnchor="page" w:hAnchor="page" w:x="{left}" w:y="{top}"/>'
    )
    fitting = _fitting(line)
    runs = "".join(_linked(file, span, fitting) for span in line.spans)
    return f"<w:p>{paragraph_properties(frame=frame, pitch=high)}{runs}</w:p>"


def _linked(file: WordFile, span: Span, width: int) -> str:
    made = run(span, width=width)
    return f'<w:hyperlink r:id="{file.link(span.style.link)}">{made}</w:hyperlink>' if span.style.link else made


def _fitting(line: TextLine) -> int:
    """Percent by which the letters have to be stretched; 100 where that cannot be known."""
    widths = [_width(span) for span in line.spans]
    own = sum(width for width in widths if width is not None)
    if not own or None in widths:
        return 100
    wanted = round(100 * line.width / own)
    return wanted if 50 < wanted < 200 else 100


def _width(span: Span) -> float | None:
    """The span's width in its family, in points; None where its widths are not known."""
    pymupdf = import_pymupdf()
    name, style = family(span.style.font), span.style
    wide = sum(map(dense, span.text))
    rest = "".join(letter for letter in span.text if not dense(letter))
    size = round(style.size * 2) / 2
    if name not in _WIDTHS:
        return wide * size if not rest.strip() else None
    if any(ord(letter) > 255 for letter in rest):
        return None
    base = _WIDTHS[name][style.bold + 2 * style.italic]
    return float(wide * size + pymupdf.get_text_length(rest, base, size))
