"""A text or picture over pictures: tiled, or at one of nine places, as large on each as the picture is."""

import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from cluster.fields import (
    Angle,
    Bold,
    Colour,
    Font,
    MarkPicture,
    Opacity,
    Place,
    Toggle,
    quality_of,
    shown,
)
from cluster.kinds import JPG, PICTURES, PNG, TIFF, WEBP, Kind
from cluster.problem import InputProblem
from cluster.tool import Bounds, Group, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.marks.overlay import Layer, Mark
    from cluster.engines.marks.place import View

_KINDS = {"jpg": JPG, "png": PNG, "webp": WEBP, "tiff": TIFF}
Share = Annotated[float, Field(ge=0, le=100)]
"""Percent of the picture's shorter side."""


@options
class TextMark:
    kind: Annotated[Literal["text"], shown("文字", "Text", "hidden")] = "text"
    text: Annotated[
        str,
        Field(max_length=500, pattern=r"\S"),
        shown(
            "水印文字",
            "Text",
            "textarea",
            hint=(
                "可换行；可用 {date} 日期、{file} 文件名",
                "Several lines are fine; {date} and {file} are filled in",
            ),
            placeholder={"zh": "版权所有", "en": "© Papercrane"},
        ),
    ]
    font: Font = "sans"
    size: Annotated[
        float, Field(ge=1, le=60), shown("字号（占短边）", "Size (of the shorter side)", "slider", unit="%")
    ] = 6
    bold: Bold = False
    colour: Colour = "#808080"


@options
class ImageMark:
    kind: Annotated[Literal["image"], shown("图片", "Picture", "hidden")] = "image"
    file: MarkPicture
    width: Annotated[
        float, Field(ge=1, le=100), shown("宽度（占图片宽度）", "Width (of the picture)", "slider", unit="%")
    ] = 25


@options
class Tiled:
    how: Annotated[Literal["tiled"], shown("平铺", "Tiled", "hidden")] = "tiled"
    gap_x: Annotated[Share, shown("横向间距", "Gap across", "number", unit="%")] = 15
    gap_y: Annotated[Share, shown("纵向间距", "Gap along", "number", unit="%")] = 15


@options
class Placed:
    how: Annotated[Literal["place"], shown("九宫格", "At a place", "hidden")] = "place"
    place: Place = "bottom-right"
    margin: Annotated[float, Field(ge=0, le=50), shown("边距", "Margin", "number", unit="%")] = 4


@options
class Options:
    mark: Annotated[TextMark | ImageMark, Field(discriminator="kind"), shown("水印内容", "Watermark", "tabs")]
    layout: Annotated[Placed | Tiled, Field(discriminator="how"), shown("排列", "Layout", "tabs")] = Placed()
    angle: Angle = 0
    opacity: Opacity = 60
    format: Annotated[
        Literal["same", "jpg", "png", "webp", "tiff"],
        shown(
            "输出格式",
            "Format",
            "select",
            choices={
                "same": ("与原图相同", "As it was"),
                "jpg": ("JPG", "JPG"),
                "png": ("PNG", "PNG"),
                "webp": ("WebP", "WebP"),
                "tiff": ("TIFF", "TIFF"),
            },
            hint=("HEIC 存为 JPG，BMP、GIF 存为 PNG", "HEIC becomes JPG, BMP and GIF become PNG"),
        ),
    ] = "same"
    quality: Annotated[
        int,
        Field(ge=1, le=100),
        quality_of("same", "jpg", "webp"),
    ] = 92
    facts: Annotated[
        Toggle,
        shown(
            "保留拍摄信息",
            "Keep what the camera wrote",
            "toggle",
            hint=(
                "时间、地点、相机等 EXIF；关闭则清除",
                "EXIF such as time, place and camera; it is removed when this is off",
            ),
        ),
    ] = False


def image_watermark(work: Work[Options]) -> None:
    """One output: the picture, upright, with the mark on it."""
    from cluster.engines.export.marked import Saved, TooLong, mark

    chosen, source = work.options, work.source
    kind = _kind(chosen, source.kind)
    output = work.output(kind)
    try:
        had = mark(
            source,
            lambda pdf, view: _layer(work, pdf, view),
            Saved(kind, chosen.quality, chosen.facts),
            work.scratch("veil.pdf"),
            output.path,
        )
    except TooLong as error:
        zh = work.language == "zh"
        detail = "图片太长，请选 PNG 或 TIFF" if zh else "the picture is too long for it; choose PNG or TIFF"
        raise InputProblem("option_invalid", field="format", detail=detail) from error
    work.note("changed", "picture_marked")
    if had.facts:
        work.note("kept" if chosen.facts else "changed", "facts_kept" if chosen.facts else "facts_removed")
    if had.more:
        work.note("lost", "first_frame", detail=source.name)
    if had.cut:
        work.note("lost", "picture_cut", detail=source.name)


def _kind(chosen: Options, source: Kind) -> Kind:
    """As it was, where that can be written."""
    if chosen.format != "same":
        return _KINDS[chosen.format]
    if source.key == "heic":
        return JPG
    return _KINDS.get(source.key, PNG)


def _layer(work: Work[Options], pdf: Any, view: "View") -> "Layer":
    from cluster.engines.marks.overlay import Layer

    chosen = work.options
    mark = _mark(work, pdf, view)
    return Layer(mark, _centres(chosen, mark, view), chosen.angle, chosen.opacity / 100)


def _points(share: float) -> float:
    """A share of the shorter side, in percent, as points."""
    from cluster.engines.export.marked import SHORT

    return share * SHORT / 100


def _mark(work: Work[Options], pdf: Any, view: "View") -> "Mark":
    from cluster.engines.fonts.embed import Fonts
    from cluster.engines.marks.artwork import image_object
    from cluster.engines.marks.overlay import picture_mark, text_mark
    from cluster.engines.marks.text import filled

    chosen = work.options.mark
    if isinstance(chosen, ImageMark):
        image, ratio = image_object(pdf, work.staged(chosen.file), chosen.file.rpartition("/")[2])
        return picture_mark(pdf, image, view.width * chosen.width / 100, ratio)
    today = datetime.datetime.now().astimezone().date().isoformat()
    lines = filled(chosen.text, {"date": today, "file": work.source.stem}).splitlines()
    fonts = Fonts(pdf)
    made = text_mark(
        pdf, fonts, lines, size=_points(chosen.size), family=chosen.font, bold=chosen.bold, colour=chosen.colour
    )
    fonts.embed()
    return made


def _centres(chosen: Options, mark: "Mark", view: "View") -> list[tuple[float, float]]:
    from cluster.engines.marks.place import cover, placed, tiled

    layout = chosen.layout
    if isinstance(layout, Tiled):
        gaps = _points(layout.gap_x), _points(layout.gap_y)
        return tiled(view, mark.width, mark.height, gaps, chosen.angle)
    margin = _points(layout.margin)
    return [placed(view, layout.place, (margin, margin), cover(mark.width, mark.height, chosen.angle))]


TOOL = Tool(
    id=23,
    key="image_watermark",
    route="/ImageWatermark",
    group=Group.MARKS,
    accepts=PICTURES,
    gives=(JPG, PNG, WEBP, TIFF),
    options=Options,
    run=image_watermark,
    suffix=("水印", "watermarked"),
    icon="image-plus",
    example={"mark": {"kind": "text", "text": "版权所有"}},
    bounds=Bounds(base=60, cap=300),
)
