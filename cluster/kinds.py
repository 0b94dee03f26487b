"""Kinds of file, told by content and never by extension."""

import re
import zipfile
import zlib
from collections.abc import Sequence
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
#: JPEG 2000, as a file or as its bare codes.
JP2 = Kind("jp2", (".jp2", ".j2k", ".jpx"), "image/jp2")
HEIC = Kind("heic", (".heic", ".heif"), "image/heic")
_OOXML = "application/vnd.openxmlformats-officedocument."
_ODF = "application/vnd.oasis.opendocument."
DOCX = Kind("docx", (".docx", ".docm", ".dotx", ".dotm", ".wps"), _OOXML + "wordprocessingml.document")
XLSX = Kind("xlsx", (".xlsx", ".xlsm", ".xltx", ".xltm", ".et"), _OOXML + "spreadsheetml.sheet")
PPTX = Kind(
    "pptx", (".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm", ".dps"), _OOXML + "presentationml.presentation"
)
ODT = Kind("odt", (".odt", ".ott"), _ODF + "text")
ODS = Kind("ods", (".ods", ".ots"), _ODF + "spreadsheet")
ODP = Kind("odp", (".odp", ".otp"), _ODF + "presentation")
DOC = Kind("doc", (".doc", ".wps", ".dot", ".wpt"), "application/msword")
XLS = Kind("xls", (".xls", ".et", ".xlt", ".ett"), "application/vnd.ms-excel")
PPT = Kind("ppt", (".ppt", ".dps", ".pps", ".pot", ".dpt"), "application/vnd.ms-powerpoint")
#: Office files under a password are one OLE container, whatever they hold.
OOXML_LOCKED = Kind("ooxml_locked", (".docx", ".xlsx", ".pptx", ".xlsm", ".pptm", ".docm"), "application/encrypted")
#: An office container so broken that nobody can tell whose it was: every office tool takes it, to say so.
OFFICE_BROKEN = Kind(
    "office_broken", (".doc", ".docx", ".xls", ".xlsx", ".ppt", ".pptx"), "application/x-broken-office"
)
RTF = Kind("rtf", (".rtf",), "application/rtf")
FODT = Kind("fodt", (".fodt",), _ODF + "text-flat-xml")
#: What Word 2003 saved as XML, before docx.
WORDML = Kind("wordml", (".xml",), "application/xml")
#: What Excel 2003 saved as XML, before xlsx.
SHEETML = Kind("sheetml", (".xml",), "application/xml")
HTML = Kind("html", (".html", ".htm"), "text/html")
TXT = Kind("txt", (".txt",), "text/plain")
CSV = Kind("csv", (".csv", ".tsv"), "text/csv")
MD = Kind("md", (".md",), "text/markdown")
JSON = Kind("json", (".json",), "application/json")
SVG = Kind("svg", (".svg",), "image/svg+xml")
ZIP = Kind("zip", (".zip",), "application/zip")

PICTURES = (JPG, PNG, WEBP, TIFF, BMP, GIF, HEIC)
WORD = (DOCX, DOC, ODT, RTF, TXT, FODT, WORDML, HTML, OOXML_LOCKED, OFFICE_BROKEN)
#: A text may be a table: which it is, its content does not tell.
SHEETS = (XLSX, XLS, ODS, CSV, TXT, SHEETML, HTML, OOXML_LOCKED, OFFICE_BROKEN)
SLIDES = (PPTX, PPT, ODP, OOXML_LOCKED, OFFICE_BROKEN)
KINDS: dict[str, Kind] = {kind.key: kind for kind in (PDF, *PICTURES, *WORD, *SHEETS, *SLIDES, MD, JSON, SVG, ZIP, JP2)}

_SHEETML = "urn:schemas-microsoft-com:office:spreadsheet"

#: Bytes at a file's begin that tell the kinds of all but containers.
HEAD = 8192
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
#: So much of a broken container is searched for names; LibreOffice writes a document's directory at its end.
_HEAD_OF_WRECK = 64 << 20
_TYPES = "[Content_Types].xml"
#: The usual place of each kind's main part, and a word of its content types, as it may lie anywhere.
_PARTS = (
    (DOCX, "word/document.xml", b"wordprocessingml"),
    (XLSX, "xl/workbook.xml", b"spreadsheetml"),
    (PPTX, "ppt/presentation.xml", b"presentationml"),
)
#: How the first part of a package is named, by programs of every make.
_FIRST = (_TYPES, "_rels/", "docProps/", "customXml/", "xl/", "word/", "ppt/")
#: Streams that OLE files are told by; their names are compared without case.
_STREAMS = (
    ("EncryptedPackage", OOXML_LOCKED),
    ("WordDocument", DOC),
    ("Workbook", XLS),
    ("Book", XLS),
    ("PowerPoint Document", PPT),
)
_ROOT = re.compile(
    r"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!doctype\s+(?P<type>\w*)[^>\[]*(?:\[.*?\]\s*)?>\s*)*<(?P<root>[a-z][\w:.-]*)",
    re.I | re.S,
)
_MAGIC = (
    (b"\xff\xd8\xff", JPG),
    (b"\x89PNG\r\n\x1a\n", PNG),
    (b"GIF8", GIF),
    (b"BM", BMP),
    (b"II*\x00", TIFF),
    (b"MM\x00*", TIFF),
    (b"II+\x00", TIFF),
    (b"MM\x00+", TIFF),
    (b"\x00\x00\x00\x0cjP  \r\n\x87\n", JP2),
    (b"\xff\x4f\xff\x51", JP2),
    (b"{\\rtf", RTF),
    (b"\xdb\xa5\x2d\x00", DOC),  # Word 2
)


def kind_of(path: Path) -> Kind | None:
    """The kind of the bytes at `path`; None when it is none we know (or empty)."""
    with path.open("rb") as stream:
        head = stream.read(HEAD)
    if tells(head):
        return kind_of_head(head)
    return _zip_kind(path) if head.startswith(_ZIP) else _ole_kind(path)


def tells(head: bytes) -> bool:
    """Whether a file's first HEAD bytes tell its kind: what tells a container's stands at its end."""
    return not head.startswith((_ZIP, _OLE)) or _is_pdf(head)


def kind_of_head(head: bytes) -> Kind | None:
    """The kind of a file that its first HEAD bytes tell."""
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    if _is_pdf(head):
        return PDF
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return WEBP
    if head[4:8] == b"ftyp" and head[8:12] in (b"heic", b"heix", b"mif1", b"hevc", b"msf1"):
        return HEIC
    return _text_kind(head)


def _is_pdf(head: bytes) -> bool:
    return b"%PDF-" in head[:1024]


def _zip_kind(path: Path) -> Kind:
    try:
        with zipfile.ZipFile(path) as archive:
            if not is_its_own(archive):
                return _zip_wreck(path)
            names = archive.namelist()
            mimetype = archive.read("mimetype")[:100] if "mimetype" in names else b""
            types = archive.read(_TYPES)[:_HEAD_OF_WRECK] if _TYPES in names else b""
    except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, ValueError, NotImplementedError, EOFError):
        return _zip_wreck(path)
    return _package_kind(names, mimetype) or next((kind for kind, _, word in _PARTS if word in types), ZIP)


def is_its_own(archive: zipfile.ZipFile) -> bool:
    """Whether a zip's table is its own: where the end is gone, that of a workbook within it may be the last."""
    return not archive.filelist or not min(entry.header_offset for entry in archive.filelist)


def _package_kind(names: Sequence[str], mimetype: bytes) -> Kind | None:
    for kind, main, _ in _PARTS:
        folder = main.partition("/")[0] + "/"
        if main in names or (_TYPES in names and any(name.startswith(folder) for name in names)):
            return kind
    named = mimetype.decode("latin-1").removesuffix("-template")
    return next((kind for kind in (ODT, ODS, ODP) if named == kind.mime), None)


def _zip_wreck(path: Path) -> Kind:
    """The kind of a zip without a table of contents: its entries name themselves, too."""
    with path.open("rb") as stream:
        data = stream.read(_HEAD_OF_WRECK)
    names, mimetype = [], b""
    for found in re.finditer(rb"PK\x03\x04.{22}(..)(..)", data, re.S):
        end = found.end() + int.from_bytes(found[1], "little")
        names.append(data[found.end() : end].decode("latin-1"))
        if names == ["mimetype"]:
            mimetype = data[end : data.find(b"PK", end)]
    return _package_kind([], mimetype) or _cut_kind(names)


def _cut_kind(names: Sequence[str]) -> Kind:
    """The kind of a package whose end is gone, and perhaps its types: LibreOffice writes them last.

    The first name that tells: further on may stand those of a workbook within it.
    """
    if not names or not names[0].startswith(_FIRST):
        return ZIP
    told = (kind for name in names for kind, main, _ in _PARTS if name.startswith(main.partition("/")[0] + "/"))
    return next(told, OFFICE_BROKEN)


def _ole_kind(path: Path) -> Kind | None:
    import olefile

    try:
        with olefile.OleFileIO(path) as ole:
            return next((kind for name, kind in _STREAMS if ole.exists(name)), None)
    except Exception:  # olefile meets broken tables with whatever Python raises there
        return _ole_wreck(path)


def _ole_wreck(path: Path) -> Kind:
    """The kind by the names that still stand in it: LibreOffice opens some of these."""
    with path.open("rb") as stream:
        data = stream.read(_HEAD_OF_WRECK).lower()
    return next((kind for name, kind in _STREAMS if name.lower().encode("utf-16-le") in data), OFFICE_BROKEN)


def _text_kind(head: bytes) -> Kind | None:
    if not head or b"\x00" in head.replace(b"\xff\xfe", b"")[:1] or _binary(head):
        return None
    wide = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    start = head.decode("utf-16", "ignore") if wide else head.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    if re.match(r"mime-version:.*multipart/related", start, re.I | re.S):
        return None
    found = _ROOT.match(start)
    if found is None:
        return TXT
    if (found["type"] or "").lower() == "html" or found["root"].lower() in ("html", "head", "body", "meta"):
        return HTML
    if found["root"] == "office:document":
        return FODT if ODT.mime in start else None
    if found["root"] == "w:wordDocument":
        return WORDML
    if found["root"].rpartition(":")[2] == "Workbook" and _SHEETML in start:
        return SHEETML
    return SVG if found["root"].rpartition(":")[2] == "svg" else TXT


def _binary(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    control = sum(byte < 9 or 13 < byte < 32 for byte in head)
    return control * 50 > len(head)
