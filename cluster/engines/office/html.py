"""HTML that refers to nothing: what LibreOffice would fetch or embed is taken out, links to click stay."""

import re
from typing import Any

from cluster.engines.office.address import is_outside
from cluster.engines.office.text import encoding_of

_ACTIVE = frozenset(
    [
        "script",
        "link",
        "iframe",
        "frame",
        "frameset",
        "object",
        "embed",
        "applet",
        "base",
        "audio",
        "video",
        "meta",
        "source",
        "track",
    ]
)
_REFERRING = frozenset(
    ["src", "srcset", "background", "data", "poster", "lowsrc", "dynsrc", "longdesc", "codebase", "archive", "classid"]
)
_HEAD = b'<!DOCTYPE html><meta http-equiv="Content-Type" content="text/html; charset=utf-8">'
_URL = re.compile(r"url\s*\([^)]*\)?|@import[^;]*;?", re.I)
#: Excel writes it into every cell, and its backslash escapes nothing that could be an address.
_NUMBER_FORMAT = re.compile(r"mso-number-format\s*:\s*(?:\"[^\"]*\"|'[^']*'|[^;]*);?", re.I)
#: LibreOffice's own attribute `sdnum`: language; language of the format; format.
_TEXT = "1033;0;@"
_NUMBER = re.compile(r"[-+]?(?:0|[1-9][\d,]{0,20})(?:\.\d+)?%?")
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([\w-]+)", re.I)


def cut_html(data: bytes) -> tuple[bytes, int]:
    """The page in UTF-8 without references, and how many it had.

    Cells of tables are told to be text, for LibreOffice's spreadsheet: a number there is what the page shows of it.
    """
    from lxml import etree, html

    root = html.document_fromstring(_text(data) or "<html></html>")
    etree.strip_tags(root, etree.Comment, etree.ProcessingInstruction)
    count = sum(_clean(element) for element in list(root.iter()))
    for cell in root.iter("td"):
        cell.set("sdnum", _TEXT)
        if "align" not in cell.attrib and _NUMBER.fullmatch("".join(cell.itertext()).strip()):
            cell.set("align", "right")
    return _HEAD + html.tostring(root, encoding="utf-8"), count


def _text(data: bytes) -> str:
    named = _CHARSET.search(data[:4096])
    try:
        text = data.decode(named[1].decode() if named else encoding_of(data))
    except (UnicodeError, LookupError):
        text = data.decode(encoding_of(data), "replace")
    return re.sub(r"^\s*<\?xml[^>]*>", "", text.replace("\0", ""))


def _clean(element: Any) -> int:
    """Take out what this element refers to; returns how much it was."""
    if element.tag in _ACTIVE:
        shown = bool(element.get("src") or element.get("data") or element.get("href"))
        if element.getparent() is not None:
            element.drop_tree()
        return int(shown)
    return sum(_clean_attribute(element, name) for name in list(element.attrib)) + _clean_style(element)


def _clean_attribute(element: Any, name: str) -> int:
    value = element.get(name)
    if name == "style":
        # An escaped letter may spell what is looked for.
        value = _NUMBER_FORMAT.sub("", value)
        element.set(name, "" if "\\" in value else _URL.sub("none", value))
        return int(element.get(name) != value)
    key = name.rpartition(":")[2].rpartition("}")[2]
    refers = key in _REFERRING or (key == "href" and element.tag not in ("a", "area"))
    if not refers or not is_outside(value, flat=True):
        return 0
    del element.attrib[name]
    return 1


def _clean_style(element: Any) -> int:
    if element.tag != "style" or not element.text:
        return 0
    text, element.text = element.text, "" if "\\" in element.text else _URL.sub("none", element.text)
    return int("url" in text.lower() or "@import" in text.lower())
