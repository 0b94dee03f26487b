"""Fields that bring in other files, taken out of RTF, .doc and docx: what they showed last stays."""

import binascii
import re
from contextlib import suppress
from dataclasses import dataclass, field

from cluster.engines.office.doc import BROKEN, blanked

_INCLUDING = r"INCLUDE(?:PICTURE|TEXT)?|IMPORT|DDE(?:AUTO)?|LINK|DATABASE|RD"
_LEADS_OUT = re.compile(rf"\W*(?:{_INCLUDING})\b", re.I)
_TOKEN = re.compile(
    rb"\\bin(?P<bin>\d+) ?|\\'(?P<hex>[0-9a-f]{2})|\\u(?P<wide>-?\d+) ?|\\(?P<word>[a-z]+)(?P<number>-?\d*) ?"
    rb"|\\.|(?P<brace>[{}])|(?P<text>[^\\{}]+)",
    re.I | re.S,
)
_DOCX = re.compile(
    rf"(<(?:\w+:)?instrText\b[^>]*>)\s*(?:{_INCLUDING})\b[^<]*|(\binstr=\")\s*(?:{_INCLUDING})\b[^\"]*".encode(), re.I
)
#: So many characters of a field's instruction at most are blanked in a .doc; Word allows fewer.
_LONGEST = 2048
_HEAD = 8192


@dataclass
class _Group:
    """An open `fldinst` or `pict`: what it says so far (`said`), and from where in the file."""

    depth: int
    start: int
    picture: bool
    said: bytearray = field(default_factory=bytearray)


def cut_rtf(data: bytes) -> tuple[bytes, int]:
    """RTF whose fields include nothing and whose pictures are no SVG; and how many were cut."""
    spans = list(_rtf_spans(data))
    for start, end in reversed(spans):
        data = data[:start] + data[end:]
    return data, len(spans)


def _rtf_spans(data: bytes) -> list[tuple[int, int]]:
    """Where the contents of such fields and pictures stand."""
    spans, depth, place, skip, held = [], 0, 0, 0, None
    while (token := _TOKEN.search(data, place)) is not None:
        place = token.end() + int(token["bin"] or 0)
        if token["brace"] == b"{":
            depth += 1
        elif token["brace"] == b"}":
            depth -= 1
            if held and depth < held.depth:
                if _is_bad(held):
                    spans.append((held.start, token.start()))
                held = None
        elif held is None and token["word"] in (b"fldinst", b"pict"):
            held = _Group(depth, place, token["word"] == b"pict")
        elif held is not None and len(held.said) < _HEAD:
            skip = _listen(held, token, data[token.end() : place], skip)
    return spans


def _listen(held: _Group, token: "re.Match[bytes]", binary: bytes, skip: int) -> int:
    """Add what the token says; returns how many characters behind it are a stand-in for older readers."""
    said = binary or token["text"] or b""
    if not held.picture:
        said = said.replace(b"\r", b"").replace(b"\n", b"")
    if token["hex"]:
        said = binascii.unhexlify(token["hex"])
    if token["wide"]:
        held.said += chr(int(token["wide"]) & 0xFF).encode("latin-1")
        return 1
    held.said += said[skip:]
    return max(0, skip - len(said))


def _is_bad(held: _Group) -> bool:
    if not held.picture:
        return bool(_LEADS_OUT.match(held.said.decode("latin-1")))
    digits = re.sub(rb"[^0-9a-f]", b"", bytes(held.said), flags=re.I)
    shown = binascii.unhexlify(digits[: len(digits) // 2 * 2])
    return any(b"<svg" in head or head.startswith(b"\x1f\x8b") for head in (shown, bytes(held.said)))


def cut_doc(data: bytes) -> tuple[bytes, int]:
    """A .doc in which the instructions of including fields are blanks: nothing moves, so no table has to change.

    First as Word reads it; then whatever looks like one, for what is older or broken.
    """
    count = 0
    with suppress(*BROKEN):
        data, count = blanked(data, _LEADS_OUT.match)
    made = bytearray(data)
    for encoding in ("latin-1", "utf-16-le"):
        wide = len("x".encode(encoding))
        begin, ends = "\x13".encode(encoding), ("\x14".encode(encoding), "\x15".encode(encoding))
        for word in ("INCLUDEPICTURE", "INCLUDETEXT", "DDEAUTO", "DDE"):
            for found in re.finditer(re.escape(word.encode(encoding)), data, re.I):
                if begin not in data[max(0, found.start() - 8 * wide) : found.start()]:
                    continue
                after = data[found.start() : found.start() + _LONGEST * wide]
                end = min((place for mark in ends if (place := after.find(mark)) > 0), default=len(found[0]))
                made[found.start() : found.start() + end] = (" " * (end // wide)).encode(encoding)
                count += 1
    return bytes(made), count


def cut_docx(data: bytes) -> tuple[bytes, int]:
    """A part of a docx without the instructions of including fields."""
    return _DOCX.subn(lambda found: found[1] or found[2], data) if b"instr" in data else (data, 0)
