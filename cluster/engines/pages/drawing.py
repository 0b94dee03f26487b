"""SVG as a page of a PDF: lines stay lines, text stays text. No script runs, nothing is fetched.

typst reads it (by usvg, which knows style sheets, gradients, masks and filters; MuPDF draws such things black) and
writes the page. It sees one folder, in which there is nothing but the drawing, cleaned of all that lies elsewhere.
"""

import base64
import binascii
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cluster.engines.pages.mount import Mount, Placed
from cluster.engines.pdf.libraries import import_pikepdf
from cluster.engines.pdf.open import check_source
from cluster.files import Source
from cluster.paper import Size
from cluster.problem import InputProblem, LimitProblem

_PIXELS = 100_000_000
#: An SVG of more bytes is no drawing.
_BYTES = 64 << 20
#: Points that a page's side can have for every reader.
_LONGEST = 14_400.0
_NAME = "drawing.svg"
_HREFS = ("href", "{http://www.w3.org/1999/xlink}href")
_ROOT_ENTRIES = ("/StructTreeRoot", "/MarkInfo", "/Metadata", "/Lang")


class Drawing:
    """An SVG, cleaned into `folder`, which is its own. `outer` counts what it wanted from elsewhere.

    Raises empty_file, damaged_file, unsafe_content, too_large_when_opened.
    """

    def __init__(self, source: Source, folder: Path) -> None:
        check_source(source)
        if source.size > _BYTES:
            raise LimitProblem("too_large_when_opened", file=source.name)
        self.source, self.folder = source, folder
        self.folder.mkdir(parents=True)
        root = _parsed(source)
        self.outer = _cut_off(root, source)
        self._speaks = any(_local(node) in ("text", "tspan") for node in root.iter())
        (folder / _NAME).write_bytes(_written(root))

    def size(self) -> Size:
        """Points, as the drawing says itself or as much as its contents cover."""
        with import_pikepdf().open(io.BytesIO(self._compiled(f'image("/{_NAME}")'))) as pdf:
            _, _, width, height = (float(each) for each in pdf.pages[0].mediabox)
        fit = min(1.0, _LONGEST / max(width, height))
        return max(width * fit, 3.0), max(height * fit, 3.0)

    def write(self, path: Path, mount: Mount, turn: int = 0) -> None:
        """A PDF of one page: the drawing, turned clockwise by degrees, as it is mounted."""
        size = self.size()
        placed = mount.placed(size if turn % 180 == 0 else size[::-1])
        made = self._compiled(_laid(placed, turn), f"width: {placed.width}pt, height: {placed.height}pt")
        with import_pikepdf().open(io.BytesIO(made)) as pdf:
            for key in _ROOT_ENTRIES:
                if key in pdf.Root:
                    del pdf.Root[key]
            del pdf.docinfo
            pdf.save(path)

    def _compiled(self, body: str, page: str = "width: auto, height: auto") -> bytes:
        import typst

        text = self.folder / "page.typ"
        text.write_text(f"#set page({page}, margin: 0pt)\n#{body}", encoding="utf-8")
        try:
            return bytes(
                typst.compile(
                    text,
                    root=self.folder,
                    package_path=self.folder,
                    package_cache_path=self.folder,
                    ignore_system_fonts=not self._speaks,
                    timestamp=0,
                )
            )
        except typst.TypstError as error:
            raise InputProblem("damaged_file", file=self.source.name) from error


def _laid(placed: Placed, turn: int) -> str:
    """The drawing on its page, in typst's words: from the upper left corner."""
    wide, high = (placed.across, placed.up) if turn % 180 == 0 else (placed.up, placed.across)
    x, y = placed.x - placed.cut, placed.height - placed.y - placed.up - placed.cut
    image = f'image("/{_NAME}", width: {wide}pt, height: {high}pt, fit: "stretch")'
    drawn = f"place(dx: {x}pt, dy: {y}pt, rotate({turn}deg, reflow: true, {image}))"
    room = f"width: {placed.width - 2 * placed.cut}pt, height: {placed.height - 2 * placed.cut}pt"
    return f"place(dx: {placed.cut}pt, dy: {placed.cut}pt, box({room}, clip: true, {drawn}))"


def _parsed(source: Source) -> Any:
    from lxml import etree

    data = source.path.read_bytes()
    parser = etree.XMLParser(no_network=True, load_dtd=False, huge_tree=False, remove_pis=True, remove_comments=True)
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        # Entities of the file itself are replaced within bounds; those beyond them, or of other files, are not.
        reason = "unsafe_content" if b"<!ENTITY" in data else "damaged_file"
        raise InputProblem(reason, file=source.name) from error


def _written(root: Any) -> bytes:
    from lxml import etree

    return bytes(etree.tostring(root, encoding="utf-8"))


def _cut_off(root: Any, source: Source) -> int:
    """Take away scripts and pictures that lie elsewhere; how many of those there were."""
    outer = 0
    for node in list(root.iter()):
        if _local(node) in ("script", "foreignObject"):
            _drop(node)
        elif any(not value.startswith("#") for value in _references(node)):
            if _local(node) == "a":
                continue
            if _local(node) in ("image", "feImage") and all(each.startswith("data:") for each in _references(node)):
                _check_pixels(node, source)
                continue
            outer += 1
            _drop(node)
    return outer


def _references(node: Any) -> Iterator[str]:
    return (value.strip() for name in _HREFS if (value := node.get(name)))


def _drop(node: Any) -> None:
    if (above := node.getparent()) is not None:
        above.remove(node)


def _local(node: Any) -> str:
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def _check_pixels(node: Any, source: Source) -> None:
    """A picture within the drawing is bounded like any other, by its header."""
    from PIL import Image

    for value in _references(node):
        head, _, body = value.partition(",")
        if not head.endswith(";base64"):
            continue
        Image.MAX_IMAGE_PIXELS = None
        try:
            with Image.open(io.BytesIO(base64.b64decode(body))) as image:
                pixels = image.width * image.height
        except (OSError, SyntaxError, ValueError, binascii.Error):
            continue  # another SVG, or nothing that can be drawn
        if pixels > _PIXELS:
            raise LimitProblem("too_large_when_opened", file=source.name)
