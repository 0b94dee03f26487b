"""What a PDF carries and nobody sees: taken out, told apart once, or packed tighter."""

import hashlib
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cluster.engines.placements import Key

if TYPE_CHECKING:
    import pikepdf

#: Private data of the programs that made the file, and previews that readers draw themselves.
_PRIVATE = ("/PieceInfo", "/LastModified", "/SpiderInfo", "/Thumb")
#: Streams that are told apart by more than their bytes, or that are gone after saving.
_OWN = ("/ObjStm", "/XRef", "/Metadata", "/EmbeddedFile")


def drop_private(pdf: "pikepdf.Pdf") -> None:
    """Remove private data, previews and resources that no page uses."""
    import pikepdf

    for node in (pdf.Root, *(page.obj for page in pdf.pages)):
        for key in _PRIVATE:
            if key in node:
                del node[key]
    for each in pdf.objects:
        if isinstance(each, pikepdf.Stream) and each.get("/Type") != "/Metadata":
            for key in ("/PieceInfo", "/LastModified", "/Metadata"):
                if key in each:
                    del each[key]
    pdf.remove_unreferenced_resources()


def drop_press_profile(pdf: "pikepdf.Pdf") -> bool:
    """Remove the printing condition of PDF/X, often most of a file; returns whether there was one."""
    import pikepdf

    intents = pdf.Root.get("/OutputIntents")
    if not isinstance(intents, pikepdf.Array):
        return False
    kept = [each for each in intents if not isinstance(each, pikepdf.Dictionary) or each.get("/S") != "/GTS_PDFX"]
    if len(kept) == len(intents):
        return False
    if kept:
        pdf.Root["/OutputIntents"] = pikepdf.Array(kept)
    else:
        del pdf.Root["/OutputIntents"]
    return True


def strip_metadata(pdf: "pikepdf.Pdf") -> None:
    """Remove title, author, program names and dates."""
    for node, key in ((pdf.Root, "/Metadata"), (pdf.trailer, "/Info")):
        if key in node:
            del node[key]
    for page in pdf.pages:
        if "/Metadata" in page.obj:
            del page.obj["/Metadata"]


def share_streams(pdf: "pikepdf.Pdf") -> int:
    """Let equal streams be one; returns how many went."""
    twins: dict[Key, Any] = {}
    for _ in range(3):  # what equal streams point at becomes equal first
        found = _twins(pdf)
        if not found:
            break
        twins |= found
        for each in pdf.objects:
            _point(each, found, 0)
    return len(twins)


def _twins(pdf: "pikepdf.Pdf") -> dict[Key, Any]:
    import pikepdf

    first: dict[bytes, Any] = {}
    twins: dict[Key, Any] = {}
    referenced = _referenced(pdf)
    for each in pdf.objects:
        if not isinstance(each, pikepdf.Stream) or each.get("/Type") in _OWN or each.objgen not in referenced:
            continue
        head = each.stream_dict.unparse() if hasattr(each, "stream_dict") else each.unparse()
        mark = hashlib.sha256(head + b"\0" + each.read_raw_bytes()).digest()
        if (kept := first.setdefault(mark, each)).objgen != each.objgen:
            twins[each.objgen] = kept
    return twins


def _referenced(pdf: "pikepdf.Pdf") -> set[Key]:
    found: set[Key] = set()
    for each in pdf.objects:
        _collect(each, found, 0)
    return found


def _collect(node: Any, found: set[Key], depth: int) -> None:
    for child in _children(node).values():
        if child.is_indirect:
            found.add(child.objgen)
        elif depth < 30:
            _collect(child, found, depth + 1)


def _point(node: Any, twins: dict[Key, Any], depth: int) -> None:
    for key, child in _children(node).items():
        if child.is_indirect:
            if child.objgen in twins:
                node[key] = twins[child.objgen]
        elif depth < 30:
            _point(child, twins, depth + 1)


def _children(node: Any) -> dict[Any, Any]:
    import pikepdf

    if isinstance(node, pikepdf.Dictionary | pikepdf.Stream):
        pairs: Any = ((key, node.get(key)) for key in node.keys() if _speakable(key))  # noqa: SIM118
    elif isinstance(node, pikepdf.Array):
        pairs = enumerate(node)
    else:
        return {}
    return {key: child for key, child in pairs if isinstance(child, pikepdf.Object)}


def _speakable(key: str) -> bool:
    """Names that are no UTF-8 can be listed, but not asked for."""
    try:
        key.encode()
    except UnicodeEncodeError:
        return False
    return True


def pack_streams(pdf: "pikepdf.Pdf") -> None:
    """Write every stream but the pictures in the fewest bytes, where that is smaller."""
    import pikepdf

    from cluster.engines.contents import content_streams, shorten

    drawing = {each.objgen for each in content_streams(pdf)}
    for each in pdf.objects:
        if isinstance(each, pikepdf.Stream) and each.get("/Subtype") != "/Image" and each.get("/Type") not in _OWN[:2]:
            _pack(each, shorten if each.objgen in drawing else bytes)


def _pack(stream: Any, rewrite: Callable[[bytes], bytes]) -> None:
    import pikepdf

    try:
        data = rewrite(bytes(stream.read_bytes(pikepdf.StreamDecodeLevel.generalized)))
        before = len(stream.read_raw_bytes())
    except (pikepdf.PdfError, RuntimeError, UnicodeDecodeError):
        return
    packed = deflate(data)
    if len(packed) < before and len(packed) < len(data):
        stream.write(packed, filter=pikepdf.Name.FlateDecode)


def deflate(data: bytes) -> bytes:
    """zlib at its most patient."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 15, 9)
    return packer.compress(data) + packer.flush()
