"""PDF to scan: every page a picture as a scanner gives it, each a little different, the same again by its seed."""

from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from cluster.fields import Toggle, shown
from cluster.kinds import PDF
from cluster.opening import with_document
from cluster.problem import InputProblem
from cluster.telling import tell_broken, tell_counts
from cluster.tool import Bounds, Group, Lane, Output, Source, Tool, Work, options

if TYPE_CHECKING:
    from pathlib import Path

    from cluster.engines.draw.pages import Paper
    from cluster.engines.draw.scans import Scan
    from cluster.engines.pages.whole import Whole
    from cluster.engines.pdf.counts import Counts

#: Bytes that a page has at most as a preset makes it, unless it holds photographs.
_PAGE_BYTES = 300_000
_OWN = {"preset": ["custom"]}
Percent = Annotated[int, Field(ge=0, le=100)]
Around = Annotated[int, Field(ge=-50, le=50)]


@dataclass(frozen=True)
class Preset:
    """What a preset stands for: the options of the same names."""

    grey: bool = False
    tone: int = 15
    tilt: float = 0.7
    noise: int = 20
    blur: int = 25
    brightness: int = 0
    contrast: int = -4
    border: int = 15
    dpi: int = 150
    quality: int = 65


STANDARD = Preset()
PRESETS = {
    "light": Preset(tone=6, tilt=0.3, noise=10, blur=15, contrast=-2, border=0, quality=70),
    "standard": STANDARD,
    "worn": Preset(grey=True, tone=0, tilt=1.5, noise=55, blur=40, brightness=4, contrast=30, border=60, quality=60),
}


@options
class Options:
    preset: Annotated[
        Literal["light", "standard", "worn", "custom"],
        shown(
            "扫描效果",
            "Look",
            "choice",
            choices={
                "light": ("轻微 · 新扫描仪，平整清晰", "Light · a new scanner: flat and clear"),
                "standard": ("标准 · 办公室扫描仪", "Standard · an office scanner"),
                "worn": ("旧复印件 · 黑白、有颗粒和黑边", "Worn copy · grey, with grain and dark edges"),
                "custom": ("自定义 · 逐项调整", "Custom · set each part yourself"),
            },
        ),
    ] = "standard"
    grey: Annotated[Toggle, shown("灰度", "Grey", "toggle", when=_OWN)] = STANDARD.grey
    tone: Annotated[Percent, shown("纸张底色", "Paper tone", "slider", unit="%", when=_OWN)] = STANDARD.tone
    tilt: Annotated[float, Field(ge=0, le=5), shown("最大倾斜", "Tilt at most", "slider", unit="°", when=_OWN)] = (
        STANDARD.tilt
    )
    noise: Annotated[Percent, shown("颗粒", "Grain", "slider", unit="%", when=_OWN)] = STANDARD.noise
    blur: Annotated[Percent, shown("模糊", "Blur", "slider", unit="%", when=_OWN)] = STANDARD.blur
    brightness: Annotated[Around, shown("亮度", "Brightness", "slider", when=_OWN)] = STANDARD.brightness
    contrast: Annotated[Around, shown("对比度", "Contrast", "slider", when=_OWN)] = STANDARD.contrast
    border: Annotated[Percent, shown("黑边", "Dark edges", "slider", unit="%", when=_OWN)] = STANDARD.border
    dpi: Annotated[int, Field(ge=72, le=300), shown("分辨率", "Resolution", "number", unit="dpi", when=_OWN)] = (
        STANDARD.dpi
    )
    quality: Annotated[int, Field(ge=20, le=95), shown("图片质量", "Picture quality", "slider", when=_OWN)] = (
        STANDARD.quality
    )
    text: Annotated[
        Toggle,
        shown(
            "保留可搜索的文字",
            "Keep the words searchable",
            "toggle",
            hint=(
                "原有文字隐形地放在图像上，可搜索、可复制",
                "The page’s own words lie unseen over the picture, to be found and copied",
            ),
        ),
    ] = False
    vary: Annotated[Toggle, shown("每页略有不同", "Each page a little different", "toggle", advanced=True)] = True
    seed: Annotated[
        int,
        Field(ge=1, le=9999),
        shown(
            "随机种子",
            "Seed",
            "number",
            hint=("同一个数总得到同样的结果", "The same number always gives the same result"),
            advanced=True,
        ),
    ] = 1


def pdf_to_scan(work: Work[Options]) -> None:
    """One output: the pages as pictures, with the bookmarks and links that they had."""

    with_document(work, work.source, lambda whole: _copied(work, whole))


def _copied(work: Work[Options], whole: "Whole") -> None:
    from cluster.engines.draw.faithful import copy_faithfully
    from cluster.engines.draw.scans import scan_pages
    from cluster.engines.pictures.scanner import chance

    scan, source, sheets = _scan(work.options), *_opened(work, whole)
    work.allow(len(sheets))
    paths = [work.scratch(f"scan-{index}.jpg") for index in range(len(sheets))]
    turns = [chance(scan.look, number).turn / 100 for number in range(1, len(sheets) + 1)]
    copied = work.scratch("faithful.pdf")
    hairs = [scan.hair_of(sheet) for sheet in sheets]
    drawn = replace(source, path=copied) if copy_faithfully(source.path, copied, hairs) else source
    scan_pages(drawn, sheets, scan, paths, lambda done: work.progress(done, len(sheets), "rendering"))
    work.note("changed", "pages_pictured", count=len(sheets))
    if coarser := sum(scan.dpi_of(paper) < scan.dpi for paper in sheets):
        work.note("told", "pages_coarser", count=coarser)
    output = work.output(PDF)
    output.pages = len(sheets)
    pictured = work.scratch("pictured.pdf") if work.options.text else output.path
    _bind(work, whole, paths, turns, pictured)
    if work.options.text:
        _word(work, source, pictured, output, turns)


def _scan(chosen: Options) -> "Scan":
    """What was chosen; a preset's pages have a most of bytes."""
    from cluster.engines.draw.scans import Scan
    from cluster.engines.pictures.scanner import Look

    preset = PRESETS.get(chosen.preset)
    held = asdict(preset) if preset else {field.name: getattr(chosen, field.name) for field in fields(Preset)}
    dpi, quality = held.pop("dpi"), held.pop("quality")
    look = Look(**held, vary=chosen.vary, seed=chosen.seed)
    return Scan(look, dpi, quality, _PAGE_BYTES if preset else None)


def _opened(work: Work[Options], whole: "Whole") -> "tuple[Source, list[Paper]]":
    """The document as pdfium draws it, and its pages' sizes; MuPDF finds them, too, where it is to read words."""
    from cluster.engines.draw.pages import papers
    from cluster.engines.pages.opening import check_drawable
    from cluster.engines.pdf.open import open_pdfium
    from cluster.engines.pdf.rescue import pages_by_mupdf
    from cluster.engines.pdf.syntax import Unreadable

    path = whole.document.path
    source = replace(work.source, path=path, password=None)
    check_drawable(source, whole)
    try:
        with open_pdfium(source, work.max_pages) as document:
            sheets = papers(source, document)
        if len(sheets) == len(whole.leaves) and (not work.options.text or pages_by_mupdf(path, None) == len(sheets)):
            return source, sheets
    except InputProblem:
        if path != work.source.path:
            raise
    if path == work.source.path:
        raise Unreadable("pages")  # as qpdf writes it all count alike
    raise InputProblem("damaged_file", file=source.name)


def _bind(work: Work[Options], whole: "Whole", paths: "list[Path]", turns: list[float], path: "Path") -> None:
    from cluster.engines.pages.bind import Binder
    from cluster.engines.pages.pictured import Pictured

    with Binder(path) as binder:
        binder.add(Pictured(whole, paths, turns), lambda done: work.progress(done, len(paths), "writing"))
        binder.close()
        _tell(work, whole, binder.counts())


def _word(work: Work[Options], source: Source, pictured: "Path", output: Output, turns: list[float]) -> None:
    """The result with the words of the source unseen over its pictures."""
    from cluster.engines.export.overtext import add_words

    told = len(turns)
    worded = add_words(source.path, pictured, output.path, turns, lambda done: work.progress(done, told, "writing"))
    output.text = True if worded else None
    if worded:
        work.note("kept", "text_kept")
    else:
        work.note("told", "no_words")


def _tell(work: Work[Options], whole: "Whole", counts: "tuple[Counts, Counts]") -> None:
    """What came over, and what is only to be seen now."""
    from cluster.engines.forms.signed import signatures
    from cluster.engines.pages.tags import TagTree
    from cluster.engines.pdf.counts import count
    from cluster.engines.pdf.libraries import import_pikepdf
    from cluster.engines.pdf.nodes import get

    before, after = counts
    with import_pikepdf().open(whole.document.path) as pdf:
        held, signed, xfa = count(pdf), signatures(pdf), get(pdf.Root, "/AcroForm", "/XFA") is not None
    tell_counts(work, replace(before, annotations=held.annotations, fields=held.fields), after)
    if not work.options.text:
        work.note("lost", "words_pictured")
    tell_broken(work, signed, xfa)
    if whole.once(TagTree):
        work.note("lost", "tags_lost")


TOOL = Tool(
    id=35,
    key="pdf_to_scan",
    route="/Pdf2ScanPdf",
    group=Group.CONVERT,
    options=Options,
    run=pdf_to_scan,
    suffix=("扫描件", "scan"),
    lane=Lane.HEAVY,
    icon="scan-line",
    editor="scan",
    bounds=Bounds(base=60, per_mib=4, per_page=3, cap=1800),
)
