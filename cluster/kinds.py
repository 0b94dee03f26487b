"""Kinds of file, told by content and never by extension."""

import re
import zipfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Kind:
    """One media type: its key, name extensions (first is the usual one) and MIME type."""

    key: str
    extensions: tuple[str, ...]
    mime: str

    @property
    def suffix(self) -> str:
        return self.extensions[0]


PDF = Kind("pdf", (".pdf",), "application/pdf")
JPG = Kind("jpg", (".jpg", ".jpeg"), "image/jpeg")
PNG = Kind("png", (".png",), "image/png")
WEBP = Kind("webp", (".webp",), "image/webp")
TIFF = Kind("tiff", (".tif", ".tiff"), "image/tiff")
BMP = Kind("bmp", (".bmp",), "image/bmp")
GIF = Kind("gif", (".gif",), "image/gif")
HEIC = Kind("heic", (".heic", ".heif"), "image/heic")
_OOXML = "application/vnd.openxmlformats-officedocument."
_ODF = "application/vnd.oasis.opendocument."
DOCX = Kind("docx", (".docx",), _OOXML + "wordprocessingml.document")
XLSX = Kind("xlsx", (".xlsx",), _OOXML + "spreadsheetml.sheet")
PPTX = Kind("pptx", (".pptx",), _OOXML + "presentationml.presentation")
ODT = Kind("odt", (".odt",), _ODF + "text")
ODS = Kind("ods", (".ods",), _ODF + "spreadsheet")
ODP = Kind("odp", (".odp",), _ODF + "presentation")
DOC = Kind("doc", (".doc", ".wps"), "application/msword")
XLS = Kind("xls", (".xls", ".et"), "application/vnd.ms-excel")
PPT = Kind("ppt", (".ppt", ".dps"), "application/vnd.ms-powerpoint")
#: Office files under a password are one OLE container, whatever they hold.
OOXML_LOCKED = Kind("ooxml_locked", (".docx", ".xlsx", ".pptx"), "application/encrypted")
RTF = Kind("rtf", (".rtf",), "application/rtf")
TXT = Kind("txt", (".txt",), "text/plain")
CSV = Kind("csv", (".csv",), "text/csv")
JSON = Kind("json", (".json",), "application/json")
SVG = Kind("svg", (".svg",), "image/svg+xml")
ZIP = Kind("zip", (".zip",), "application/zip")

PICTURES = (JPG, PNG, WEBP, TIFF, BMP, GIF, HEIC)
WORD = (DOCX, DOC, ODT, RTF, TXT, OOXML_LOCKED)
KINDS: dict[str, Kind] = {
    kind.key: kind for kind in (PDF, *PICTURES, *WORD, XLSX, PPTX, ODS, ODP, XLS, PPT, CSV, JSON, SVG, ZIP)
}

_HEAD = 8192
_MAGIC = (
    (b"\xff\xd8\xff", JPG),
    (b"\x89PNG\r\n\x1a\n", PNG),
    (b"GIF8", GIF),
    (b"BM", BMP),
    (b"II*\x00", TIFF),
    (b"MM\x00*", TIFF),
    (b"II+\x00", TIFF),
    (b"MM\x00+", TIFF),
    (b"{\\rtf", RTF),
)


def kind_of(path: Path) -> Kind | None:
    """The kind of the bytes at `path`; None when it is none we know (or empty)."""
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    if b"%PDF-" in head[:1024]:
        return PDF
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return WEBP
    if head[4:8] == b"ftyp" and head[8:12] in (b"heic", b"heix", b"mif1", b"hevc", b"msf1"):
        return HEIC
    if head.startswith(b"PK\x03\x04"):
        return _zip_kind(path)
    if head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        return _ole_kind(path)
    return _text_kind(head)


def _zip_kind(path: Path) -> Kind:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            mimetype = archive.read("mimetype")[:100] if "mimetype" in names else b""
    except (zipfile.BadZipFile, OSError, RuntimeError, ValueError, NotImplementedError):
        return ZIP
    for kind, part in ((DOCX, "word/document.xml"), (XLSX, "xl/workbook.xml"), (PPTX, "ppt/presentation.xml")):
        if part in names:
            return kind
    return next((kind for kind in (ODT, ODS, ODP) if mimetype.decode("latin-1") == kind.mime), ZIP)


def _ole_kind(path: Path) -> Kind | None:
    # Stream names stand in UTF-16 in the directory sectors; a full OLE reader is not needed for that.
    with path.open("rb") as stream:
        data = stream.read(64 << 20)
    for name, kind in (
        ("EncryptedPackage", OOXML_LOCKED),
        ("WordDocument", DOC),
        ("Workbook", XLS),
        ("PowerPoint Document", PPT),
    ):
        if name.encode("utf-16-le") in data:
            return kind
    return None


def _text_kind(head: bytes) -> Kind | None:
    if not head or b"\x00" in head.replace(b"\xff\xfe", b"")[:1] or _binary(head):
        return None
    if re.match(rb"\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*<svg[\s>]", head, re.S):
        return SVG
    return TXT


def _binary(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    control = sum(byte < 9 or 13 < byte < 32 for byte in head)
    return control * 50 > len(head)
