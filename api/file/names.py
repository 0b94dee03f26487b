"""File names: what people may have typed or attackers sent, made safe to show and to offer."""

import re
import unicodedata
from urllib.parse import quote

_UNSAFE = re.compile(r'[\x00-\x1f\x7f-\x9f/\\:*?"<>|\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]')
_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)", re.IGNORECASE)
LONGEST = 150


def clean_name(name: str) -> str:
    """The last component of `name` without controls, separators or text-direction tricks; its extension stays."""
    last = re.split(r"[/\\]", name)[-1]
    plain = _UNSAFE.sub("_", unicodedata.normalize("NFC", last)).strip(". ")
    if _DEVICES.match(plain):
        plain = f"_{plain}"
    stem, dot, extension = plain.rpartition(".")
    if dot and stem and len(extension) <= 10:
        return f"{stem[:LONGEST]}.{extension}"
    return plain[:LONGEST] or "document"


def attachment(name: str) -> str:
    """Content-Disposition that saves a file as `name` (RFC 6266, RFC 8187)."""
    safe = clean_name(name)
    plain = unicodedata.normalize("NFKD", safe).encode("ascii", "replace").decode().replace("?", "_")
    return f"attachment; filename=\"{plain.replace('%', '_')}\"; filename*=UTF-8''{quote(safe, safe='')}"


def unique_names(names: list[str]) -> list[str]:
    """The names with ` (2)`, ` (3)` … where one repeats, told apart without regard to case."""
    taken: set[str] = set()
    unique = []
    for name in names:
        stem, dot, extension = name.rpartition(".")
        candidate, count = name, 1
        while candidate.casefold() in taken:
            count += 1
            candidate = f"{stem or extension} ({count}){dot if stem else ''}{extension if stem else ''}"
        taken.add(candidate.casefold())
        unique.append(candidate)
    return unique
