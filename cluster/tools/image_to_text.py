"""Image extract text: words of a picture as text or as a searchable PDF, with the lines and boxes beside them."""

import json
from typing import TYPE_CHECKING, Annotated, Literal

from cluster.fields import Upload, shown
from cluster.kinds import HEIC, JPG, JSON, PDF, PICTURES, TXT
from cluster.problem import InputProblem
from cluster.reading import PictureLanguage, Turn, check_script, seen
from cluster.tool import Bounds, Group, Lane, Source, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.layout.line import Page
    from cluster.engines.layout.order import Paragraph


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
        ),
    ] = "paragraphs"
    output: Annotated[
        Literal["txt", "pdf"],
        shown(
            "输出",
            "Result",
            "choice",
            choices={"txt": ("文本文件", "Text file"), "pdf": ("可搜索的 PDF", "Searchable PDF")},
        ),
    ] = "txt"
    turn: Turn = True
    corrected: Annotated[Upload, shown("校对后的数据", "Corrected data", "hidden")] = ""
    """The JSON of an earlier run on this picture, its lines corrected: they are written anew, nothing is read."""


def extract(work: Work[Options]) -> None:
    """Read every page of the picture, then write the text (or PDF) and its lines as JSON."""
    from cluster.engines.layout.data import told
    from cluster.engines.layout.order import arrange, paragraphs

    if work.options.corrected:
        pages = _corrected(work)
    else:
        pages = [page for _, page in seen(work)]
        check_script(work, pages)
    found = [[each for block in arrange(page.lines) for each in paragraphs(block)] for page in pages]
    text = "\n\n".join(_text(page, work.options.layout) for page in found).strip()
    if not text:
        raise InputProblem("no_text_found", file=work.source.name)
    if work.options.output == "txt":
        work.output(TXT).path.write_text(text + "\n", encoding="utf-8")
    else:
        _write_pdf(work, pages)
    data = {"language": work.options.language, "pages": [told(*each) for each in zip(pages, found, strict=True)]}
    work.output(JSON).path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    work.note("told", "characters", count=len("".join(text.split())))


def _corrected(work: Work[Options]) -> "list[Page]":
    """The pages as somebody corrected them. Raises correction_unfit when they are not this picture's."""
    from cluster.engines.layout.data import read_back
    from cluster.engines.ocr.client import READ_PIXELS
    from cluster.engines.pictures import open as pictures_in

    pages = read_back(work.extras[work.options.corrected])
    with pictures_in.opened(work.source) as image:
        sizes = [sorted(page.size) for page in pictures_in.pages(work.source, image, READ_PIXELS)]
    if pages is None or [sorted((page.width, page.height)) for page in pages] != sizes:
        raise InputProblem("correction_unfit", file=work.source.name)
    work.note("changed", "corrected")
    return pages


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
    gives=(TXT, PDF, JSON),
    options=Options,
    run=extract,
    suffix=("文字", "text"),
    icon="scan-text",
    review="text",
    bounds=Bounds(base=60, per_mib=10.0, per_page=10.0),
)
