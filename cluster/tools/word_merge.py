"""Word merge: doc, docx, wps, odt, rtf put together into one docx that keeps what each of them has."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cluster.converting import NO_PARTS, TEXTS, Ready, readied, text_loading
from cluster.fields import Order, Toggle, shown
from cluster.kinds import DOCX, WORD
from cluster.numbers import natural
from cluster.problem import InputProblem
from cluster.tool import Bounds, Group, Lane, Source, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.office.merge import Merged
    from cluster.engines.office.package import Package


#: What stands over the contents.
_CONTENTS = {"zh": "目录", "en": "Contents"}


@options
class Options:
    order: Order = "given"
    join: Annotated[
        Literal["section", "page", "continuous"],
        shown(
            "文件之间",
            "Between files",
            "choice",
            choices={
                "section": ("分节，另起一页", "A new section on a new page"),
                "page": ("只分页", "A page break"),
                "continuous": ("接着排", "Nothing: the text goes on"),
            },
        ),
    ] = "section"
    setup: Annotated[
        Literal["keep", "first"],
        shown(
            "页面设置和页眉页脚",
            "Page setup, headers and footers",
            "choice",
            choices={
                "keep": ("各文件保留自己的", "Each file keeps its own"),
                "first": ("都用第一个文件的", "The first file's"),
            },
        ),
    ] = "keep"
    numbering: Annotated[
        Literal["restart", "continue"],
        shown(
            "编号和页码",
            "Lists and page numbers",
            "choice",
            choices={"restart": ("每个文件重新开始", "Begin anew in each file"), "continue": ("接着编", "Go on")},
        ),
    ] = "restart"
    contents: Annotated[
        Toggle,
        shown(
            "加目录页",
            "A page of contents",
            "toggle",
            hint=(
                "列出三级以内的标题和页码；没有标题的文件用文件名",
                "Headings of three levels with their pages; a file without any is listed by its name",
            ),
        ),
    ] = False
    headings: Annotated[
        Toggle, shown("每个文件前加文件名作标题", "A heading from the file name before each file", "toggle")
    ] = False


def merge(work: Work[Options]) -> None:
    """One docx of all files, in their order."""
    from cluster.engines.office.merge import Merged, Wishes, headed

    chosen = work.options
    wishes = Wishes(chosen.join, chosen.setup == "keep", chosen.numbering == "continue")
    sources = sorted(work.sources, key=lambda each: natural(each.name)) if chosen.order == "name" else work.sources
    made: Merged | None = None
    for number, source in enumerate(sources):
        work.progress(number, len(sources), "converting")
        with work.about(source):
            package = _package(work, source)
            heading = source.stem if chosen.headings or (chosen.contents and not headed(package)) else ""
            if made is not None:
                made.add(package, heading)
                continue
            made = Merged(package, wishes)
            if heading:
                made.lead(heading)
    output = work.output(DOCX)
    if made is not None:
        if chosen.contents:
            _list_contents(work, made)
        made.write(output.path)
        work.note("kept", "documents_merged", count=made.count)


def _list_contents(work: Work[Options], made: "Merged") -> None:
    """A page of contents, with the numbers that LibreOffice gives the pages."""
    from cluster.engines.office import client as office
    from cluster.engines.office.merge_contents import numbers_shown
    from cluster.engines.office.quirk_notes import GATHERED
    from cluster.engines.office.quirks import prepared

    contents = made.contents(_CONTENTS[work.language])
    if not contents.entries:
        return
    draft, drawn = work.scratch("draft.docx"), work.scratch("draft.pdf")
    made.write(draft)
    draft = prepared(draft, work.scratch("prepared"))
    with office.opened(replace(work.sources[0], password=None), draft) as document:
        document.do("gather_endnotes", prefix=GATHERED)
        document.store(drawn, "writer_pdf_Export")
    contents.fill(numbers_shown(drawn, contents.entries))
    work.note("kept", "contents_made", count=len(contents.entries))


def _package(work: Work[Options], source: Source) -> "Package":
    """The source as a docx; what is none, or one that only LibreOffice reads, goes through it."""
    from lxml.etree import XMLSyntaxError

    from cluster.engines.office import package

    ready = readied(work, source, WORD, NO_PARTS)
    if ready.links:
        work.note("lost", "remote_blocked")
    if ready.source.kind is DOCX:
        try:
            return package.read(ready.path)
        except (KeyError, StopIteration, XMLSyntaxError):
            pass
    work.note("changed", "document_converted", detail=source.name)
    return package.read(_converted(work, ready))


def _converted(work: Work[Options], ready: Ready) -> Path:
    from cluster.engines.office import client as office

    source = ready.source
    path, properties = text_loading(work, source, ready.path)
    made = work.scratch(f"converted{source.index}.docx")
    with office.opened(source, path, **properties) as document:
        if document.kind not in TEXTS:
            raise InputProblem("not_supported_type", file=source.name, found=document.kind.removesuffix("Document"))
        document.store(made, "MS Word 2007 XML")
    return made


TOOL = Tool(
    id=22,
    key="word_merge",
    route="/WordMerge",
    group=Group.PAGES,
    lane=Lane.OFFICE,
    takes="all",
    accepts=WORD,
    gives=(DOCX,),
    options=Options,
    run=merge,
    suffix=("合并", "merged"),
    icon="files",
    editor="order",
    least=2,
    bounds=Bounds(base=60, per_mib=10.0, cap=600),
)
