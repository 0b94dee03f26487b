"""Word to PDF: doc, docx, odt, rtf, txt, wps and their kin through the warm LibreOffice."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cluster.converting import (
    TEXTS,
    ArchiveFormat,
    Conversion,
    Family,
    ImageQuality,
    Loading,
    export_data,
    opened,
    text_loading,
)
from cluster.fields import Pages, Toggle, shown
from cluster.kinds import DOCX, WORD
from cluster.pages import pages_in_order
from cluster.tool import Bounds, Group, Lane, Source, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.office.client import Document

_FAMILY = Family(WORD, TEXTS, "writer_pdf_Export")


@options
class Options:
    bookmarks: Annotated[
        Toggle,
        shown("标题生成书签", "Headings become bookmarks", "toggle"),
    ] = True
    changes: Annotated[
        Literal["show", "accept", "reject"],
        shown(
            "修订",
            "Tracked changes",
            "choice",
            choices={
                "show": ("显示修订", "Show them"),
                "accept": ("接受全部", "Accept all"),
                "reject": ("拒绝全部", "Reject all"),
            },
        ),
    ] = "show"
    comments: Annotated[
        Toggle,
        shown("保留批注（成为 PDF 注释）", "Keep comments, as notes of the PDF", "toggle"),
    ] = True
    archive: ArchiveFormat = "none"
    images: ImageQuality = "original"
    pages: Pages = ""
    contents: Annotated[
        Toggle,
        shown("更新目录", "Update the contents list", "toggle", advanced=True),
    ] = False
    tagged: Annotated[
        Toggle,
        shown("无障碍标签", "Accessibility tags", "toggle", advanced=True),
    ] = True


def convert(work: Work[Options]) -> None:
    """Unlock, check, cut what leads out, open, settle changes, export."""
    from cluster.engines.office.fonts import PARTS

    with opened(work, _FAMILY, PARTS, lambda source, path: _loading(work, source, path)) as it:
        document = it.document
        work.allow(document.pages or 1)
        _settle(work, document)
        text = bool(document.characters) and not work.options.pages
        output = it.export(text, _export(work.options, document))
        it.tell(output, _fonts(it))


def _loading(work: Work[Options], source: Source, path: Path) -> Loading:
    """The file that LibreOffice opens, and how: changes that are settled are written."""
    from cluster.engines.office.quirks import prepared

    path, loading = text_loading(work, source, path)
    if source.kind is DOCX:
        path = prepared(path, work.scratch("prepared"))
    return path, dict(loading) | ({"ReadOnly": False} if work.options.changes != "show" else {})


def _settle(work: Work[Options], document: "Document") -> None:
    from cluster.engines.office.quirk_notes import GATHERED

    how = work.options.changes
    document.do("gather_endnotes", prefix=GATHERED)
    if count := document.do("changes", how=how):
        work.note("told" if how == "show" else "changed", f"changes_{how}", count=count)
    document.do("plain_names")
    if work.options.contents:
        document.do("refresh")


def _export(chosen: Options, document: "Document") -> dict[str, Any]:
    """LibreOffice's names for what was chosen."""
    data = export_data(
        chosen.archive,
        chosen.images,
        ExportBookmarks=chosen.bookmarks,
        UseTaggedPDF=chosen.tagged,
        ExportNotes=chosen.comments,
        IsSkipEmptyPages=True,
    )
    if chosen.pages.strip():
        # Asked again: changes that were settled move pages.
        pages = pages_in_order(chosen.pages, document.do("size")["pages"])
        data["PageRange"] = ",".join(map(str, pages))
    return data


def _fonts(it: Conversion) -> list[str]:
    from xml.etree.ElementTree import ParseError

    from cluster.engines.office.fonts import fonts_of

    try:
        return fonts_of(it.found.parts)
    except ParseError:  # no docx, or one that LibreOffice reads all the same: it is asked
        return it.named_fonts()


TOOL = Tool(
    id=6,
    key="word_to_pdf",
    route="/Word2Pdf",
    group=Group.CONVERT,
    lane=Lane.OFFICE,
    accepts=WORD,
    options=Options,
    run=convert,
    suffix=("转换", "converted"),
    icon="file-text",
    bounds=Bounds(base=60, per_mib=4.0),
)
