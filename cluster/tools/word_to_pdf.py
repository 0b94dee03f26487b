"""Word to PDF: doc, docx, odt, rtf, txt, wps and their kin through the warm LibreOffice."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cluster.fields import Pages, Toggle, shown
from cluster.kinds import DOCX, FODT, HTML, ODT, PDF, RTF, TXT, WORD, WORDML
from cluster.pages import parse_pages
from cluster.problem import InputProblem
from cluster.tool import Bounds, Group, Lane, Output, Source, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.office.check import Found
    from cluster.engines.office.client import Document

#: Import filters by kind; a filter named here cannot be talked into another by the content.
_FILTERS = {
    DOCX: "MS Word 2007 XML",
    ODT: "writer8",
    RTF: "Rich Text Format",
    TXT: "Text (encoded)",
    FODT: "OpenDocument Text Flat XML",
    WORDML: "MS Word 2003 XML",
    HTML: "HTML (StarWriter)",
}
_TEXT_FONT = "Noto Sans Mono CJK SC"
#: quality of JPEG, dpi
_IMAGES = {"screen": (75, 150), "print": (90, 300)}


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
    archive: Annotated[
        Literal["none", "pdfa1", "pdfa2", "pdfa3"],
        shown(
            "存档格式",
            "Archive format",
            "select",
            choices={
                "none": ("普通 PDF", "Ordinary PDF"),
                "pdfa1": ("PDF/A-1", "PDF/A-1"),
                "pdfa2": ("PDF/A-2", "PDF/A-2"),
                "pdfa3": ("PDF/A-3", "PDF/A-3"),
            },
        ),
    ] = "none"
    images: Annotated[
        Literal["original", "print", "screen"],
        shown(
            "图片质量",
            "Picture quality",
            "select",
            choices={
                "original": ("原图", "As they are"),
                "print": ("打印（300 dpi）", "Print (300 dpi)"),
                "screen": ("屏幕（150 dpi）", "Screen (150 dpi)"),
            },
        ),
    ] = "original"
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
    from cluster.engines.office import client as office
    from cluster.engines.office import fonts as docx_fonts
    from cluster.engines.office.check import check_office
    from cluster.engines.office.links import cut
    from cluster.engines.office.locks import unlocked

    source = unlocked(work.source, work.scratch("unlocked"))
    if source.kind not in WORD:
        raise InputProblem("not_supported_type", file=source.name, found=source.kind.key)
    found = check_office(source, keep=docx_fonts.PARTS)
    work.progress(0.1, 1, "converting")
    path, links = cut(source, work.scratch("cut"))
    path, loading = _loading(work, source, path)
    with office.opened(source, path, **loading) as document:
        if document.kind not in ("TextDocument", "WebDocument", "GlobalDocument"):
            raise InputProblem("not_supported_type", file=source.name, found=document.kind.removesuffix("Document"))
        work.allow(document.pages or 1)
        work.progress(0.5, 1, "converting")
        _settle(work, document)
        output = work.output(PDF)
        output.text = bool(document.characters) and not work.options.pages
        document.store(output.path, "writer_pdf_Export", **_export(work.options, document))
        work.progress(0.9, 1, "writing")
        _tell(work, document, output, found, links)


def _loading(work: Work[Options], source: Source, path: Path) -> tuple[Path, dict[str, Any]]:
    """The file that LibreOffice opens, and how."""
    from cluster.engines.office.text import read_text

    loading: dict[str, Any] = {}
    if source.kind in _FILTERS:
        loading["FilterName"] = _FILTERS[source.kind]
    if work.options.changes != "show":
        loading["ReadOnly"] = False
    if source.kind is not TXT:
        return path, loading
    path = work.scratch("utf8") / source.path.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(read_text(source), encoding="utf-8", newline="\n")
    return path, loading | {"FilterOptions": f"UTF8,LF,{_TEXT_FONT},zh-CN,"}


def _settle(work: Work[Options], document: "Document") -> None:
    how = work.options.changes
    if count := document.do("changes", how=how):
        work.note("told" if how == "show" else "changed", f"changes_{how}", count=count)
    document.do("plain_names")
    if work.options.contents:
        document.do("refresh")


def _export(chosen: Options, document: "Document") -> dict[str, Any]:
    """LibreOffice's names for what was chosen."""
    data: dict[str, Any] = {
        "ExportBookmarks": chosen.bookmarks,
        "UseTaggedPDF": chosen.tagged,
        "SelectPdfVersion": {"none": 0, "pdfa1": 1, "pdfa2": 2, "pdfa3": 3}[chosen.archive],
        "ExportNotes": chosen.comments,
        "IsSkipEmptyPages": True,
        "UseLosslessCompression": chosen.images == "original",
        "ReduceImageResolution": chosen.images != "original",
    }
    if chosen.images != "original":
        quality, dpi = _IMAGES[chosen.images]
        data |= {"Quality": quality, "MaxImageResolution": dpi}
    if chosen.pages.strip():
        # Asked again: changes that were settled move pages.
        pages = sorted(set(parse_pages(chosen.pages, document.do("size")["pages"])))
        data["PageRange"] = ",".join(map(str, pages))
    return data


def _tell(work: Work[Options], document: "Document", output: Output, found: "Found", links: int) -> None:
    """Receipt: what came through, fonts that stand in for others, macros and links that were left alone."""
    pages, used = _made(output)
    work.note("kept", "pages_converted", count=pages)
    if output.text:
        work.note("kept", "text_kept")
    if found.macros:
        work.note("told", "macros_ignored")
    if links:
        work.note("lost", "remote_blocked")
    if missing := document.do("missing", names=_fonts(document, found)):
        named = ", ".join(missing[:12])
        work.note("changed", "fonts_substituted", detail=f"{named} → {', '.join(used)}" if used else named)


def _fonts(document: "Document", found: "Found") -> list[str]:
    from xml.etree.ElementTree import ParseError

    from cluster.engines.office import fonts as docx_fonts

    try:
        return docx_fonts.fonts_of(found.parts)
    except ParseError:  # no docx, or one that LibreOffice reads all the same: it is asked
        named: dict[str, list[str]] = document.do("fonts")
        return sorted({*named["western"], *named["asian"]})


def _made(output: Output) -> tuple[int, list[str]]:
    """Pages of the result, and the families that it embeds."""
    from pikepdf import Dictionary

    from cluster.engines.pdf.libraries import import_pikepdf

    with import_pikepdf().open(output.path) as pdf:
        fonts = [each for each in pdf.objects if isinstance(each, Dictionary) and each.get("/Type") == "/Font"]
        names = {str(font.get("/BaseFont", "")).lstrip("/").rpartition("+")[2].partition("-")[0] for font in fonts}
        return len(pdf.pages), sorted(names - {""})


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
