"""Read text files whose encoding nobody told: UTF-8, UTF-16, GBK and its kin."""

import codecs

from cluster.files import Source
from cluster.problem import InputProblem, LimitProblem

#: LibreOffice lays out a page in 10 ms; 16 MB of text is about 5,000 pages.
LIMIT = 16 << 20
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_MARK_ROWS = (0xA1, 0xA3)


def read_text(source: Source) -> str:
    """The text of `source`. Raises damaged_file, too_large_when_opened."""
    return decoded(source, LIMIT)[0]


def decoded(source: Source, limit: int, encoding: str | None = None) -> tuple[str, str]:
    """The text of a file of at most `limit` bytes, and the encoding it was read by: the given one, or the one found.

    With a given one, what it does not fit shows as a replacement character. Raises damaged_file, too_large_when_opened.
    """
    if source.size > limit:
        raise LimitProblem("too_large_when_opened", file=source.name)
    data = source.path.read_bytes()
    named = encoding or encoding_of(data)
    try:
        return data.decode(named, "replace" if encoding else "strict").lstrip("\ufeff").replace("\x00", ""), named
    except (UnicodeError, LookupError) as error:
        raise InputProblem("damaged_file", file=source.name) from error


def encoding_of(data: bytes) -> str:
    """The Python name of the encoding; what is not surely something else is taken as Chinese."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    if _decodes(data, "utf-8"):
        return "utf-8"
    if _decodes(data, "gb18030") and _is_everyday(data.decode("gb18030")):
        return "gb18030"
    from charset_normalizer import from_bytes

    best = from_bytes(data[: 256 << 10]).best()
    if best and _decodes(data, best.encoding):
        return best.encoding
    return "gb18030" if _decodes(data, "gb18030") else "cp1252"


def _decodes(data: bytes, name: str) -> bool:
    try:
        data.decode(name)
    except (UnicodeError, LookupError):
        return False
    return True


def _is_everyday(text: str) -> bool:
    """Whether most characters are of the 3,755 that Chinese is written with (GB 2312, level 1), or its marks."""
    foreign = [each.encode("gb18030") for each in text[:20_000] if ord(each) > 127]
    common = sum(len(code) == 2 and (0xB0 <= code[0] <= 0xD7 or code[0] in _MARK_ROWS) for code in foreign)
    return common >= 0.75 * len(foreign)
