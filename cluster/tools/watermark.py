"""A text or picture over (or under) the pages: tiled, at one of nine places, or where it was dragged."""

import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from cluster.fields import Angle, Bold, Colour, Font, Gap, Margin, MarkPicture, Opacity, Pages, Place, Size, shown
from cluster.kinds import PDF
from cluster.opening import open_pdf
from cluster.pages import pages_in_order
from cluster.tool import Group, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.marks.overlay import Mark
    from cluster.engines.marks.place import View


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
                "可换行；可用 {date} 日期、{file} 文件名、{page} 页码、{pages} 总页数",
                "Several lines are fine; {date}, {file}, {page} and {pages} are filled in",
            ),
            placeholder={"zh": "内部资料", "en": "CONFIDENTIAL"},
        ),
    ]
    font: Font = "sans"
    size: Size = 36
    bold: Bold = False
    colour: Colour = "#808080"


@options
class ImageMark:
    kind: Annotated[Literal["image"], shown("图片", "Picture", "hidden")] = "image"
    file: MarkPicture
    width: Annotated[float, Field(ge=1, le=100), shown("宽度（占页宽）", "Width (of the page)", "slider", unit="%")] = (
        30
    )


@options
class Tiled:
    how: Annotated[Literal["tiled"], shown("平铺", "Tiled", "hidden")] = "tiled"
    gap_x: Annotated[Gap, shown("横向间距", "Gap across", "number", unit="pt")] = 100
    gap_y: Annotated[Gap, shown("纵向间距", "Gap along", "number", unit="pt")] = 100


@options
class Placed:
    how: Annotated[Literal["place"], shown("九宫格", "At a place", "hidden")] = "place"
    place: Place = "centre"
    margin: Margin = 28


@options
class Dragged:
    """The mark's centre as fractions of the visible page, from its upper left corner."""

    how: Annotated[Literal["point"], shown("拖动定位", "Dragged", "hidden")] = "point"
    x: Annotated[float, Field(ge=0, le=1), shown("横向", "Across", "hidden")] = 0.5
    y: Annotated[float, Field(ge=0, le=1), shown("纵向", "Down", "hidden")] = 0.5


@options
class Options:
    mark: Annotated[TextMark | ImageMark, Field(discriminator="kind"), shown("水印内容", "Watermark", "tabs")]
    layout: Annotated[Tiled | Placed | Dragged, Field(discriminator="how"), shown("排列", "Layout", "tabs")] = Tiled()
    angle: Angle = 45
    opacity: Opacity = 30
    layer: Annotated[
        Literal["above", "below"],
        shown(
            "图层",
            "Layer",
            "choice",
            choices={"above": ("在内容上方", "Above the content"), "below": ("在内容下方", "Below the content")},
            hint=("扫描件请选上方，否则会被图片盖住", "For scans choose above, or the scan hides it"),
        ),
    ] = "above"
    pages: Pages = ""


def watermark(work: Work[Options]) -> None:
    """Draw the mark on the chosen pages; equal marks on equal pages are one object."""
    from cluster.engines.marks.overlay import Overlay
    from cluster.engines.marks.place import view_of
    from cluster.engines.pdf.open import save_pdf

    with open_pdf(work, work.source, drawn=True) as pdf:
        count = len(pdf.pages)
        work.allow(count)
        chosen = pages_in_order(work.options.pages, count)
        drawing = _Drawing(work, pdf, count)
        overlay, pages = Overlay(pdf), list(pdf.pages)
        for done, number in enumerate(chosen):
            page = pages[number - 1]
            view = view_of(page)
            overlay.add(page, drawing.layer(number, view), view, below=work.options.layer == "below")
            if done % 100 == 0:
                work.progress(done, len(chosen))
        drawing.fonts.embed()
        work.note("changed", "pages_marked", count=len(chosen))
        _tell(work, pdf)
        output = work.output(PDF)
        output.pages = count
        output.text = isinstance(work.options.mark, TextMark) or None
        save_pdf(work, pdf, output.path)


class _Drawing:
    """The marks and layers of one document, each made once."""

    def __init__(self, work: Work[Options], pdf: Any, count: int) -> None:
        from cluster.engines.fonts.embed import Fonts

        self.options, self.work, self.pdf = work.options, work, pdf
        self.fonts = Fonts(pdf)
        self.known = {"date": datetime.datetime.now().astimezone().date().isoformat(), "file": work.source.stem,
                      "pages": str(count)}  # fmt: skip
        self.marks: dict[Any, Mark] = {}
        self.layers: dict[Any, Any] = {}
        self.image: tuple[Any, float] | None = None

    def layer(self, number: int, view: "View") -> Any:
        """The form for page `number`."""
        mark, key = self._mark(number, view)
        key = (key, round(view.width, 3), round(view.height, 3))
        if key not in self.layers:
            self.layers[key] = self._layer(mark, view)
        return self.layers[key]

    def _layer(self, mark: "Mark", view: "View") -> Any:
        from cluster.engines.marks.overlay import Layer

        chosen = self.options
        return Layer(mark, _centres(chosen, mark, view), chosen.angle, chosen.opacity / 100).form(self.pdf, view)

    def _mark(self, number: int, view: "View") -> tuple["Mark", Any]:
        from cluster.engines.marks.text import filled

        chosen = self.options.mark
        if isinstance(chosen, ImageMark):
            return self._picture(chosen, view), "image"
        text = filled(chosen.text, {**self.known, "page": str(number)})
        if text not in self.marks:
            self.marks[text] = self._text(chosen, text)
        return self.marks[text], text

    def _text(self, chosen: TextMark, text: str) -> "Mark":
        from cluster.engines.marks.overlay import text_mark

        return text_mark(
            self.pdf, self.fonts, text.splitlines(), size=chosen.size, family=chosen.font, bold=chosen.bold,
            colour=chosen.colour,
        )  # fmt: skip

    def _picture(self, chosen: ImageMark, view: "View") -> "Mark":
        from cluster.engines.marks.artwork import image_object
        from cluster.engines.marks.overlay import picture_mark

        path = self.work.staged(chosen.file)
        self.image = self.image or image_object(self.pdf, path, chosen.file.rpartition("/")[2])
        width = round(view.width * chosen.width / 100, 3)
        if width not in self.marks:
            self.marks[width] = picture_mark(self.pdf, self.image[0], width, self.image[1])
        return self.marks[width]


def _centres(chosen: Options, mark: "Mark", view: "View") -> list[tuple[float, float]]:
    from cluster.engines.marks.place import cover, placed, pointed, tiled

    layout = chosen.layout
    if isinstance(layout, Tiled):
        return tiled(view, mark.width, mark.height, (layout.gap_x, layout.gap_y), chosen.angle)
    if isinstance(layout, Placed):
        return [
            placed(view, layout.place, (layout.margin, layout.margin), cover(mark.width, mark.height, chosen.angle))
        ]
    return [pointed(view, layout.x, layout.y)]


def _tell(work: Work[Options], pdf: Any) -> None:
    from cluster.engines.forms.signed import signatures

    if count := signatures(pdf):
        work.note("lost", "signature_broken", count=count)


TOOL = Tool(
    id=18,
    key="watermark",
    route="/watermark",
    group=Group.MARKS,
    options=Options,
    run=watermark,
    suffix=("水印", "watermarked"),
    icon="stamp",
    editor="canvas",
    example={"mark": {"kind": "text", "text": "机密"}},
)
