"""TrueType programs without what only typesetting needs: layout tables, names, hinting, numbers of empty glyphs.

Works on the tables as bytes: embedded Chinese fonts have 20,000 glyphs of which a page uses fifty.
"""

import re
import struct
from typing import Any

#: What a PDF reader draws with, in the order that loaders like.
_DRAWN = ("head", "hhea", "maxp", "hmtx", "loca", "glyf")
_HINTS = ("cvt ", "fpgm", "prep")
#: Simple fonts find glyphs through these.
_LOOKUP = ("cmap", "post")
_COMPOSITE_MORE, _COMPOSITE_HINTED = 0x20, 0x100
#: Their outlines are put together by their hinting programs (from FreeType's list of such fonts).
_TRICKY = re.compile(
    "cpop|dfgothic|dfgirl|dfhei|dfhsgothic|dfhsmincho|dfkai|dfkyo|dfming|dflihei|dlc|huatian|hwpgothic"
    "|mingli|minglu|pmingli|neckarcsf|jenson|newsong|kaiti"
)


def slim(program: bytes, *, lookup: bool, hints: bool, name: str) -> bytes | None:
    """The program with only its drawn tables; None when it cannot be read.

    lookup: keep cmap and post. hints: keep the hinting, which some renderers use at low resolutions.
    """
    plain = name.lower().replace("-", "").replace(" ", "")
    hinted = hints or bool(_TRICKY.search(plain))
    try:
        tables = _tables(program)
        if not set(tables) >= set(_DRAWN):
            return None
        if not hinted:
            _unhint(tables)
        if not lookup:
            _forget_widths(tables)
    except (struct.error, ValueError, IndexError):
        return None
    wanted = _DRAWN + (_LOOKUP if lookup else ()) + (_HINTS if hinted else ())
    return _written({tag: tables[tag] for tag in wanted if tag in tables})


def _tables(program: bytes) -> dict[str, bytes]:
    version, count = struct.unpack_from(">IH", program)
    if version not in (0x00010000, 0x74727565):
        raise ValueError
    found: dict[str, bytes] = {}
    for number in range(count):
        tag, _, offset, length = struct.unpack_from(">4sIII", program, 12 + 16 * number)
        found[tag.decode("latin-1")] = program[offset : offset + length]
    return found


def _locations(tables: dict[str, bytes]) -> Any:
    """Offsets of all glyphs and of the end."""
    import numpy as np

    (wide,) = struct.unpack_from(">h", tables["head"], 50)
    (count,) = struct.unpack_from(">H", tables["maxp"], 4)
    raw = np.frombuffer(tables["loca"], ">u4" if wide else ">u2", count + 1)
    return raw.astype(np.int64) * (1 if wide else 2)


def _unhint(tables: dict[str, bytes]) -> None:
    """Take the instructions out of every glyph."""
    import numpy as np

    offsets, old = _locations(tables), tables["glyf"]
    sizes = np.zeros(len(offsets) - 1, np.int64)
    pieces: list[bytes] = []
    for number in np.flatnonzero(np.diff(offsets) > 0):
        piece = _unhinted(old[offsets[number] : offsets[number + 1]])
        pieces.append(piece + b"\0" * (-len(piece) % 4))
        sizes[number] = len(pieces[-1])
    placed = np.concatenate(([0], np.cumsum(sizes)))
    wide = int(placed[-1]) > 0x1FFFE
    tables["glyf"] = b"".join(pieces)
    tables["loca"] = (placed if wide else placed // 2).astype(">u4" if wide else ">u2").tobytes()
    tables["head"] = tables["head"][:50] + struct.pack(">h", wide) + tables["head"][52:]
    if len(tables["maxp"]) >= 28:  # no storage, functions, definitions, stack or instructions any more
        tables["maxp"] = tables["maxp"][:18] + b"\0" * 10 + tables["maxp"][28:]


def _unhinted(glyph: bytes) -> bytes:
    (contours,) = struct.unpack_from(">h", glyph)
    if contours >= 0:
        at = 10 + 2 * contours
        (length,) = struct.unpack_from(">H", glyph, at)
        return glyph[:at] + b"\0\0" + glyph[at + 2 + length :]
    return _unhinted_composite(bytearray(glyph))


def _unhinted_composite(glyph: bytearray) -> bytes:
    at, flags = 10, _COMPOSITE_MORE
    while flags & _COMPOSITE_MORE:
        (flags,) = struct.unpack_from(">H", glyph, at)
        struct.pack_into(">H", glyph, at, flags & ~_COMPOSITE_HINTED)
        at += 4 + (4 if flags & 1 else 2)
        at += 2 if flags & 8 else 4 if flags & 0x40 else 8 if flags & 0x80 else 0
    return bytes(glyph[:at])


def _forget_widths(tables: dict[str, bytes]) -> None:
    """Zero the metrics of empty glyphs: a PDF gives the widths itself."""
    import numpy as np

    empty = np.flatnonzero(np.diff(_locations(tables)) == 0)
    (full,) = struct.unpack_from(">H", tables["hhea"], 34)
    metrics = np.frombuffer(tables["hmtx"], ">u2").copy()
    wide = empty[empty < full]
    metrics[wide * 2] = metrics[wide * 2 + 1] = 0
    narrow = empty[empty >= full] + full
    metrics[narrow[narrow < len(metrics)]] = 0
    tables["hmtx"] = metrics.tobytes()


def _written(tables: dict[str, bytes]) -> bytes:
    """A font file of these tables, with its checksums."""
    count = len(tables)
    power = count.bit_length() - 1
    head = struct.pack(">IHHHH", 0x00010000, count, 16 << power, power, 16 * count - (16 << power))
    records, body = [], b""
    start = 12 + 16 * count
    places: dict[str, tuple[int, int]] = {}
    if "head" in tables:
        tables["head"] = tables["head"][:8] + b"\0\0\0\0" + tables["head"][12:]
    for tag, data in tables.items():
        places[tag] = start + len(body), len(data)
        body += data + b"\0" * (-len(data) % 4)
    for tag in sorted(tables):
        offset, length = places[tag]
        records.append(struct.pack(">4sIII", tag.encode("latin-1"), _checksum(tables[tag]), offset, length))
    whole = head + b"".join(records) + body
    at = places["head"][0] + 8
    return whole[:at] + struct.pack(">I", (0xB1B0AFBA - _checksum(whole)) & 0xFFFFFFFF) + whole[at + 4 :]


def _checksum(data: bytes) -> int:
    import numpy as np

    words = np.frombuffer(data + b"\0" * (-len(data) % 4), ">u4")
    return int(words.sum(dtype=np.uint64)) & 0xFFFFFFFF
