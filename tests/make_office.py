"""Word documents drawn in code: each function writes `path` and returns it.

Only what a case needs stands in a file; LibreOffice and Word open them all unless a case says otherwise.
"""

import io
import struct
import subprocess
import zipfile
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from cluster.engines.office import client as office
from cluster.kinds import Kind, kind_of
from cluster.tool import Source
from tests.make_scan import picture
from tests.once import once

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>'
    '<Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/>'
    '<Override PartName="/word/document.xml" ContentType="{main}"/>'
    '<Override PartName="/word/styles.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>'
)
_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
_MACRO_MAIN = "application/vnd.ms-word.document.macroEnabled.main+xml"
_STYLES = (
    f"<w:styles {_W}>"
    '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>'
    + "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{n}"><w:name w:val="heading {n}"/><w:basedOn w:val="Normal"/>'
        f'<w:pPr><w:outlineLvl w:val="{n - 1}"/></w:pPr></w:style>'
        for n in (1, 2)
    )
    + "</w:styles>"
)
_PAGE_BREAK = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'


def paragraph(text: str, style: str = "", font: str = "") -> str:
    """A paragraph of WordprocessingML."""
    named = f'<w:rPr><w:rFonts w:ascii="{font}" w:hAnsi="{font}" w:eastAsia="{font}"/></w:rPr>' if font else ""
    kind = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{kind}<w:r>{named}<w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'


def docx(
    path: Path,
    body: str | Sequence[str] = ("你好，世界 Hello",),
    *,
    relations: str = "",
    parts: dict[str, bytes] | None = None,
    macros: bool = False,
    prolog: str = "",
) -> Path:
    """A docx of `body` (paragraph texts, or WordprocessingML as one string)."""
    content = body if isinstance(body, str) else "".join(paragraph(text) for text in body)
    files = {
        "[Content_Types].xml": _TYPES.format(main=_MACRO_MAIN if macros else _MAIN).encode(),
        "_rels/.rels": _relations(f'<Relationship Id="a" Type="{OFFICE}/officeDocument" Target="word/document.xml"/>'),
        "word/document.xml": f"{prolog}<w:document {_W} {_R}><w:body>{content}</w:body></w:document>".encode(),
        "word/styles.xml": _STYLES.encode(),
        "word/_rels/document.xml.rels": _relations(
            f'<Relationship Id="styles" Type="{OFFICE}/styles" Target="styles.xml"/>{relations}'
        ),
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in (files | (parts or {})).items():
            archive.writestr(name, data)
    return path


def chapters(path: Path, count: int = 3) -> Path:
    """`count` pages, each headed `第n章`, with a section below."""
    pages = [
        paragraph(f"第{n}章", "Heading1") + paragraph(f"Section {n}", "Heading2") + paragraph(f"正文 page {n}")
        for n in range(1, count + 1)
    ]
    return docx(path, _PAGE_BREAK.join(pages))


def tracked(path: Path) -> Path:
    """`stays` with `ADDED` inserted and `REMOVED` deleted as tracked changes."""
    mark = 'w:id="{}" w:author="A" w:date="2024-01-01T00:00:00Z"'
    body = (
        "<w:p><w:r><w:t>stays</w:t></w:r>"
        f"<w:ins {mark.format(1)}><w:r><w:t>ADDED</w:t></w:r></w:ins>"
        f"<w:del {mark.format(2)}><w:r><w:delText>REMOVED</w:delText></w:r></w:del></w:p>"
    )
    return docx(path, body)


def linked_picture(path: Path, target: str) -> Path:
    """A docx that shows the picture at `target` (http://… or file:///…) without holding it."""
    relation = f'<Relationship Id="pic" Type="{OFFICE}/image" Target="{target}" TargetMode="External"/>'
    return docx(path, paragraph("before") + _drawing('r:link="pic"') + paragraph("after"), relations=relation)


def with_picture(path: Path, data: bytes) -> Path:
    """A docx that holds `data` as a PNG."""
    relation = f'<Relationship Id="pic" Type="{OFFICE}/image" Target="media/a.png"/>'
    return docx(path, _drawing('r:embed="pic"'), relations=relation, parts={"word/media/a.png": data})


def noise_png(size: tuple[int, int] = (1200, 1200)) -> bytes:
    """A picture that compresses badly."""
    held = io.BytesIO()
    picture("图", size, grain=True).effect_spread(40).save(held, "PNG")
    return held.getvalue()


def with_macros(path: Path) -> Path:
    """A docm's content: LibreOffice would see a Basic project in it."""
    relation = (
        '<Relationship Id="vba" Type="http://schemas.microsoft.com/office/2006/relationships/vbaProject" '
        'Target="vbaProject.bin"/>'
    )
    return docx(path, relations=relation, parts={"word/vbaProject.bin": b"\xd0\xcf\x11\xe0" * 64}, macros=True)


@once
def bomb(path: Path, mib: int = 64) -> Path:
    """One part of blanks that unpacks a thousandfold."""
    return docx(path, parts={"word/blank.xml": b" " * (mib << 20)})


@once
def lying_bomb(path: Path) -> Path:
    """As `bomb`, but the zip says that the part is one byte long."""
    bomb(path)
    data = bytearray(path.read_bytes())
    real = struct.pack("<I", 64 << 20)
    assert data.count(real) >= 2
    path.write_bytes(data.replace(real, struct.pack("<I", 1)))
    return path


@once
def many_entries(path: Path, count: int = 10_001) -> Path:
    return docx(path, parts={f"word/media/{n}.txt": b"" for n in range(count)})


def symlink(path: Path) -> Path:
    """A part that is a symbolic link to a file of the host."""
    docx(path)
    with zipfile.ZipFile(path, "a") as archive:
        entry = zipfile.ZipInfo("word/media/link.png")
        entry.external_attr = 0o120777 << 16
        archive.writestr(entry, "/etc/passwd")
    return path


def overlapping(path: Path) -> Path:
    """Two entries over the same bytes: the second's header offset is the first's."""
    docx(path, parts={"word/a.txt": b"one", "word/b.txt": b"two"})
    data = bytearray(path.read_bytes())
    places = [data.rfind(name) for name in (b"word/a.txt", b"word/b.txt")]
    first, second = (place - 4 for place in places)
    data[second : second + 4] = data[first : first + 4]
    path.write_bytes(data)
    return path


def entity(path: Path, target: str = "file:///etc/passwd") -> Path:
    """An external entity in the document part."""
    prolog = f'<?xml version="1.0"?><!DOCTYPE w [<!ENTITY x SYSTEM "{target}">]>'
    return docx(path, "<w:p><w:r><w:t>&x;</w:t></w:r></w:p>", prolog=prolog)


def sections(path: Path, count: int = 3) -> Path:
    """`count` texts, each of which begins on a right-hand page: Word leaves the left ones blank."""
    right = '<w:p><w:pPr><w:sectPr><w:type w:val="oddPage"/></w:sectPr></w:pPr></w:p>'
    last = '<w:sectPr><w:type w:val="oddPage"/></w:sectPr>'
    return docx(path, right.join(paragraph(f"section {n}") for n in range(1, count + 1)) + last)


def commented(path: Path) -> Path:
    """`stays` with a comment, a checkbox to tick, and a footnote."""
    anchor = '<w:commentRangeStart w:id="1"/><w:r><w:t>stays</w:t></w:r><w:commentRangeEnd w:id="1"/>'
    box = "<w:sdt><w:sdtPr><w:dropDownList/></w:sdtPr><w:sdtContent><w:r><w:t>chosen</w:t></w:r></w:sdtContent></w:sdt>"
    body = (
        f'<w:p>{anchor}<w:r><w:commentReference w:id="1"/></w:r>{box}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    )
    said = f'<w:comment w:id="1" w:author="A">{paragraph("REMARK")}</w:comment>'
    relations = "".join(
        f'<Relationship Id="{n}" Type="{OFFICE}/{n}" Target="{n}.xml"/>' for n in ("comments", "footnotes")
    )
    notes = f'<w:footnotes {_W}><w:footnote w:id="2">{paragraph("BELOW")}</w:footnote></w:footnotes>'
    parts = {
        "word/comments.xml": f"<w:comments {_W}>{said}</w:comments>".encode(),
        "word/footnotes.xml": notes.encode(),
    }
    return docx(path, body, relations=relations, parts=parts)


def headed(path: Path, font: str, strict: bool = False) -> Path:
    """A docx whose header alone asks for `font`; `strict` says it with the names of Strict OOXML."""
    relation = f'<Relationship Id="head" Type="{OFFICE}/header" Target="header1.xml"/>'
    header = f"<w:hdr {_W}>{paragraph('header', font=font)}</w:hdr>"
    section = '<w:sectPr><w:headerReference w:type="default" r:id="head"/></w:sectPr>'
    docx(path, paragraph("body") + section, relations=relation, parts={"word/header1.xml": header.encode()})
    return _strict(path) if strict else path


def _strict(path: Path) -> Path:
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            for room in (b"wordprocessingml", b"officeDocument"):
                usual, purl = b"http://schemas.openxmlformats.org/", b"http://purl.oclc.org/ooxml/"
                data = data.replace(usual + room + b"/2006/", purl + room + b"/")
            archive.writestr(name, data)
    return path


def field(instruction: str, result: str = "result") -> str:
    """A paragraph with a Word field."""
    marks = [f'<w:r><w:fldChar w:fldCharType="{each}"/></w:r>' for each in ("begin", "separate", "end")]
    told = f'<w:r><w:instrText xml:space="preserve"> {escape(instruction)} </w:instrText></w:r>'
    return f"<w:p>{marks[0]}{told}{marks[1]}<w:r><w:t>{escape(result)}</w:t></w:r>{marks[2]}</w:p>"


def rtf(path: Path, body: str) -> Path:
    path.write_text("{\\rtf1\\ansi before\\par " + body + "\\par after}")
    return path


def package(path: Path, files: dict[str, bytes]) -> Path:
    """A zip of `files`, whatever they are."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def types_of(main: str) -> bytes:
    """The content types of a package whose document is the part `main`."""
    return _TYPES.format(main=_MAIN).replace("/word/document.xml", main).encode()


def encrypted(path: Path, origin: Path, password: str) -> Path:
    """The package at `origin`, whatever is in it, under a password."""
    from msoffcrypto.format.ooxml import OOXMLFile

    held = io.BytesIO()
    # What msoffcrypto makes of less than 4 KiB can't be opened again, not by itself either: blanks behind a part.
    with zipfile.ZipFile(origin) as package, zipfile.ZipFile(held, "w") as made:
        for name in package.namelist():
            made.writestr(name, package.read(name) + b" " * (4096 if name == "[Content_Types].xml" else 0))
    with path.open("wb") as locked:
        OOXMLFile(held).encrypt(password, locked)
    return path


def converted(path: Path, origin: Path, filter_name: str) -> Path:
    """`origin` stored by the warm LibreOffice in another format (needs the fixture `office_engine`)."""
    with office.opened(source_of(origin)) as document:
        document.store(path, filter_name)
    return path


def locked(path: Path, origin: Path, filter_name: str, password: str) -> Path:
    """`origin` stored under a password, by a LibreOffice of its own: it may be as slow to start as a test may last."""
    script = _LOCK.format(origin=str(origin), path=str(path), filter=filter_name, password=password, patience=_PATIENCE)
    environment = office.environment() | {"FOLDER": str(path.parent)}
    subprocess.run([office.command()[0], "-c", script], env=environment, check=True, timeout=_PATIENCE)
    return path


#: Seconds that a busy machine may take, below those of a test.
_PATIENCE = 240
_LOCK = """
import os
from pathlib import Path
import uno
from cluster.engines.office import server
from cluster.engines.office.server import Office, Document, _properties
server.START_SECONDS = {patience}
office = Office(Path(os.environ["FOLDER"]) / "locker")
office.start()
try:
    with Document(office, {origin!r}, {{}}) as document:
        values = {{"FilterName": {filter!r}, "Password": {password!r}}}
        if {filter!r} == "MS Word 2007 XML":
            crypto = {{"CryptoType": "StrongEncryptionDataSpace", "OOXPassword": {password!r}}}
            named = [uno.createUnoStruct("com.sun.star.beans.NamedValue", *each) for each in crypto.items()]
            values["EncryptionData"] = uno.Any("[]com.sun.star.beans.NamedValue", tuple(named))
        properties = _properties(values)
        document.component.storeToURL(uno.systemPathToFileUrl({path!r}), properties)
finally:
    office.stop()
"""


def source_of(path: Path, kind: Kind | None = None) -> Source:
    """`path` as it is staged, of its own or the given kind."""
    found = kind or kind_of(path)
    assert found
    return Source(path, path.name, found, path.stat().st_size)


def _relations(content: str) -> bytes:
    name = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<Relationships xmlns="{name}">{content}</Relationships>'.encode()


def _drawing(blip: str) -> str:
    size = 'cx="3600000" cy="3600000"'
    main = "http://schemas.openxmlformats.org/drawingml/2006/"
    return (
        f'<w:p><w:r><w:drawing><wp:inline xmlns:wp="{main}wordprocessingDrawing"><wp:extent {size}/>'
        f'<wp:docPr id="1" name="p"/><a:graphic xmlns:a="{main}main"><a:graphicData uri="{main}picture">'
        f'<pic:pic xmlns:pic="{main}picture"><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr>'
        f"<pic:blipFill><a:blip {blip}/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>"
        f'<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext {size}/></a:xfrm><a:prstGeom prst="rect"/></pic:spPr>'
        "</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
    )
