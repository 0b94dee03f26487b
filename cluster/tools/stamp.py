"""Stamps: one's own seal in millimetres, words and dates in a frame, and the seal across pages' edges (骑缝章).

Decisions:
- A seal is only ever the user's own picture; none is drawn here.
- Fanned out, the first page lies on top at the inner side of a cross-page seal; groups are as few and as even as
  may be.
"""

import datetime
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from cluster.fields import (
    Angle,
    Bold,
    Colour,
    DateFormatOf,
    Day,
    Font,
    Opacity,
    Pages,
    Place,
    Size,
    Toggle,
    Upload,
    Words,
    picture,
    shown,
)
from cluster.kinds import PDF
from cluster.opening import open_pdf
from cluster.pages import pages_in_order
from cluster.paper import MM
from cluster.problem import InputProblem
from cluster.tool import Group, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.fonts.embed import Fonts
    from cluster.engines.marks.overlay import Mark
    from cluster.engines.marks.stamping import Spot as At

PRESETS: dict[str, Words] = {
    "reviewed": ("已审核", "REVIEWED"),
    "approved": ("已批准", "APPROVED"),
    "void": ("作废", "VOID"),
    "confidential": ("机密", "CONFIDENTIAL"),
    "paid": ("已付款", "PAID"),
    "received": ("已收讫", "RECEIVED"),
    "copy": ("副本", "COPY"),
    "original": ("正本", "ORIGINAL"),
    "draft": ("草稿", "DRAFT"),
    "final": ("定稿", "FINAL"),
    "urgent": ("加急", "URGENT"),
    "sample": ("样本", "SAMPLE"),
    "controlled": ("受控文件", "CONTROLLED COPY"),
    "reference": ("仅供参考", "FOR REFERENCE ONLY"),
}
#: Pixels an inch that a seal keeps.
_DPI = 600
#: Pixels of the longer side of a picture whose paper is looked for: its arithmetic takes 70 bytes a pixel.
_CLEARED = 2000

Millimetres = Annotated[float, Field(ge=0, le=500)]
FrameOf = Annotated[
    Literal["none", "box", "round", "double"],
    shown(
        "边框",
        "Frame",
        "select",
        choices={"none": ("无", "None"), "box": ("方框", "Box"), "round": ("圆角", "Rounded"),
                 "double": ("双线", "Double line")},
    ),
]  # fmt: skip


@options
class Seal:
    kind: Annotated[Literal["seal"], shown("印章图片", "Seal picture", "hidden")] = "seal"
    file: Annotated[
        Upload,
        Field(min_length=1),
        picture(
            "印章图片",
            "Picture of the seal",
            ("请使用自己的印章；白纸扫描或拍照均可", "Your own seal; a scan or photo on white paper will do"),
        ),
    ]
    width: Annotated[float, Field(ge=3, le=200), shown("宽度", "Width", "number", unit="mm")] = 40
    clear: Annotated[Toggle, shown("去除白底", "Remove the white paper", "toggle")] = True


@options
class TextStamp:
    kind: Annotated[Literal["text"], shown("文字章", "Words", "hidden")] = "text"
    preset: Annotated[
        Literal[
            "reviewed", "approved", "void", "confidential", "paid", "received", "copy", "original", "draft", "final",
            "urgent", "sample", "controlled", "reference", "own",
        ],
        shown("内容", "Words", "select", choices={**PRESETS, "own": ("自定义", "Your own")}),
    ] = "reviewed"  # fmt: skip
    text: Annotated[
        str,
        Field(max_length=200, pattern=r"\S"),
        shown(
            "印章文字",
            "Your words",
            "textarea",
            hint=("可换行；{date} 为日期，{file} 为文件名", "Several lines are fine; {date} and {file} are filled in"),
            when={"preset": ["own"]},
        ),
    ] = "{date}"
    dated: Annotated[Toggle, shown("加上日期", "With the date", "toggle")] = False
    font: Font = "sans"
    size: Size = 28
    bold: Bold = True
    colour: Colour = "#c8102e"
    frame: FrameOf = "round"


@options
class DateStamp:
    kind: Annotated[Literal["date"], shown("日期章", "Date", "hidden")] = "date"
    day: Day = ""
    format: DateFormatOf = "zh"
    font: Font = "sans"
    size: Size = 18
    bold: Bold = False
    colour: Colour = "#1f3f8f"
    frame: FrameOf = "none"


@options
class Placed:
    how: Annotated[Literal["place"], shown("九宫格", "At a place", "hidden")] = "place"
    place: Place = "bottom-right"
    margin: Annotated[Millimetres, shown("边距", "Margin", "number", unit="mm")] = 20


@options
class Spot:
    """One stamp put by hand: its centre as fractions of the visible page from its upper left corner."""

    pages: Pages = ""
    x: Annotated[float, Field(ge=0, le=1), shown("横向", "Across", "hidden")] = 0.75
    y: Annotated[float, Field(ge=0, le=1), shown("纵向", "Down", "hidden")] = 0.8
    scale: Annotated[float, Field(ge=0.05, le=20), shown("倍数", "Times as large", "hidden")] = 1
    angle: Annotated[float, Field(ge=-180, le=180), shown("旋转", "Turned further", "hidden")] = 0


@options
class Spots:
    how: Annotated[Literal["spots"], shown("拖动定位", "By hand", "hidden")] = "spots"
    spots: Annotated[tuple[Spot, ...], Field(max_length=200), shown("位置", "Spots", "hidden")] = (Spot(),)


@options
class Seam:
    edge: Annotated[
        Literal["right", "left", "top", "bottom"],
        shown(
            "哪一边",
            "Edge",
            "choice",
            choices={"right": ("右", "Right"), "left": ("左", "Left"), "top": ("上", "Top"),
                     "bottom": ("下", "Bottom")},
        ),
    ] = "right"  # fmt: skip
    pages: Annotated[
        str,
        Field(max_length=1000),
        shown(
            "骑缝页",
            "Pages",
            "pages",
            hint=("留空为全部；双面打印可填 odd 只盖正面", "Empty means all; odd for the front sides of sheets"),
        ),
    ] = ""
    most: Annotated[
        int,
        Field(ge=2, le=20_000),
        shown(
            "每枚印章最多跨",
            "Pages under one seal, at most",
            "number",
            hint=("页数更多时均匀分成几组，每组一枚", "More pages are put in even groups, each with its seal"),
        ),
    ] = 20
    along: Annotated[
        float,
        Field(ge=0, le=100),
        shown("沿边位置", "Along the edge", "slider", unit="%", hint=("50% 为正中", "50% is the middle")),
    ] = 50
    trim: Annotated[
        Millimetres,
        shown(
            "装订裁切留边",
            "Kept clear for trimming",
            "number",
            unit="mm",
            hint=("印章离页边的距离，裁切后正好到边", "How far the seal ends before the page's edge"),
            advanced=True,
        ),
    ] = 0
    uneven: Annotated[Toggle, shown("宽窄不一", "Slices of uneven width", "toggle", advanced=True)] = False
    seed: Annotated[
        int,
        Field(ge=1, le=9999),
        shown("样式编号", "Pattern number", "number", when={"uneven": [True]}, advanced=True),
    ] = 1


@options
class Options:
    stamp: Annotated[Seal | TextStamp | DateStamp, Field(discriminator="kind"), shown("印章", "Stamp", "tabs")]
    on: Annotated[
        Literal["pages", "seam", "both"],
        shown(
            "盖章方式",
            "Where",
            "choice",
            choices={
                "pages": ("页面上", "On pages"),
                "seam": ("骑缝", "Across the edges"),
                "both": ("两者都要", "Both"),
            },
        ),
    ] = "pages"
    layout: Annotated[
        Placed | Spots,
        Field(discriminator="how"),
        shown("定位方式", "Placed by", "tabs", when={"on": ["pages", "both"]}),
    ] = Placed()
    angle: Annotated[Angle, shown("旋转角度", "Angle", "slider", unit="°", when={"on": ["pages", "both"]})] = 0
    pages: Annotated[
        Pages,
        shown(
            "页码范围",
            "Pages",
            "pages",
            hint=("例如 1-3,5,last；留空为全部", "e.g. 1-3,5,last; empty means all"),
            when={"on": ["pages", "both"]},
        ),
    ] = ""
    seam: Annotated[Seam, shown("骑缝章", "Cross-page seal", "group", when={"on": ["seam", "both"]})] = Seam()
    opacity: Opacity = 100
    ink: Annotated[
        Toggle,
        shown(
            "像印泥一样透出文字",
            "Text shows through, as through ink",
            "toggle",
            advanced=True,
        ),
    ] = True


def stamp(work: Work[Options]) -> None:
    """Put the stamp on pages, across their edges, or both."""
    from cluster.engines.fonts.embed import Fonts
    from cluster.engines.forms.signed import signatures
    from cluster.engines.marks.stamping import Fan, Stamper
    from cluster.engines.pdf.open import save_pdf

    chosen, seam = work.options, work.options.seam
    with open_pdf(work, work.source, drawn=True) as pdf:
        count = len(pdf.pages)
        work.allow(count)
        fonts = Fonts(pdf)
        stamper = Stamper(pdf, _drawing(work, pdf, fonts), chosen.opacity / 100, chosen.ink)
        fan = Fan(seam.edge, seam.along / 100, seam.trim * MM, seam.uneven, seam.seed)
        stamped = stamper.stamp(_on_pages(chosen, count), _across(work, count), fan, work.progress)
        fonts.embed()
        if stamped:
            work.note("changed", "pages_stamped", count=stamped)
        if stamped and (signed := signatures(pdf)):
            work.note("lost", "signature_broken", count=signed)
        output = work.output(PDF)
        output.pages, output.text = count, (not isinstance(chosen.stamp, Seal) and stamped > 0) or None
        save_pdf(work, pdf, output.path)


def _on_pages(chosen: Options, count: int) -> "dict[int, list[At]]":
    """What stands on each page."""
    from cluster.engines.marks.stamping import Spot as At

    within = pages_in_order(chosen.pages, count)
    if chosen.on == "seam":
        return {}
    if isinstance(chosen.layout, Placed):
        at = At(chosen.layout.place, chosen.layout.margin * MM, angle=chosen.angle)
        return {page: [at] for page in within}
    found: dict[int, list[At]] = {}
    for spot in chosen.layout.spots:
        at = At(None, 0, (spot.x, spot.y), spot.scale, chosen.angle + spot.angle)
        for page in pages_in_order(spot.pages, count) if spot.pages.strip() else within:
            found.setdefault(page, []).append(at)
    return found


def _across(work: Work[Options], count: int) -> list[list[int]]:
    """Groups of pages that share a seal; a page alone has no edge to share."""
    from cluster.engines.marks.seam import groups

    if work.options.on == "pages":
        return []
    pages = pages_in_order(work.options.seam.pages, count)
    if len(pages) < 2:
        work.note("told", "seam_skipped")
        return []
    found = groups(pages, work.options.seam.most)
    work.note("changed", "seam_stamped", count=len(pages), detail=str(len(found)))
    return found


def _drawing(work: Work[Options], pdf: Any, fonts: "Fonts") -> "Callable[[float], Mark]":
    """Draws the stamp at a scale."""
    from cluster.engines.marks.stamp import words_stamp

    chosen = work.options.stamp
    if isinstance(chosen, Seal):
        return _seal(work, pdf, chosen)
    lines = _lines(work, chosen)
    return lambda scale: words_stamp(
        pdf, fonts, lines, size=chosen.size * scale, family=chosen.font, bold=chosen.bold, colour=chosen.colour,
        frame=chosen.frame,
    )  # fmt: skip


def _seal(work: Work[Options], pdf: Any, chosen: Seal) -> "Callable[[float], Mark]":
    """The picture, embedded once with the pixels that its largest copy needs."""
    from cluster.engines.marks.artwork import picture_object
    from cluster.engines.marks.overlay import picture_mark
    from cluster.engines.marks.seam import on_grid
    from cluster.engines.marks.stamp import seal_picture

    layout, points = work.options.layout, on_grid(chosen.width * MM)
    scales = [spot.scale for spot in layout.spots] if isinstance(layout, Spots) else []
    whole = seal_picture(_opened(work, chosen), points * max([1.0, *scales]), _DPI)
    image = picture_object(pdf, whole)
    ratio = on_grid(points * whole.height / whole.width) / points
    return lambda scale: picture_mark(pdf, image, points * scale, ratio)


def _opened(work: Work[Options], chosen: Seal) -> Any:
    """The seal's picture, upright, without its paper if it is asked for."""
    from cluster.engines.marks.artwork import open_picture, upright
    from cluster.engines.pictures.white import without_white

    name = chosen.file.rpartition("/")[2]
    picture = upright(open_picture(work.staged(chosen.file), name), name)
    if not chosen.clear:
        return picture
    picture.thumbnail((_CLEARED, _CLEARED))
    return without_white(picture)


def _lines(work: Work[Options], chosen: TextStamp | DateStamp) -> list[str]:
    from cluster.engines.marks.stamp import dated
    from cluster.engines.marks.text import filled

    today = datetime.datetime.now().astimezone().date()
    if isinstance(chosen, DateStamp):
        return [dated(_day(work, chosen.day) if chosen.day else today, chosen.format)]
    if chosen.preset == "own":
        lines = filled(chosen.text, {"date": today.isoformat(), "file": work.source.stem}).splitlines()
    else:
        lines = [PRESETS[chosen.preset][work.language != "zh"]]
    return [*lines, today.isoformat()] if chosen.dated else lines


def _day(work: Work[Options], text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError as error:
        said = ("没有这一天", "there is no such day")[work.language != "zh"]
        raise InputProblem("option_invalid", field="stamp.day", detail=said) from error


TOOL = Tool(
    id=41,
    key="stamp",
    route="/InsertStamp",
    group=Group.MARKS,
    options=Options,
    run=stamp,
    suffix=("盖章", "stamped"),
    icon="badge-check",
    editor="stamps",
    example={"stamp": {"kind": "text"}},
)
