"""Page numbers: in any notation, at one of nine places, section by section, on through a batch of files."""

import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from cluster.fields import Bold, Colour, Font, Pages, Place, Size, Toggle, shown
from cluster.kinds import PDF
from cluster.opening import open_pdf
from cluster.pages import format_pages, pages_in_order
from cluster.paper import MM
from cluster.problem import InputProblem
from cluster.tool import Group, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.marks.numbers import Counting, Number, Style
    from cluster.engines.marks.overlay import Mark
    from cluster.engines.marks.place import View

_FORMATS = {
    "n": "{n}",
    "of": "{n}/{total}",
    "zh": "第 {n} 页 共 {total} 页",
    "chinese": "{n}",
    "roman": "{n}",
    "ROMAN": "{n}",
    "en": "Page {n} of {total}",
    "dashes": "- {n} -",
}
_STYLES: "dict[str, Style]" = {"chinese": "zh", "roman": "i", "ROMAN": "I"}
_NAMED_PAGES = 200

MarginMm = Annotated[float, Field(ge=0, le=500)]


@options
class Options:
    format: Annotated[
        Literal["n", "of", "zh", "chinese", "roman", "ROMAN", "en", "dashes", "own"],
        shown(
            "格式",
            "Format",
            "select",
            choices={
                "n": ("1", "1"),
                "of": ("1/10", "1/10"),
                "zh": ("第 1 页 共 10 页", "1 of 10, in Chinese"),
                "chinese": ("一、二、三", "Chinese numerals"),
                "roman": ("i、ii、iii", "i, ii, iii"),
                "ROMAN": ("I、II、III", "I, II, III"),
                "en": ("Page 1 of 10", "Page 1 of 10"),
                "dashes": ("- 1 -", "- 1 -"),
                "own": ("自定义", "Your own"),
            },
        ),
    ] = "n"
    pattern: Annotated[
        str,
        Field(max_length=200, pattern=r"\S"),
        shown(
            "自定义格式",
            "Pattern",
            "text",
            hint=(
                "{n} 页码、{total} 总数、{n:zh} 一二三、{n:roman} i ii iii、{n:000} 补零、{file} 文件名、{date} 日期",
                "{n}, {total}, {n:zh} in Chinese, {n:roman}, {n:000} with zeros, {file}, {date}",
            ),
            when={"format": ["own"]},
        ),
    ] = "{n} / {total}"
    place: Place = "bottom"
    margin_x: Annotated[MarginMm, shown("左右边距", "Margin at the side", "number", unit="mm")] = 15
    margin_y: Annotated[MarginMm, shown("上下边距", "Margin above or below", "number", unit="mm")] = 10
    font: Font = "sans"
    size: Size = 11
    bold: Bold = False
    colour: Colour = "#333333"
    start: Annotated[int, Field(ge=0, le=9_999_999), shown("起始页码", "First number", "number")] = 1
    pages: Pages = ""
    skip_cover: Annotated[Toggle, shown("封面不加页码", "No number on the cover", "toggle")] = False
    count_all: Annotated[
        Toggle,
        shown(
            "未加页码的页也计数",
            "Count pages without a number",
            "toggle",
            hint=("例如封面算第 1 页，下一页显示 2", "The cover counts as 1, the next page shows 2"),
        ),
    ] = False
    facing: Annotated[
        Toggle,
        shown(
            "双面打印，左右对称",
            "Facing pages",
            "toggle",
            hint=("偶数页的左右位置互换", "Left and right change places on even pages"),
        ),
    ] = False
    digits: Annotated[
        int, Field(ge=1, le=12), shown("最少位数（补零）", "Digits, filled with zeros", "number", advanced=True)
    ] = 1
    prefix: Annotated[str, Field(max_length=60), shown("前缀", "Before the number", "text", advanced=True)] = ""
    suffix: Annotated[str, Field(max_length=60), shown("后缀", "After the number", "text", advanced=True)] = ""
    sections: Annotated[
        str,
        Field(max_length=1000),
        shown(
            "分节编号",
            "Sections",
            "text",
            hint=(
                "起始页=起始页码，写法决定样式，例如 1=i, 5=1",
                "page=first number, written as it shall look, e.g. 1=i, 5=1",
            ),
            advanced=True,
        ),
    ] = ""
    across: Annotated[
        Toggle,
        shown(
            "多个文件连续编号",
            "Count on through all files",
            "toggle",
            hint=("按文件顺序接着编号，适合卷宗和证据材料", "In the order of the files, as Bates numbers do"),
            advanced=True,
        ),
    ] = False
    counts: Annotated[
        tuple[Annotated[int, Field(ge=0, le=200_000)] | None, ...],
        Field(max_length=1000),
        shown("各文件的编号页数", "Numbered pages of each file", "hidden"),
    ] = ()
    labels: Annotated[
        Toggle,
        shown(
            "同时作为阅读器里的页码",
            "Also as the page labels in readers",
            "toggle",
            hint=("缩略图和跳转栏显示同样的页码", "Thumbnails and the page box show the same numbers"),
            advanced=True,
        ),
    ] = False


def page_number(work: Work[Options]) -> None:
    """Write each chosen page's number; the document is otherwise as it was."""
    from cluster.engines.forms.signed import signatures
    from cluster.engines.marks.labels import set_labels
    from cluster.engines.pdf.open import save_pdf

    with open_pdf(work, work.source, drawn=True) as pdf:
        count = len(pdf.pages)
        work.allow(count)
        numbers = _numbers(work, count)
        boxes = _Writing(work, pdf, numbers).write()
        if work.options.labels:
            set_labels(pdf, numbers, work.options.prefix, work.options.suffix)
        if signed := signatures(pdf):
            work.note("lost", "signature_broken", count=signed)
        output = work.output(PDF)
        output.pages, output.text = count, True
        save_pdf(work, pdf, output.path)
    work.note("changed", "pages_numbered", count=len(numbers))
    _tell_of_text(work, boxes)


def _numbers(work: Work[Options], count: int) -> "dict[int, Number]":
    """The number of each page that gets one."""
    chosen = work.options
    pages = pages_in_order(chosen.pages, count)
    if chosen.skip_cover:
        pages = [page for page in pages if page != 1]
    if not pages:
        raise InputProblem("nothing_to_do", file=work.source.name)
    return _counting(work, len(pages) if not chosen.count_all else count).of(pages, count)


def _counting(work: Work[Options], mine: int) -> "Counting":
    from cluster.engines.marks.numbers import Counting, sections_of

    chosen = work.options
    sections = sections_of(chosen.sections)
    if sections is None:
        said = ("请写成“页=页码”，例如 1=i, 5=1", "write page=number, such as 1=i, 5=1")
        raise InputProblem("option_invalid", field="sections", detail=said[work.language != "zh"])
    first = chosen.start + (_before(work, mine) if chosen.across else 0)
    style = _STYLES.get(chosen.format, "1")
    return Counting(first, style, chosen.digits, chosen.count_all, sections)


def _before(work: Work[Options], mine: int) -> int:
    """Numbers that the files before this one take; what was told of this one must be so, where it was told."""
    counts, index = work.options.counts, work.source.index
    known = [each for each in counts[:index] if each is not None]
    own = counts[index] if index < len(counts) else None
    if len(known) != index or own not in (None, mine):
        said = (
            "连续编号需要知道前面每个文件的页数；读不出页数的文件（可能已损坏）请移到最后，或重新打开页面再试",
            "to count on, the pages of each file before must be known; put a file that cannot be read (it may be "
            "damaged) last, or open the page anew",
        )
        raise InputProblem("option_invalid", field="counts", detail=said[work.language != "zh"])
    return sum(known)


class _Writing:
    """The numbers of one document, each distinct text drawn once."""

    def __init__(self, work: Work[Options], pdf: Any, numbers: "dict[int, Number]") -> None:
        from cluster.engines.fonts.embed import Fonts

        self.work, self.options, self.pdf, self.numbers = work, work.options, pdf, numbers
        self.fonts = Fonts(pdf)
        self.known = {
            "date": datetime.datetime.now().astimezone().date().isoformat(),
            "file": work.source.stem,
            "pages": str(len(pdf.pages)),
        }
        self.marks: dict[str, Mark] = {}

    def write(self) -> "dict[int, tuple[View, tuple[float, float, float, float]]]":
        """Put the numbers on their pages; where, by page: the view and the box in visible points."""
        from cluster.engines.marks.overlay import Layer, Overlay
        from cluster.engines.marks.place import view_of

        overlay, pages, boxes = Overlay(self.pdf, "PageNum"), list(self.pdf.pages), {}
        for done, page in enumerate(self.numbers):
            view, mark = view_of(pages[page - 1]), self._mark(page)
            centre = self._centre(page, view, mark)
            overlay.add(pages[page - 1], Layer(mark, [centre]).form(self.pdf, view), view)
            reach = mark.width / 2, mark.height / 2
            boxes[page] = view, (centre[0] - reach[0], centre[1] - reach[1], centre[0] + reach[0], centre[1] + reach[1])
            if done % 100 == 0:
                self.work.progress(done, len(self.numbers))
        self.fonts.embed()
        return boxes

    def _mark(self, page: int) -> "Mark":
        from cluster.engines.marks.numbers import told
        from cluster.engines.marks.overlay import text_mark

        chosen = self.options
        pattern = chosen.prefix + _FORMATS.get(chosen.format, chosen.pattern) + chosen.suffix
        text = told(pattern, self.numbers[page], {**self.known, "page": str(page)})
        if text not in self.marks:
            look: dict[str, Any] = {"size": chosen.size, "family": chosen.font, "bold": chosen.bold}
            self.marks[text] = text_mark(self.pdf, self.fonts, [text], colour=chosen.colour, **look)
        return self.marks[text]

    def _centre(self, page: int, view: "View", mark: "Mark") -> tuple[float, float]:
        from cluster.engines.marks.numbers import mirrored
        from cluster.engines.marks.place import placed

        chosen = self.options
        place = mirrored(chosen.place) if chosen.facing and page % 2 == 0 else chosen.place
        return placed(view, place, (chosen.margin_x * MM, chosen.margin_y * MM), (mark.width, mark.height))


def _tell_of_text(work: Work[Options], boxes: "dict[int, tuple[View, tuple[float, float, float, float]]]") -> None:
    """Whether a number stands upon other words."""
    from cluster.engines.draw.words import pages_with_words

    corners = {page: view.in_page(box) for page, (view, box) in boxes.items()}
    there = pages_with_words(work.source, corners)
    if there:
        work.note("told", "text_at_place", count=len(there), detail=format_pages(there[:_NAMED_PAGES]))


TOOL = Tool(
    id=20,
    key="page_number",
    route="/PageNumber",
    group=Group.MARKS,
    options=Options,
    run=page_number,
    suffix=("页码", "numbered"),
    icon="list-ordered",
    editor="numbers",
)
