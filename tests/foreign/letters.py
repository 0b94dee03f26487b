"""The letters of PDFs beside those of the office documents made of them."""

import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from lxml import etree

from tests.foreign.case import Case
from tests.foreign.seen import Seen


def letters_of_all(case: Case) -> Iterator[str]:
    """Letters and figures of PDFs beside those of the office documents made of them, which break lines elsewhere."""
    if any(note.get("what") in ("pages_garbled", "pages_layered") for note in case.ran.notes):
        return  # its letters are not those that are seen, and the receipt says so
    source = (case.sources or [])[0]
    shown = [seen for _, _, seen in case.results if seen is not None]
    found = _composed(text for each in shown for text in each.texts or ())
    found += _composed(text for _, result, _ in case.results for text in _in_pictures(result.path))
    second = (source.text(page) for page in range(1, (source.pages or 0) + 1))
    said = [_composed(texts) - found for texts in (source.texts or (), (text or "" for text in second))]
    least, slips = min(said, key=Counter.total), max(3, 0.02 * found.total())
    if len(shown) < len(case.ran.results) or least.total() <= slips:
        return
    least = least - _clipped(source) - _composed([source.printed_again or ""])
    if least.total() > slips:
        letters = "".join(letter for letter, _ in least.most_common(12))
        yield f"{least.total()} letters missing in {case.results[0][1].name}, such as {letters}"


def _clipped(source: Seen) -> Counter[str]:
    """The letters that a page's clips hide: a printer's line outside of them, say."""
    pages = range(1, (source.pages or 0) + 1)
    every, seen = ([source.visible(page, clipped=clips) or "" for page in pages] for clips in (True, False))
    return _composed(every) - _composed(seen)


def _in_pictures(path: Path) -> list[str]:
    """The words of a Word document's pictures, as it tells them to who can't see them."""
    if not zipfile.is_zipfile(path):
        return []
    with zipfile.ZipFile(path) as file:
        body = file.read("word/document.xml") if "word/document.xml" in file.namelist() else b"<none/>"
    return [node.get("descr", "") for node in etree.fromstring(body).iter("{*}docPr")]


def _composed(texts: Iterable[str]) -> Counter[str]:
    """As Unicode composes them: what is drawn as one ligature counts as its letters."""
    return Counter(letter for text in texts for letter in unicodedata.normalize("NFKC", text) if letter.isalnum())
