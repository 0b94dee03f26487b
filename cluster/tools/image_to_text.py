"""Image extract text: words of a picture as text, Markdown or a searchable PDF, the lines and boxes beside them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cluster.fields import Toggle, Upload, shown
from cluster.kinds import HEIC, JPG, JSON, MD, PDF, PICTURES, TXT
from cluster.problem import InputProblem
from cluster.shots import PictureLanguage, Turn, check_script, known_lines, lines_told, read_pictures, seen, tell_doubts
from cluster.tool import Bounds, Group, Lane, Source, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.layout.gutters import Piece
    from cluster.engines.layout.line import Page
    from cluster.engines.layout.order import Paragraph
    from cluster.shots import Shot

#: Stands after a line that somebody should look at.
_DOUBT = "[?]"


@options
class Options:
    language: PictureLanguage = "auto"
    layout: Annotated[
        Literal["paragraphs", "lines"],
        shown(
            "文字排列",
            "Layout",
            "choice",
            choices={"paragraphs": ("合并为段落", "Paragraphs"), "lines": ("逐行", "Line by line")},
            when={"output": ["txt"]},
        ),
    ] = "paragraphs"
    marks: Annotated[
        Toggle,
        shown(
            "标出没把握的行",
            "Mark doubtful lines",
            "toggle",
            hint=("在把握不大的行后加 [?]", "Puts [?] after lines read with little certainty"),
            when={"output": ["txt", "md"]},
            advanced=True,
        ),
    ] = True
    output: Annotated[
        Literal["txt", "md", "pdf"],
        shown(
            "输出",
            "Result",
            "choice",
            choices={
                "txt": ("文本文件", "Text file"),
                "md": ("Markdown", "Markdown"),
                "pdf": ("可搜索的 PDF", "Searchable PDF"),
            },
            hint=("Markdown 保留标题、列表和表格", "Markdown keeps headings, lists and tables"),
        ),
    ] = "txt"
    turn: Turn = True
    corrected: Annotated[Upload, shown("校对后的数据", "Corrected data", "hidden")] = ""
    """The JSON of an earlier run on this picture, its lines corrected: they are written anew, nothing is read."""


def extract(work: Work[Options]) -> None:
    """Read every page of the picture, then write the text (Markdown, PDF) and its lines as JSON."""
    if work.options.output == "md":
        _extract_markdown(work)
    else:
        _extract(work)


def _extract(work: Work[Options]) -> None:
    pages = [_read(shot) for shot in seen(work, flat=True, known=_corrected(work))]
    if not work.options.corrected:
        check_script(work, [each.read for each in pages])
    text = "\n\n".join(_text(page.found, work.options.layout) for page in pages).strip()
    if not text:
        raise InputProblem("no_text_found", file=work.source.name)
    if work.options.output == "txt":
        _write_text(work, pages)
    else:
        _write_pdf(work, [page.placed for page in pages])
    _tell(work, text, [page.told for page in pages])
    tell_doubts(work, (line for page in pages for line in (*page.read.lines, *page.read.unread)))


def _extract_markdown(work: Work[Options]) -> None:
    """The picture read as a document is, with its headings, lists and tables."""
    from cluster.engines.export.markdown import write_markdown
    from cluster.engines.layout.document import compose

    reading = read_pictures(work, pictures=False, flat=True, known=_corrected(work))
    text = write_markdown(compose(reading.sheets), _DOUBT if work.options.marks else "")
    work.output(MD).path.write_text(text, encoding="utf-8")
    _tell(work, "".join(line.text for sheet in reading.sheets for line in sheet.lines), reading.lines)
    if doubtful := sum(line["doubtful"] for page in reading.lines for line in lines_told(page)):
        work.note("told", "lines_doubtful", count=doubtful)


def _tell(work: Work[Options], text: str, pages: Sequence[Mapping[str, Any]]) -> None:
    """The lines as JSON, and how much was read."""
    data = {"language": work.options.language, "pages": pages}
    work.output(JSON).path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    work.note("told", "characters", count=len("".join(text.split())))


@dataclass(frozen=True)
class _Page:
    """A page as read, its paragraphs, its lines in their order where they stand on the picture, and that as JSON."""

    read: "Page"
    found: "list[Paragraph]"
    placed: "Page"
    told: dict[str, Any]


def _read(shot: "Shot") -> _Page:
    """The page arranged, as it lies flat."""
    from cluster.engines.layout.order import arrange, paragraphs

    found = [each for block in arrange(shot.page.lines) for each in paragraphs(block)]
    there = dict(zip(shot.page.lines, shot.shown.lines, strict=True))
    lines = tuple(there[piece.line] for each in found for row in each.rows for piece in row.pieces)
    return _Page(shot.page, found, replace(shot.shown, lines=lines), shot.told(found))


def _corrected(work: Work[Options]) -> "list[Page] | None":
    """The pages as somebody corrected them, if so; what was said is what was read."""
    if not work.options.corrected:
        return None
    pages = known_lines(work, work.extras[work.options.corrected]) or []
    work.note("changed", "corrected")
    said = [tuple(replace(line, text=line.words, said=None) for line in page.lines) for page in pages]
    return [replace(page, lines=lines) for page, lines in zip(pages, said, strict=True)]


def _write_text(work: Work[Options], pages: list[_Page]) -> None:
    """The text file, in which a doubtful line says so."""
    found = [_marked(page.found) if work.options.marks else page.found for page in pages]
    text = "\n\n".join(_text(each, work.options.layout) for each in found).strip()
    work.output(TXT).path.write_text(text + "\n", encoding="utf-8")


def _marked(found: "list[Paragraph]") -> "list[Paragraph]":
    """The paragraphs, a mark after each doubtful line."""
    from cluster.engines.layout.order import Paragraph, Row

    def marked(piece: "Piece") -> "Piece":
        line = piece.line
        return replace(piece, line=replace(line, text=line.text + _DOUBT)) if line.doubtful else piece

    return [Paragraph([Row([marked(piece) for piece in row.pieces]) for row in each.rows]) for each in found]


def _text(found: "list[Paragraph]", layout: str) -> str:
    if layout == "paragraphs":
        return "\n".join(each.text for each in found)
    return "\n".join(row.text for each in found for row in each.rows)


def _write_pdf(work: Work[Options], pages: "list[Page]") -> None:
    from cluster.engines.export.searchable import write_searchable

    work.progress(0.95, 1, "writing")
    output = work.output(PDF)
    output.pages, output.text = len(pages), bool(pages[0].lines)
    write_searchable(_for_pdf(work), pages, work.scratch("pictures.pdf"), output.path)
    work.note("kept", "text_kept")


def _for_pdf(work: Work[Options]) -> Source:
    """The source, or an upright JPEG of what PDF cannot hold."""
    from cluster.engines.pictures import open as pictures_in

    source = work.source
    if source.kind is not HEIC:
        return source
    path = work.scratch("upright.jpg")
    with pictures_in.opened(source) as image:
        next(iter(pictures_in.pages(source, image))).save(path, quality=92)
    return Source(path, source.name, JPG, path.stat().st_size)


TOOL = Tool(
    id=24,
    key="image_to_text",
    route="/Image2Text",
    group=Group.RECOGNISE,
    lane=Lane.OCR,
    accepts=PICTURES,
    gives=(TXT, MD, PDF, JSON),
    options=Options,
    run=extract,
    suffix=("文字", "text"),
    icon="scan-text",
    review="text",
    bounds=Bounds(base=60, per_mib=10.0, per_page=10.0),
)
