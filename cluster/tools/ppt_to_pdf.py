"""PPT to PDF: pptx, ppt, pps, odp, dps through the warm LibreOffice, as slides, notes pages or handouts."""

import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from cluster.converting import ARCHIVES, Archive, Conversion, Family, ImageQuality, Loading, export_data, opened
from cluster.fields import Pages, Toggle, shown
from cluster.kinds import ODP, PPT, PPTX, SLIDES
from cluster.pages import pages_in_order
from cluster.problem import InputProblem
from cluster.tool import MIB, Bounds, Group, Lane, Source, Tool, Work, options

_FAMILY = Family(SLIDES, ("PresentationDocument",), "impress_pdf_Export")
#: Import filters by kind; a filter named here cannot be talked into another by the content.
_FILTERS = {PPTX: "Impress MS PowerPoint 2007 XML", PPT: "MS PowerPoint 97", ODP: "impress8"}
#: What moves or sounds on a slide, and what LibreOffice does not draw.
_STILL = re.compile(rb"\bpresetClass=|<a:(?:videoFile|audioFile|wavAudioFile)\b|<p14:media\b")
_FLAT = re.compile(rb"<a:(?:sp3d|reflection|innerShdw)\b")


@options
class Options:
    what: Annotated[
        Literal["slides", "notes", "handouts"],
        shown(
            "输出内容",
            "What is written",
            "choice",
            choices={
                "slides": ("幻灯片", "Slides"),
                "notes": ("备注页", "Notes pages"),
                "handouts": ("讲义（一页多张）", "Handouts"),
            },
        ),
    ] = "slides"
    per_page: Annotated[
        int,
        Field(ge=1, le=9),
        shown(
            "每页幻灯片数",
            "Slides on a page",
            "number",
            hint=("3 张时右侧有备注横线", "With three there are lines for notes beside them"),
            when={"what": ["handouts"]},
        ),
    ] = 6
    hidden: Annotated[Toggle, shown("包括隐藏的幻灯片", "Hidden slides too", "toggle")] = False
    comments: Annotated[
        Toggle,
        shown("保留批注（成为 PDF 注释）", "Keep comments, as notes of the PDF", "toggle", when={"what": ["slides"]}),
    ] = True
    images: ImageQuality = "original"
    archive: Annotated[
        Archive,
        shown("存档格式", "Archive format", "select", choices=ARCHIVES, when={"what": ["slides", "notes"]}),
    ] = "none"
    pages: Pages = ""


def convert(work: Work[Options]) -> None:
    """Unlock, check, cut what leads out, open, export; lay handouts."""
    from cluster.engines.office.fonts import SLIDE_PARTS

    with opened(work, _FAMILY, SLIDE_PARTS, lambda source, path: _loading(work, source, path)) as it:
        slides, hidden = _slides(it)
        work.allow(len(slides))
        it.document.do("entitle")
        if work.options.what == "notes":
            it.document.do("fit_notes")
        output = it.export(None, _export(work.options, slides, hidden))
        if work.options.what == "handouts":
            _lay(work, output.path)
        _tell_effects(it)
        it.tell(output, _fonts(it))


def _loading(work: Work[Options], source: Source, path: Path) -> Loading:
    """The file that LibreOffice opens, and how: to fit its notes, not for reading alone."""
    from cluster.engines.office.slide_notes import styled

    loading = {"FilterName": _FILTERS[source.kind]}
    if work.options.what != "notes":
        return path, loading
    return styled(path, work.scratch("notes")) if source.kind is PPTX else path, loading | {"ReadOnly": False}


def _slides(it: Conversion) -> tuple[list[int], bool]:
    """Which slides are converted, from 1, and whether hidden ones are. Raises nothing_to_do, page_range_invalid."""
    seen = it.document.do("slides")
    if not seen:
        raise InputProblem("nothing_to_do", file=it.source.name)
    chosen = pages_in_order(it.work.options.pages, len(seen))
    visible = [number for number in chosen if seen[number - 1]]
    # Where all are hidden, they are what was meant.
    if it.work.options.hidden or not visible:
        return chosen, True
    if left := len(chosen) - len(visible):
        it.work.note("told", "slides_hidden", count=left)
    return visible, False


def _export(chosen: Options, slides: list[int], hidden: bool) -> dict[str, Any]:
    """LibreOffice's names for what was chosen."""
    notes = chosen.what == "notes"
    data = export_data(
        chosen.archive if chosen.what != "handouts" else "none",
        chosen.images,
        ExportBookmarks=True,
        ExportHiddenSlides=hidden,
        ExportNotesPages=notes,
        ExportOnlyNotesPages=notes,
        ExportNotes=chosen.comments and chosen.what == "slides",
    )
    if chosen.pages.strip():
        data["PageRange"] = ",".join(map(str, slides))
    return data


def _lay(work: Work[Options], path: Path) -> None:
    """Put the slides of the PDF at `path` on pages of paper."""
    from cluster.engines.office.handouts import write

    slides = path.rename(work.scratch("slides.pdf"))
    write(slides, path, work.options.per_page)


def _tell_effects(it: Conversion) -> None:
    """What a slide show has and a page has not."""
    slides = [data for name, data in it.found.parts.items() if "/slides/" in name]
    if still := sum(bool(_STILL.search(data)) for data in slides):
        it.work.note("told", "effects_still", count=still)
    if flat := sum(len(_FLAT.findall(data)) for data in slides):
        it.work.note("lost", "effects_flat", count=flat)


def _fonts(it: Conversion) -> list[str]:
    from xml.etree.ElementTree import ParseError

    from cluster.engines.office.fonts import fonts_of_slides

    try:
        return fonts_of_slides(it.found.parts) if it.source.kind is PPTX else it.named_fonts()
    except ParseError:  # a theme that LibreOffice reads all the same: it is asked
        return it.named_fonts()


TOOL = Tool(
    id=8,
    key="ppt_to_pdf",
    route="/Ppt2Pdf",
    group=Group.CONVERT,
    lane=Lane.OFFICE,
    accepts=SLIDES,
    options=Options,
    run=convert,
    suffix=("转换", "converted"),
    icon="presentation",
    bounds=Bounds(base=60, per_mib=4.0, cap=600, memory=2048 * MIB),
)
