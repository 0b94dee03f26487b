"""Edit: things added to pages, lines of text changed, contents removed for good, forms filled, words replaced.

What is edited is a list of acts. All of them speak of the document as it came: places are where the page editor saw
things, whatever other acts do, and the order of the list is only the order in which added things lie over each other.
The engine takes changed lines first, then replaced words, filled fields, what is removed, and what is added.

Coordinates: points as seen (CropBox, /Rotate and UserUnit applied), origin at the upper left corner of the visible
page, x to the right, y down. A box is [x, y, width, height] before it is turned; angles are degrees, counter-clockwise
as seen, around the middle of the box. Pages count from 1, `source` (which of the task's files) from 0.

Decisions:
- Added things are annotations, which readers move and delete, unless `burn` makes them content. Marked text and notes
  are always annotations.
- What is removed goes before anything is added: words written over a whitened place stay.
- A line that cannot be changed safely refuses the task and says why (text_not_found, text_pictured, text_drawn,
  text_unknown, text_too_long); a hit that cannot be replaced stays as it is and is told on the receipt.
"""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from cluster.fields import Colour, Font, Opacity, Size, Toggle, Upload, shown
from cluster.kinds import PDF
from cluster.opening import open_pdf
from cluster.pages import format_pages
from cluster.problem import InputProblem
from cluster.telling import tell_broken, tell_counts
from cluster.tool import Bounds, Group, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.edit.document import Done

#: What could not be done as it was asked.
_LEFT = {"hits_left", "glyphs_left"}
#: Of one task. Points are those of all its strokes; a body holds fewer than these anyway.
MOST_ACTS, MOST_BOXES, MOST_POINTS = 2000, 2000, 20_000

Coordinate = Annotated[float, Field(ge=-200_000, le=200_000, allow_inf_nan=False)]
Length = Annotated[float, Field(gt=0, le=200_000, allow_inf_nan=False)]
Point = tuple[Coordinate, Coordinate]
"""x, y."""
Box = tuple[Coordinate, Coordinate, Length, Length]
"""x, y of the upper left corner, width, height."""
Page = Annotated[int, Field(ge=1, le=200_000)]
File = Annotated[int, Field(ge=0, le=49)]
Turn = Annotated[float, Field(ge=-360, le=360, allow_inf_nan=False)]
Stroke = Annotated[float, Field(ge=0.1, le=200, allow_inf_nan=False)]
"""The width of a pen, in points."""
Look = Literal["black", "white", "none"]
"""What is seen where something was removed: a black or a white box, or nothing but what lay below."""


@options
class Text:
    """A box of text: its lines wrap at the box's width; what is too long runs on below it.

    Baselines: cluster.engines.edit.drawings says where.
    """

    kind: Literal["text"] = "text"
    source: File = 0
    page: Page
    box: Box
    angle: Turn = 0
    text: Annotated[str, Field(max_length=20_000, pattern=r"\S")]
    font: Font = "sans"
    size: Size = 12
    bold: Toggle = False
    italic: Toggle = False
    colour: Colour = "#000000"
    align: Literal["left", "center", "right"] = "left"
    line: Annotated[float, Field(ge=0.8, le=4)] = 1.2
    """From line to line, in sizes."""
    opacity: Opacity = 100
    burn: Toggle = False


@options
class Picture:
    """A picture that fills its box."""

    kind: Literal["picture"] = "picture"
    source: File = 0
    page: Page
    box: Box
    angle: Turn = 0
    file: Annotated[Upload, Field(min_length=1)]
    opacity: Opacity = 100
    burn: Toggle = False


@options
class Shape:
    """A line or an arrow (its head at `end`) between two points, or a rectangle or an ellipse between two corners."""

    kind: Literal["shape"] = "shape"
    source: File = 0
    page: Page
    shape: Literal["line", "arrow", "rectangle", "ellipse"]
    begin: Point
    end: Point
    colour: Colour = "#d92d20"
    width: Stroke = 1.5
    fill: Colour | None = None
    opacity: Opacity = 100
    burn: Toggle = False


@options
class Ink:
    """Strokes of a pen, each a row of points; a stroke of one point is a dot."""

    kind: Literal["ink"] = "ink"
    source: File = 0
    page: Page
    paths: Annotated[
        tuple[Annotated[tuple[Point, ...], Field(min_length=1, max_length=MOST_POINTS)], ...],
        Field(min_length=1, max_length=MOST_BOXES),
    ]
    colour: Colour = "#1d4ed8"
    width: Stroke = 1.5
    opacity: Opacity = 100
    burn: Toggle = False


@options
class Mark:
    """Marked text: a box for each line of the selection; `angle` turns each of them, as its line is turned."""

    kind: Literal["mark"] = "mark"
    source: File = 0
    page: Page
    style: Literal["highlight", "underline", "strike"] = "highlight"
    boxes: Annotated[tuple[Box, ...], Field(min_length=1, max_length=MOST_BOXES)]
    angle: Turn = 0
    text: Annotated[str, Field(max_length=20_000)] = ""
    """The words, if they are known; else those that lie there are told."""
    colour: Colour = "#ffd60a"
    opacity: Opacity = 100


@options
class Note:
    """A note that opens where its sign stands: `at` is the sign's upper left corner."""

    kind: Literal["note"] = "note"
    source: File = 0
    page: Page
    at: Point
    text: Annotated[str, Field(max_length=20_000, pattern=r"\S")]
    colour: Colour = "#ffd60a"


@options
class Change:
    """A line of the page's own text, or a part of one, changed in place: `was` is what stands in `box` now.

    White space in `was` counts for nothing. `text` empty removes it. `reflow` moves what follows on the line.
    """

    kind: Literal["change"] = "change"
    source: File = 0
    page: Page
    box: Box
    angle: Turn = 0
    was: Annotated[str, Field(max_length=2000, pattern=r"\S")]
    text: Annotated[str, Field(max_length=2000)]
    reflow: Toggle = False


@options
class Redact:
    """Places whose contents are removed: text, drawings, pixels of pictures, comments, values of fields."""

    kind: Literal["redact"] = "redact"
    source: File = 0
    page: Page
    boxes: Annotated[tuple[Box, ...], Field(min_length=1, max_length=MOST_BOXES)]
    look: Look = "black"
    label: Annotated[str, Field(max_length=100)] = ""
    """Words in each box, as large as fits."""


@options
class Hit:
    """Where something searched for stands, as the page editor found it; one box for each line that it lies on."""

    page: Page
    boxes: Annotated[tuple[Box, ...], Field(min_length=1, max_length=100)]


Hits = Annotated[tuple[Hit, ...], Field(max_length=MOST_BOXES, fail_fast=True)]


@options
class Replace:
    """Words found through the whole document and replaced; with `hits` only those that lie there."""

    kind: Literal["replace"] = "replace"
    source: File | None = None
    """None: in every file."""
    find: Annotated[str, Field(max_length=500, pattern=r"\S")]
    text: Annotated[str, Field(max_length=500)]
    """What stands there instead; empty removes it."""
    case: Toggle = False
    word: Toggle = False
    hits: Hits | None = None
    reflow: Toggle = True


Preset = Literal["id_card", "phone", "bank_card", "email"]
"""Chinese identity card numbers and mobile numbers, bank card numbers (both by their check digits too), addresses."""


@options
class Hide:
    """Words and numbers removed through the whole document; with `hits` only those that lie there.

    Without hits everything found is removed, also what the page editor never drew.
    """

    kind: Literal["hide"] = "hide"
    source: File | None = None
    """None: in every file."""
    terms: Annotated[tuple[Annotated[str, Field(max_length=500, pattern=r"\S")], ...], Field(max_length=200)] = ()
    presets: Annotated[tuple[Preset, ...], Field(max_length=4)] = ()
    case: Toggle = False
    word: Toggle = False
    hits: Hits | None = None
    look: Look = "black"
    label: Annotated[str, Field(max_length=100)] = ""


@options
class Fill:
    """A field's value: text, on or off, the name of the chosen button, or the chosen items of a list."""

    kind: Literal["fill"] = "fill"
    source: File = 0
    field: Annotated[str, Field(min_length=1, max_length=2000)]
    """Its full name."""
    value: bool | Annotated[str, Field(max_length=20_000)] | Annotated[tuple[str, ...], Field(max_length=500)]


Act = Annotated[
    Text | Picture | Shape | Ink | Mark | Note | Change | Redact | Replace | Hide | Fill, Field(discriminator="kind")
]


@options
class Options:
    acts: Annotated[
        tuple[Act, ...], Field(max_length=MOST_ACTS, fail_fast=True), shown("修改", "Changes", "hidden")
    ] = ()
    clean_copies: Annotated[
        Toggle,
        shown(
            "同时清除别处的副本",
            "Remove copies elsewhere too",
            "toggle",
            hint=(
                "被涂去的文字若也在书签、标题等文档信息里，一并去除",
                "Removed words also go from bookmarks, the title and other document information",
            ),
        ),
    ] = True
    flatten: Annotated[
        Toggle,
        shown(
            "表单固定为内容",
            "Make the form part of the page",
            "toggle",
            hint=("表单域不能再填写", "Its fields cannot be filled in any more"),
        ),
    ] = False


def edit(work: Work[Options]) -> None:
    """One output: the document with every act done, written anew, so that nothing removed stays in it."""
    from cluster.engines.edit.document import edit_document
    from cluster.engines.forms.signed import signatures
    from cluster.engines.pdf.counts import count
    from cluster.engines.pdf.open import save_pdf

    chosen = work.options
    acts = [act for act in chosen.acts if act.source in (None, work.source.index)]
    with work.about(work.source), open_pdf(work, work.source, drawn=True) as pdf:
        work.allow(len(pdf.pages))
        had, signed = count(pdf), signatures(pdf)
        if not acts and not chosen.flatten:
            raise InputProblem("nothing_to_do", file=work.source.name)
        done = edit_document(work, pdf, acts, work.staged, clean=chosen.clean_copies, flat=chosen.flatten)
        after, output = count(pdf), work.output(PDF)
        output.pages = len(pdf.pages)
        save_pdf(work, pdf, output.path)
    _tell(work, done)
    tell_broken(work, signed, done.xfa)
    tell_counts(work, had, after)


def _tell(work: Work[Options], done: "Done") -> None:
    """A line for each kind of act that came to something."""
    removed, forgotten = done.removed, done.removed.forgotten
    told = {
        "lines_changed": (done.changed, ""),
        "words_replaced": (done.replaced, ""),
        "hits_left": (len(done.left), format_pages(sorted(set(done.left)))),
        "letters_borrowed": (len(done.borrowed), " ".join(done.borrowed[:60])),
        "fields_filled": (done.filled, ""),
        "places_removed": (removed.places, format_pages(done.places)),
        "annotations_removed": (removed.annotations - removed.fields, ""),
        "fields_removed": (removed.fields, ""),
        "fonts_cut": (forgotten.cut, ""),
        "glyphs_left": (len(forgotten.left), ", ".join(forgotten.left[:20])),
        "copies_cleaned": (done.cleaned, ""),
        "annotations_added": (done.annotations, ""),
        "things_burned": (done.burned, ""),
        "fields_flattened": (done.flattened, ""),
    }
    for what, (count, detail) in told.items():
        if count:
            facts = {"detail": detail} if detail else {}
            work.note("lost" if what in _LEFT else "changed", what, count=count, **facts)


TOOL = Tool(
    id=21,
    key="edit",
    route="/PdfEdit",
    group=Group.MARKS,
    options=Options,
    run=edit,
    suffix=("编辑", "edited"),
    icon="file-pen",
    editor="edit",
    example={"acts": [{"kind": "text", "page": 1, "box": [36, 36, 200, 24], "text": "已核对 checked"}]},
    bounds=Bounds(base=60, per_page=1.5, cap=300),
)
