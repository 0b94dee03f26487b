"""Put drawn things on pages without touching what is there.

    mark = text_mark(pdf, fonts, ["机密"], size=48, family="sans", bold=True, colour="#cc0000")
    layer = Layer(mark, [(x, y)], angle=45, opacity=0.3)
    Overlay(pdf).add(page, layer.form(pdf, view), view)       # marks.view_of(page)

Equal layers are one form XObject however many pages show them. The page's own content is set
between q and Q, counted right even where the page forgot some; /Resources that pages share
are copied, not changed.
"""

import re
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from cluster.engines.fonts.embed import ASCENT, LEADING, Family, Fonts
from cluster.engines.marks.place import Matrix, View, standing
from cluster.engines.pdf.nodes import inherited
from cluster.engines.pdf.streams import decoded

#: Points: 0.07 mm, less than ink runs.
_HAIR = 0.2


def operands(*numbers: float) -> bytes:
    """Numbers as PDF writes them."""
    return b" ".join(b"%d" % n if n == int(n) else (b"%.5f" % n).rstrip(b"0").rstrip(b".") for n in numbers)


@dataclass(frozen=True)
class Mark:
    """A drawn thing: a form XObject and its size in visible points, lower left corner at 0,0."""

    form: Any
    width: float
    height: float


@dataclass(frozen=True)
class Layer:
    """One mark on a page: at every centre (visible points), turned, more or less transparent.

    `ink`: what lies below shows through, as through a stamp's.
    """

    mark: Mark
    centres: Sequence[tuple[float, float]]
    angle: float = 0
    opacity: float = 1
    ink: bool = False

    def form(self, pdf: pikepdf.Pdf, view: View) -> Any:
        """The layer as a form XObject the size of the visible page."""
        size = self.mark.width, self.mark.height
        placed = [b"q %s cm /M Do Q" % operands(*standing(centre, *size, self.angle)) for centre in self.centres]
        content, resources = b"\n".join(placed), Dictionary(XObject=Dictionary(M=self.mark.form))
        return self.looking(pdf, content, (0, 0, view.width, view.height), resources)

    def part(self, pdf: pikepdf.Pdf, box: tuple[float, float, float, float], corner: tuple[float, float]) -> Any:
        """What `box` shows of the upright mark whose lower left corner is at `corner`, as a form XObject."""
        # A hair smaller than its place: readers that round pictures outwards would draw a pixel more of some slices.
        hair = _HAIR / max(self.mark.width, self.mark.height, 1)
        at = corner[0] + _HAIR / 2, corner[1] + _HAIR / 2
        content = b"q %s cm /M Do Q" % operands(1 - hair, 0, 0, 1 - hair, *at)
        return self.looking(pdf, content, box, Dictionary(XObject=Dictionary(M=self.mark.form)))

    def looking(self, pdf: pikepdf.Pdf, content: bytes, box: tuple[float, float, float, float], resources: Any) -> Any:
        """Content as a form with this layer's transparency."""
        if self.opacity < 1 or self.ink:
            blend = Name.Multiply if self.ink else Name.Normal
            look = Dictionary(Type=Name.ExtGState, ca=self.opacity, CA=self.opacity, BM=blend)
            content, resources.ExtGState = b"/G gs\n" + content, Dictionary(G=look)
        return form_of(pdf, content, box, resources)


def together(pdf: pikepdf.Pdf, forms: Sequence[Any], view: View) -> Any:
    """Several forms in visible points as one."""
    if len(forms) == 1:
        return forms[0]
    named = {f"/F{at}": form for at, form in enumerate(forms)}
    content = b"\n".join(b"%s Do" % name.encode() for name in named)
    return form_of(pdf, content, (0, 0, view.width, view.height), Dictionary(XObject=Dictionary(named)))


def text_mark(
    pdf: pikepdf.Pdf,
    fonts: Fonts,
    lines: Sequence[str],
    *,
    size: float,
    family: Family = "sans",
    bold: bool = False,
    colour: str = "#000000",
) -> Mark:
    """Lines of text, centred over each other as cluster.engines.marks.place states; raises glyph_missing."""
    made = [fonts.line(line, family, bold) for line in lines]
    width, height = max(line.width for line in made) * size, len(made) * LEADING * size
    drawn, used = [b"%s rg BT" % operands(*rgb(colour))], Dictionary()
    for index, line in enumerate(made):
        x, y = (width - line.width * size) / 2, height - (LEADING * index + ASCENT) * size
        drawn.append(b"1 0 0 1 %s Tm %s" % (operands(x, y), line.draw(size)))
        for name, font in line.fonts.items():
            used[name] = font
    # Letters may reach over their box (accents, italics), so it does not cut them.
    reach = (-size, -size, width + size, height + size)
    return Mark(form_of(pdf, b"\n".join([*drawn, b"ET"]), reach, Dictionary(Font=used)), width, height)


def picture_mark(pdf: pikepdf.Pdf, image: Any, width: float, ratio: float) -> Mark:
    """An image XObject `width` points wide; `ratio` is its height over its width."""
    height = width * ratio
    content = b"q %s 0 0 %s 0 0 cm /I Do Q" % (operands(width), operands(height))
    form = form_of(pdf, content, (0, 0, width, height), Dictionary(XObject=Dictionary(I=image)))
    return Mark(form, width, height)


def rgb(colour: str) -> tuple[float, float, float]:
    """#rrggbb as PDF's 0..1."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def form_of(pdf: pikepdf.Pdf, content: bytes, box: tuple[float, float, float, float], resources: Any) -> Any:
    """A form XObject that shows nothing outside `box` (left, bottom, right, top)."""
    return pdf.make_stream(
        content,
        Dictionary(Type=Name.XObject, Subtype=Name.Form, BBox=Array(list(map(_short, box))), Resources=resources),
    )


def _short(number: float) -> Any:
    """As an object with as many digits as are seen."""
    from decimal import Decimal

    return int(number) if number == int(number) else Decimal(f"{number:.4f}")


@dataclass
class Overlay:
    """Adds forms to the pages of one PDF; `artifact` says what they are to readers of tagged documents: a subtype of
    pagination, or nothing for what else is not the author's text."""

    pdf: pikepdf.Pdf
    artifact: str = "Watermark"
    _copies: dict[Any, tuple[Any, str]] = field(default_factory=dict)
    _streams: dict[bytes, Any] = field(default_factory=dict)
    _endings: dict[Any, bytes | None] = field(default_factory=dict)

    def add(self, page: pikepdf.Page, form: Any, view: View, *, below: bool = False) -> None:
        """Draw `form` (in visible points) over the page's content, or under it."""
        page.obj.Resources, name = self._resources(page, form)
        drawn = self._stream(self._drawing(view.matrix, name))
        there = _contents(page)
        if below:
            page.obj.Contents = Array([drawn, *there])
            return
        there, ending = self._closed(page, there)
        page.obj.Contents = Array([self._stream(b"q\n"), *there, self._stream(ending), drawn])

    def _drawing(self, matrix: Matrix, name: str) -> bytes:
        kind = b"/Pagination /Subtype /%s" % self.artifact.encode() if self.artifact else b"/Page"
        tag = b"/Artifact <</Type %s>> BDC" % kind
        return b"%s\nq %s cm %s Do Q\nEMC\n" % (tag, operands(*matrix), name.encode())

    def _stream(self, content: bytes) -> Any:
        if content not in self._streams:
            self._streams[content] = self.pdf.make_stream(content)
        return self._streams[content]

    def _resources(self, page: pikepdf.Page, form: Any) -> tuple[Any, str]:
        """A copy of the page's resources that also has the form, and its name there."""
        shared = inherited(page, "/Resources")
        key = _key(shared, form)
        if key and key in self._copies:
            return self._copies[key]
        own = _copy(shared)
        forms, name = self._forms(own.get("/XObject"), form)
        own.XObject = forms
        made = (self.pdf.make_indirect(own) if key else own), name
        if key:
            self._copies[key] = made
        return made

    def _forms(self, shared: Any, form: Any) -> tuple[Any, str]:
        """The same for the /XObject part, which pages may share where their /Resources are their own."""
        key = _key(shared, form)
        if key and key in self._copies:
            return self._copies[key]
        own = _copy(shared)
        name = next(name for name in (f"/Mark{n}" for n in range(1 << 20)) if name not in own)
        own[name] = form
        made = (self.pdf.make_indirect(own) if key else own), name
        if key:
            self._copies[key] = made
        return made

    def _closed(self, page: pikepdf.Page, there: list[Any]) -> tuple[list[Any], bytes]:
        """The page's streams, and what to write after them so that our q is the one left open."""
        key = tuple(stream.objgen for stream in there)
        if key not in self._endings:
            self._endings[key] = ending(there)
        closing = self._endings[key]
        if closing is None:
            there, closing = [self.pdf.make_stream(_without_surplus(page))], b"\nQ\n"
        return there, closing


def _key(shared: Any, form: Any) -> Any:
    return (shared.objgen, form.objgen) if shared is not None and shared.is_indirect else None


def _copy(shared: Any) -> Any:
    return copy(shared) if isinstance(shared, Dictionary) else Dictionary()


def _contents(page: pikepdf.Page) -> list[Any]:
    there = page.obj.get("/Contents")
    parts = list(there) if isinstance(there, Array) else [there]
    return [part for part in parts if isinstance(part, Stream)]


# Operators that open and close; strings, comments and inline pictures are found as wholes, to be skipped. Each branch
# begins with its first letter, what has to stand before it is looked at afterwards: so `re` leaps from one to the next.
_TOKENS = re.compile(
    rb"\((?:[^()\\]++|\\.|\((?:[^()\\]++|\\.|\((?:[^()\\]++|\\.)*+\))*+\))*+\)"
    rb"|%[^\r\n]*"
    rb"|B(?<![^\s\]>)]B)I\s.*?\sID\s.*?\sEI(?=\s|$)"
    + b"".join(
        rb"|%b(?<![^\s\]>)]%b)%b(?![^\s\[<(/%%])" % (each[:1], each[:1], each[1:])
        for each in (b"q", b"Q", b"BT", b"ET")
    ),
    re.DOTALL,
)


def ending(streams: Sequence[Any]) -> bytes | None:
    """What closes the content: Q for ours, one for each q left open, ET; None if there are more Q than q."""
    parts = [decoded(stream) for stream in streams]
    if None in parts:
        return b"\nQ\n"
    content = b"\n".join(part or b"" for part in parts)
    depth, text = 0, False
    for token in _TOKENS.findall(content):
        if token == b"q":
            depth += 1
        elif token == b"Q":
            depth -= 1
        elif token in (b"BT", b"ET"):
            text = token == b"BT"
        if depth < 0:
            return None
    return b"\nET" * text + b"\nQ" * (depth + 1) + b"\n"


def _without_surplus(page: pikepdf.Page) -> bytes:
    """The content without each Q that closes nothing (readers ignore it; ours would be closed by it), and closed."""
    depth, kept = 0, []
    for instruction in pikepdf.parse_content_stream(page):
        operator = str(instruction.operator)
        if operator == "Q" and depth == 0:
            continue
        depth += (operator == "q") - (operator == "Q")
        kept.append(instruction)
    return pikepdf.unparse_content_stream(kept) + b"\nQ" * depth
