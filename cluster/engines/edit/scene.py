"""What a page's content draws and where: text code by code, paths, pictures, shadings, forms; each by its byte span.

    scene = read_page(page, fonts)            # follow.py
    scene.edits[start, end] = b"..."          # instead of these bytes of scene.data
    write_page(pdf, page, scene)               # only what was edited is written anew; shared forms are copied

Everything lands in the page's own units (`matrix`). What could not be read is left as it stands.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from cluster.engines.edit.fonts import Code, TextFont
from cluster.engines.pdf.matrix import Matrix
from cluster.engines.pdf.nodes import get, is_dictionary
from cluster.engines.pdf.tokens import Operation

Span = tuple[int, int]
Segment = tuple[float, ...]
"""2 numbers: a line to there; 6: a curve with its control points."""
Subpath = tuple[tuple[float, float], list[Segment], bool]
"""Its first point, its segments, and whether it is closed."""
Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""


@dataclass(slots=True)
class Glyph:
    """A code where it is drawn: `matrix` takes ems from its origin to the page."""

    code: Code
    matrix: Matrix


@dataclass(slots=True)
class Piece:
    """New text: codes of the show's own font, or operators that show letters of another and come back; ems wide."""

    told: bytes
    width: float
    own: bool


Shown = Glyph | Piece | float
"""A number adjusts, as in TJ."""


@dataclass(slots=True, eq=False)
class Ink:
    """A pattern as the operator at `span` of a scene chose it, after the colours `told`; `name`: of a changed one.

    The forms that the scene draws may be painted with it too.
    """

    span: Span
    told: bytes
    operator: bytes
    pattern: Any
    scene: "Scene"
    name: str = ""


@dataclass(slots=True)
class Show:
    """One operator that shows text: its parts in their order, and the text state it had.

    `start`, `stop`: ems to the page where it begins and ends. `lead`: what ' and \" do before they show. `spoken`: the
    marked spans around it, by number. `moved`: it begins at a place of its own, not where the text before it ended.
    `clip`: the box around what can be seen of it. `hidden`: nothing of it is, as of the words below a scan.
    `inks`: the patterns that were chosen when it was shown.
    """

    span: Span
    parts: list[Shown]
    font: TextFont
    name: bytes
    size: float
    spacing: float
    words: float
    lead: bytes
    spoken: tuple[int, ...]
    moved: bool
    start: Matrix
    stop: Matrix
    clip: Box
    hidden: bool = False
    inks: tuple[Ink, ...] = ()

    @property
    def glyphs(self) -> list[Glyph]:
        return [each for each in self.parts if isinstance(each, Glyph)]


@dataclass(slots=True)
class Path:
    """A path in the units of `matrix` that is painted, or (`operator` n) only clips.

    `dash`: the lengths of its dashes and gaps, and last how far along them it begins; empty where the line is whole.
    `inks`: the patterns it is painted with.
    """

    span: Span
    subpaths: list[Subpath]
    matrix: Matrix
    operator: bytes
    width: float
    clips: bytes
    spoken: tuple[int, ...]
    dash: tuple[float, ...] = ()
    inks: tuple[Ink, ...] = ()


@dataclass(slots=True)
class Drawn:
    """A picture (`inline`: its BI operation) or shading (`image` None) with its matrix."""

    span: Span
    image: Any
    matrix: Matrix
    inline: Operation | None = None
    spoken: tuple[int, ...] = ()


@dataclass(slots=True)
class Spoken:
    """A marked span: the operation that begins it, and the properties it names or holds."""

    begin: Operation
    properties: Any
    inline: bool


@dataclass
class Scene:
    """One content stream: a page's, or a form's as it is drawn at one place."""

    data: bytes
    resources: Any
    matrix: Matrix
    shows: list[Show] = field(default_factory=list)
    paths: list[Path] = field(default_factory=list)
    pictures: list[Drawn] = field(default_factory=list)
    forms: list[tuple[Span, Any, "Scene"]] = field(default_factory=list)
    #: Soft masks: (span of their gs, graphics state, what their group draws).
    masks: list[tuple[Span, Any, "Scene"]] = field(default_factory=list)
    marks: list[Spoken] = field(default_factory=list)
    edits: dict[Span, bytes] = field(default_factory=dict)
    #: New things for the resources: (category, name) -> object.
    added: dict[tuple[str, str], Any] = field(default_factory=dict)
    unread: int = 0

    def every(self) -> Iterator["Scene"]:
        """This one and the forms in it."""
        yield self
        for _, _, inner in self.forms:
            yield from inner.every()

    def whole(self) -> Iterator["Scene"]:
        """This one, the forms in it, and the soft masks."""
        yield self
        for _, _, inner in (*self.forms, *self.masks):
            yield from inner.whole()

    def name(self, category: str, value: Any, hint: str) -> str:
        """A new name in the resources for a value."""
        held = get(self.resources, category)
        taken = set(held.keys()) if is_dictionary(held) else set()
        taken |= {name for kind, name in self.added if kind == category}
        name = next(each for each in (f"/{hint}{at}" for at in range(1 << 20)) if each not in taken)
        self.added[category, name] = value
        return name
