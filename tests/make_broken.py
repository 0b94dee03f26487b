"""Hostile, locked and damaged documents."""

import re
import zlib
from decimal import Decimal
from pathlib import Path

from pikepdf import Array, Dictionary, Encryption, Name, Object, ObjectStreamMode, Pdf, Permissions, StreamDecodeLevel

from tests.once import once
from tests.raw import RawPdf

#: Twice what one decoded stream may hold.
FLATE_BOMB_SIZE = 512 << 20


def encrypted(
    path: Path,
    source: Path,
    *,
    user: str = "secret",
    owner: str = "owner",
    method: str = "aes256",
    allow: Permissions | None = None,
) -> Path:
    """`source` under a password; `method` aes256, aes128 or rc4. An empty `user` only restricts."""
    revision = {"aes256": 6, "aes128": 4, "rc4": 3}[method]
    modern = revision >= 4
    with Pdf.open(source) as pdf:
        locked = Encryption(
            user=user, owner=owner, R=revision, aes=modern, metadata=modern, allow=allow or Permissions()
        )
        pdf.save(path, encryption=locked)
    return path


def damaged(path: Path, source: Path) -> Path:
    """`source` with a cross-reference table that points nowhere: readable after a repair."""
    with Pdf.open(source) as pdf:
        pdf.save(path, object_stream_mode=ObjectStreamMode.disable)
    data = path.read_bytes()
    start = data.rindex(b"xref\n", 0, data.rindex(b"startxref"))
    path.write_bytes(data[:start] + data[start:].replace(b"0000000", b"9999999"))
    return path


def endless_number(path: Path, source: Path) -> Path:
    """`source` damaged, its first page's resources with a number of 100,000 digits: MuPDF reads all but those."""
    with Pdf.open(source) as pdf:
        pdf.pages[0].obj.Resources = pdf.make_indirect(pdf.pages[0].obj.Resources)
        pdf.pages[0].obj.Resources.Pi = Decimal("3.141592")
        pdf.save(path.with_suffix(".plain"))
    data = damaged(path, path.with_suffix(".plain")).read_bytes()
    path.write_bytes(data.replace(b"3.141592", b"3.141592" + b"6535897932" * 10_000))
    return path


def truncated(path: Path, source: Path, keep: float = 0.5) -> Path:
    """The first `keep` of the bytes of `source`."""
    data = source.read_bytes()
    path.write_bytes(data[: int(len(data) * keep)])
    return path


def empty(path: Path) -> Path:
    """No bytes at all."""
    path.write_bytes(b"")
    return path


@once
def flate_bomb(path: Path, size: int = FLATE_BOMB_SIZE) -> Path:
    """A page whose content is `size` blanks behind two Flate layers, a few KB, with a picture it may draw or not."""
    packer = zlib.compressobj(1)
    block = b" " * (1 << 20)
    inner = b"".join([packer.compress(block) for _ in range(size >> 20)]) + packer.flush()
    with Pdf.new() as pdf:
        pdf.add_blank_page()
        content = pdf.make_stream(b"")
        content.write(zlib.compress(inner, 9), filter=Array([Name.FlateDecode, Name.FlateDecode]))
        image = pdf.make_stream(b"\0", Type=Name.XObject, Subtype=Name.Image, Width=1, Height=1)
        image.ColorSpace, image.BitsPerComponent = Name.DeviceGray, 8
        pdf.pages[0].obj.Resources = Dictionary(XObject=Dictionary(Im0=image))
        pdf.pages[0].obj.Contents = content
        pdf.save(path, compress_streams=False, stream_decode_level=StreamDecodeLevel.none)
    return path


def page_tree_loop(path: Path) -> Path:
    """A /Pages node that is its own kid."""
    pdf = RawPdf(path)
    tree = pdf.reserve()
    page = pdf.add(b"<</Type/Page/Parent 1 0 R/MediaBox[0 0 200 200]>>")
    pdf.tree([page, tree], tree)
    pdf.close(pdf.add(b"<</Type/Catalog/Pages 1 0 R>>"))
    return path


def looped(path: Path) -> Path:
    """A page tree whose second kid is the tree above it; readers show the one page."""
    pdf = RawPdf(path)
    tree, branch = pdf.reserve(), pdf.reserve()
    content = pdf.stream(b"", b"0 0 100 100 re f")
    page = pdf.add(b"<</Type/Page/Parent 2 0 R/Contents %d 0 R>>" % content)
    pdf.add(b"<</Type/Pages/Parent 1 0 R/Count 1/Kids[%d 0 R 1 0 R]>>" % page, number=branch)
    pdf.add(b"<</Type/Pages/Count 1/MediaBox[0 0 200 200]/Kids[2 0 R]>>", number=tree)
    pdf.close(pdf.add(b"<</Type/Catalog/Pages 1 0 R>>"))
    return path


def bare(path: Path) -> Path:
    """A page with a field and without /Resources or /Contents, in a catalogue without /Type: sound to every reader."""
    pdf = RawPdf(path)
    tree = pdf.reserve()
    note = pdf.add(b"<</Type/Annot/Subtype/Square/Rect[10 10 90 90]/C[1 0 0]>>")
    page = pdf.add(b"<</Type/Page/Parent 1 0 R/MediaBox[0 0 200 200]/Annots[%d 0 R]>>" % note)
    pdf.tree([page], tree)
    pdf.close(pdf.add(b"<</Pages 1 0 R>>"))
    return path


def rootless(path: Path) -> Path:
    """A trailer that names no catalogue: qpdf finds no way in, others search for one."""
    pdf = RawPdf(path)
    tree = pdf.reserve()
    content = pdf.stream(b"", b"0 0 100 100 re f")
    page = pdf.add(b"<</Type/Page/Parent 1 0 R/MediaBox[0 0 200 200]/Contents %d 0 R>>" % content)
    pdf.tree([page], tree)
    pdf.add(b"<</Type/Catalog/Pages 1 0 R>>")
    pdf.close(99)
    return path


def numbered_far(path: Path) -> Path:
    """A catalogue whose number is larger than the file is long: qpdf takes it for damage, others for a number."""
    data = bare(path).read_bytes().replace(b"4 0 obj", b"9999 0 obj").replace(b"/Root 4", b"/Root 9999")
    data = data.replace(b"0 5\n", b"0 4\n").replace(b"/Size 5", b"/Size 10000")
    at = data.index(b"9999 0 obj")
    data = data.replace(b"%010d 00000 n \ntrailer" % at, b"9999 1\n%010d 00000 n \ntrailer" % at)
    end = data.index(b"\nxref\n") + 1
    path.write_bytes(re.sub(rb"startxref\n\d+", b"startxref\n%d" % end, data))
    return path


def catalogue_of_others(path: Path) -> Path:
    """A stray "0 R" in the catalogue: qpdf reads on behind it, MuPDF opens the file and finds no page."""
    pdf = RawPdf(path)
    tree = pdf.reserve()
    content = pdf.stream(b"", b"0 0 100 100 re f")
    page = pdf.add(b"<</Type/Page/Parent 1 0 R/MediaBox[0 0 200 200]/Contents %d 0 R>>" % content)
    pdf.tree([page], tree)
    pdf.close(pdf.add(b"<</X 1 0 R 0 R/Pages 1 0 R/Type/Catalog>>"))
    return path


def broken_packing(path: Path, source: Path) -> Path:
    """The source with a first page whose Flate breaks in the middle, by a block of a kind that there is none of."""
    with Pdf.open(source) as pdf:
        packer = zlib.compressobj()
        whole = b"q " + pdf.pages[0].Contents.read_bytes()
        raw = packer.compress(whole) + packer.flush(zlib.Z_SYNC_FLUSH) + b"\xff" * 40
        pdf.pages[0].Contents = pdf.make_stream(b"")
        pdf.pages[0].Contents.write(raw, filter=Name.FlateDecode)
        pdf.save(path, compress_streams=False, stream_decode_level=StreamDecodeLevel.none)
    return path


def certified(path: Path) -> Path:
    """Locked with a certificate, not a password."""
    pdf = RawPdf(path)
    tree = pdf.reserve()
    page = pdf.add(b"<</Type/Page/Parent 1 0 R/MediaBox[0 0 200 200]>>")
    pdf.tree([page], tree)
    root = pdf.add(b"<</Type/Catalog/Pages 1 0 R>>")
    lock = pdf.add(b"<</Filter/Adobe.PubSec/SubFilter/adbe.pkcs7.s5/V 4/R 4/Length 128>>")
    pdf.close(root, b"/Encrypt %d 0 R/ID[<00><00>]" % lock)
    return path


def drawing_itself(path: Path, times: int = 2) -> Path:
    """A form that draws itself `times` times."""
    with Pdf.new() as pdf:
        form = _form(pdf, b"0 0 5 5 re f " + b"/F Do " * times)
        form.Resources = Dictionary(XObject=Dictionary(F=form))
        return _shown(pdf, form, path)


def nested_forms(path: Path, levels: int = 9, fan: int = 10) -> Path:
    """A form drawn `fan` ** `levels` times, in 2 KB."""
    with Pdf.new() as pdf:
        form = _form(pdf, b"0 0 5 5 re f")
        for _ in range(levels):
            inner, form = form, _form(pdf, b"/F Do " * fan)
            form.Resources = Dictionary(XObject=Dictionary(F=inner))
        return _shown(pdf, form, path)


def _form(pdf: Pdf, content: bytes) -> Object:
    return pdf.make_stream(content, Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 600, 800]))


def _shown(pdf: Pdf, form: Object, path: Path) -> Path:
    pdf.add_blank_page()
    page = pdf.pages[0].obj
    page.Resources, page.Contents = Dictionary(XObject=Dictionary(F=form)), pdf.make_stream(b"/F Do")
    pdf.save(path)
    return path


def endless_content(path: Path, size: int = 1 << 30) -> Path:
    """A page whose content is `size` bytes of lines, in 2 MB."""
    packer, block = zlib.compressobj(1), b"0 0 m 5 5 l S\n" * (1 << 16)
    packed = b"".join([packer.compress(block) for _ in range(size // len(block))]) + packer.flush()
    with Pdf.new() as pdf:
        pdf.add_blank_page()
        content = pdf.make_stream(b"")
        content.write(packed, filter=Name.FlateDecode)
        pdf.pages[0].obj.Contents = content
        pdf.save(path, compress_streams=False, stream_decode_level=StreamDecodeLevel.none)
    return path


def huge_box(path: Path, side: float = 1e7) -> Path:
    """A page of `side` x `side` points."""
    with Pdf.new() as pdf:
        pdf.add_blank_page(page_size=(100, 100))
        pdf.pages[0].obj.MediaBox = Array([0, 0, side, side])
        pdf.save(path)
    return path


def many_pages(path: Path, pages: int = 1_000_000) -> Path:
    """A few KB whose page tree names one page `pages` times."""
    pdf = RawPdf(path)
    tree, branch = pdf.reserve(), pdf.reserve()
    page = pdf.add(b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>")
    kids = b"3 0 R " * 1000
    assert page == 3
    pdf.add(b"<</Type/Pages/Parent 1 0 R/Count 1000/Kids[%b]>>" % kids, number=branch)
    pdf.add(b"<</Type/Pages/Count %d/Kids[%b]>>" % (pages, b"2 0 R " * (pages // 1000)), number=tree)
    pdf.close(pdf.add(b"<</Type/Catalog/Pages 1 0 R>>"))
    return path
