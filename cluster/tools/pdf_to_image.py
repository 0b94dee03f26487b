"""Pages as pictures: one each, one long picture, or one TIFF of many pages."""

import dataclasses
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from cluster.fields import Pages, Toggle, quality_of, shown
from cluster.kinds import JPG, PNG, TIFF, WEBP
from cluster.opening import sound_source
from cluster.pages import each_page
from cluster.problem import InputProblem, LimitProblem
from cluster.tool import Bounds, Group, Source, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.draw.pages import Drawer, Paper
    from cluster.engines.pictures.write import Mode, PictureFile, Strip

_KINDS = {"png": PNG, "jpg": JPG, "webp": WEBP, "tiff": TIFF}
#: One long picture may have this many pixels: more opens nowhere.
_LONG_PIXELS = 300_000_000


@options
class ByDpi:
    how: Annotated[Literal["dpi"], shown("按分辨率", "By resolution", "hidden")] = "dpi"
    dpi: Annotated[int, Field(ge=72, le=600), shown("分辨率", "Resolution", "number", unit="dpi")] = 150


@options
class ByWidth:
    how: Annotated[Literal["width"], shown("按像素宽度", "By pixel width", "hidden")] = "width"
    width: Annotated[int, Field(ge=16, le=20000), shown("宽度", "Width", "number", unit="px")] = 1200


@options
class Options:
    format: Annotated[
        Literal["png", "jpg", "webp", "tiff"],
        shown(
            "图片格式",
            "Format",
            "choice",
            choices={"png": ("PNG", "PNG"), "jpg": ("JPG", "JPG"), "webp": ("WebP", "WebP"), "tiff": ("TIFF", "TIFF")},
        ),
    ] = "png"
    size: Annotated[ByDpi | ByWidth, Field(discriminator="how"), shown("尺寸", "Size", "tabs")] = ByDpi()
    colour: Annotated[
        Literal["colour", "grey", "bw"],
        shown(
            "颜色",
            "Colour",
            "choice",
            choices={"colour": ("彩色", "Colour"), "grey": ("灰度", "Grey"), "bw": ("黑白（1 位）", "Black and white")},
        ),
    ] = "colour"
    into: Annotated[
        Literal["each", "long", "document"],
        shown(
            "输出",
            "Result",
            "choice",
            choices={
                "each": ("每页一张", "One picture a page"),
                "long": ("拼成一张长图", "One long picture"),
                "document": ("一个多页 TIFF", "One TIFF of all pages"),
            },
        ),
    ] = "each"
    quality: Annotated[
        int,
        Field(ge=1, le=100),
        quality_of("jpg", "webp"),
    ] = 85
    transparent: Annotated[
        Toggle,
        shown("透明背景", "Transparent background", "toggle", when={"format": ["png"]}),
    ] = False
    dither: Annotated[
        Toggle,
        shown(
            "用网点表现灰度",
            "Show greys as dots",
            "toggle",
            hint=("适合照片；文字请关闭", "Good for photographs; leave off for text"),
            when={"colour": ["bw"]},
        ),
    ] = False
    pages: Pages = ""


def pdf_to_image(work: Work[Options]) -> None:
    """Check every size before drawing, then draw."""
    from cluster.engines.draw.faithful import with_form
    from cluster.engines.draw.pages import papers
    from cluster.engines.pdf.open import open_pdfium

    chosen = work.options
    if chosen.into == "document" and chosen.format != "tiff":
        zh = work.language == "zh"
        raise InputProblem("option_invalid", field="into", detail="多页文件请选 TIFF" if zh else "choose TIFF for it")
    source = with_form(work, sound_source(work, work.source, mupdf=False))
    with open_pdfium(source, work.max_pages) as document:
        all_papers = papers(source, document)
    numbers = each_page(chosen.pages, len(all_papers))
    plan = _sizes(work, [(number, all_papers[number - 1]) for number in numbers])
    work.allow(max(len(plan), math.ceil(sum(width * height for _, width, height in plan) / 4_000_000)))
    if chosen.into == "each":
        _each(work, source, plan, all_papers)
    else:
        _together(work, source, plan, all_papers)
    work.note("kept", "pages_drawn", count=len(plan))


def _sizes(work: Work[Options], pages: "list[tuple[int, Paper]]") -> list[tuple[int, int, int]]:
    """(page, width, height) in pixels, all within the bounds."""
    chosen = work.options
    widest = max(paper.width for _, paper in pages)
    plan = []
    for number, paper in pages:
        scale = chosen.size.width / paper.width if isinstance(chosen.size, ByWidth) else chosen.size.dpi / 72
        if chosen.into == "long":
            # Pages of one long picture are equally wide, as a reader's screen shows them.
            scale *= widest / paper.width if isinstance(chosen.size, ByDpi) else 1
        plan.append((number, *paper.at(scale)))
    for number, width, height in plan:
        _check(work, number, width, height)
    if chosen.into == "long":
        _check_long(work, plan)
    return plan


def _check(work: Work[Options], number: int, width: int, height: int) -> None:
    from cluster.engines.draw.pages import PAGE_PIXELS
    from cluster.engines.pictures.write import LONGEST

    if width * height > PAGE_PIXELS or max(width, height) > LONGEST[work.options.format]:
        raise LimitProblem("too_large_when_opened", file=work.source.name, page=number, width=width, height=height)


def _check_long(work: Work[Options], plan: list[tuple[int, int, int]]) -> None:
    from cluster.engines.pictures.write import LONGEST

    width, height = plan[0][1], sum(height for _, _, height in plan)
    limit = min(LONGEST[work.options.format], _LONG_PIXELS // width)
    if height > limit:
        raise LimitProblem("picture_too_long", file=work.source.name, height=height, limit=limit)


def _mode(chosen: Options) -> "Mode":
    if chosen.colour == "bw":
        return "bit"
    if chosen.colour == "grey":
        return "grey"
    return "rgba" if chosen.transparent and chosen.format == "png" else "rgb"


def _each(work: Work[Options], source: Source, plan: list[tuple[int, int, int]], all_papers: "list[Paper]") -> None:
    from cluster.engines.draw.pages import in_workers
    from cluster.engines.pictures.write import Shape, open_picture

    chosen, mode = work.options, _mode(work.options)
    kind, digits = _KINDS[chosen.format], max(3, len(str(len(all_papers))))
    jobs = [(work.output(kind, tail=f"_{page[0]:0{digits}}").path, page) for page in plan]

    def draw(drawer: "Drawer", share: Sequence[Any]) -> Iterator[None]:
        for path, (number, width, height) in share:
            dpi = width / all_papers[number - 1].width * 72
            file = open_picture(kind, path, Shape(width, height, mode), dpi, chosen.quality)
            _add(drawer, file, (number, width, height), chosen)
            file.done()
            yield

    in_workers(source, jobs, draw, lambda done: work.progress(done, len(jobs), "rendering"))


def _together(work: Work[Options], source: Source, plan: list[tuple[int, int, int]], all_papers: "list[Paper]") -> None:
    """One file of all pages, drawn by one worker in their order."""
    from cluster.engines.draw.pages import in_workers
    from cluster.engines.pictures.write import Shape, TiffFile, open_picture

    chosen, mode = work.options, _mode(work.options)
    output = work.output(_KINDS[chosen.format])
    dpis = [width / all_papers[number - 1].width * 72 for number, width, _ in plan]

    def draw(drawer: "Drawer", share: Sequence[Any]) -> Iterator[None]:
        whole = Shape(plan[0][1], sum(height for _, _, height in plan), mode)
        pages = TiffFile(output.path) if chosen.into == "document" else None
        file = pages or open_picture(output.kind, output.path, whole, max(dpis), chosen.quality)
        for page, dpi in zip(share, dpis, strict=True):
            if pages:
                pages.begin(Shape(page[1], page[2], mode), dpi)
            _add(drawer, file, page, chosen)
            yield
        file.done()

    in_workers(source, plan, draw, lambda done: work.progress(done, len(plan), "rendering"), most=1)


def _add(drawer: "Drawer", file: "PictureFile", page: tuple[int, int, int], chosen: Options) -> None:
    mode = _mode(chosen)
    for strip in drawer.strips(page[0] - 1, page[1], page[2], "grey" if mode == "bit" else mode):
        file.add(_bits(strip, chosen.dither) if mode == "bit" else strip)


def _bits(strip: "Strip", dither: bool) -> "Strip":
    """Black and white rows: dots for greys, or whatever is darker than the middle."""
    from PIL.Image import Dither

    grey = strip.picture()
    bits = grey.convert("1", dither=Dither.FLOYDSTEINBERG if dither else Dither.NONE)
    return dataclasses.replace(strip, mode="bit", bits=bits)


TOOL = Tool(
    id=12,
    key="pdf_to_image",
    route="/Pdf2Image",
    group=Group.CONVERT,
    gives=(PNG, JPG, WEBP, TIFF),
    options=Options,
    run=pdf_to_image,
    suffix=("图片", "image"),
    icon="image",
    bounds=Bounds(cap=900),
)
