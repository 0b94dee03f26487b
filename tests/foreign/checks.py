"""The judgements. Each yields one short sentence a fault; a fault needs two witnesses where programs may err."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import numpy
from PIL import Image

from cluster.kinds import PDF, PICTURES
from tests.foreign import leaks, pixels, programs
from tests.foreign.aside import Cannot
from tests.foreign.bench import ABNORMAL, SUCCESS, TIMEOUT, Result
from tests.foreign.case import OFFICE, Case, drawn_pages
from tests.foreign.drawn import pictures, scanned
from tests.foreign.letters import letters_of_all
from tests.foreign.seen import TEXT_PAGES, Seen
from tests.foreign.structure import Origins, lost
from tests.foreign.witnesses import Compare, witnessed

Faults = Iterator[str]
#: Reasons that say a file cannot be read, and those that options nobody chose cannot be the cause of.
_UNREADABLE = {"damaged_file", "not_supported_type", "empty_file", "unsafe_content", "too_large_when_opened"}
_OURS = {"option_invalid", "page_range_invalid", "glyph_missing", "file_unknown", "timed_out", "engine_unavailable",
         "internal", "too_many_files", "too_few_files"}  # fmt: skip
#: Characters that may be read otherwise on a page.
_SLIPS = 2, 0.005
#: A word; where no blanks stand between them, a letter: lines break elsewhere in other faces.
_WORD = re.compile("[⺀-\u9fff豈-\ufaff︰-\uffef]|[^\\s⺀-\u9fff豈-\ufaff︰-\uffef]+")
#: Paths that only we know.
_OUR_PATHS = re.compile(r"/job/|/tmp/|\bin/\d\.")
_TOO_LARGE = {"too_large_when_opened"}
_SIZED = 50
_MOST_PIXELS = 100_000_000
_KIB = 1 << 10
_COMPLAINTS = ["", "warning", "error", "no answer"]


def ended(case: Case) -> Faults:
    """A sensible end: no opaque failure, and nothing refused that two others read."""
    status, inputs = case.ran.status, case.inputs
    if status in (ABNORMAL, TIMEOUT):
        yield f"{status} ({case.ran.detail})"
    elif status in _OURS:
        yield f"{status} with options that nobody chose"
    elif status in ("password_required", "password_wrong"):
        if all(each.seen is not None and _opens(each.seen) for each in inputs):
            yield f"{status}, and others open it without one"
    elif status in _UNREADABLE:
        yield from _refused(case)


def _opens(seen: Seen) -> bool:
    return len(seen.readers) > 1


def _refused(case: Case) -> Faults:
    first = case.inputs[0]
    status = f"{case.ran.status} ({case.ran.detail})" if case.ran.detail else case.ran.status
    if case.ran.status == "empty_file" and not first.path.stat().st_size:
        return
    if case.rule.reference:
        if first.seen is not None and first.seen.pages:
            yield f"{status}, and a bare LibreOffice makes {first.seen.pages} pages of it"
        elif case.ran.status == "not_supported_type":
            yield f"{status}, though its name says what it was"
    elif first.seen is not None and _opens(first.seen) and not _rightly(case, first.seen):
        yield f"{status}, and {' and '.join(first.seen.readers)} read {first.seen.pages or 'its'} pages"
    elif first.kind in PICTURES and _decodes(case):
        yield f"{status}, and Pillow reads it"


def _rightly(case: Case, seen: Seen) -> bool:
    """Whether a file that others open is refused with reason."""
    if case.ran.status in _TOO_LARGE:
        return _vast(seen) or (case.rule.pictures and (seen.largest_picture or 0) > _MOST_PIXELS)
    return case.ran.status == "damaged_file" and _nothing_left(seen)


def _nothing_left(seen: Seen) -> bool:
    """Whether qpdf cannot read it either, and those that open it show white paper: there is nothing to save."""
    drawn = (seen.drawn(each, page) for each in seen.readers for page in drawn_pages(seen.pages or 1))
    return seen.complaint == "error" and not any(pixels.ink(each) for each in drawn if each is not None)


def _vast(seen: Seen) -> bool:
    """Whether a page has more pixels than a picture may have, at the resolution that pictures of pages have."""
    sizes = (seen.size(page) for page in range(1, min(seen.pages or 1, _SIZED) + 1))
    return any(size is not None and size[0] * size[1] * (150 / 72) ** 2 > _MOST_PIXELS for size in sizes)


def _decodes(case: Case) -> bool:
    try:
        with Image.open(case.inputs[0].path) as image:
            image.load()
            return True
    except Exception:  # whatever is wrong with it
        return False


def opens(case: Case) -> Faults:
    """Every result opens everywhere, with as many pages for all."""
    for _, result, seen in case.results:
        if seen is None:
            yield from _holds_something(result)
            continue
        for program, count in seen.counts.items():
            if any(source.counts[program] != source.pages for source in case.sources or ()) or case.late(program):
                continue  # it misreads the source, too
            if count is None:
                yield f"{program} cannot open {result.name}"
            elif result.pages is not None and count != result.pages:
                yield f"{program} counts {count} pages in {result.name}, the gate {result.pages}"
        # What a source brings with it, such as a stream that does not decode, may come over.
        if seen.complaint and _COMPLAINTS.index(seen.complaint) > _complaints_before(case):
            yield f"qpdf --check: {seen.complaint} in {result.name}"


def _complaints_before(case: Case) -> int:
    sources = [each.seen for each in case.inputs if each.seen] if not case.rule.reference else []
    said = [what for each in sources for what in (each.complaint, each.complaint_of_copy)]
    return max(map(_COMPLAINTS.index, said), default=0)


def _holds_something(result: Result) -> Faults:
    if result.kind in PICTURES:
        try:
            with Image.open(result.path) as image:
                image.load()
        except Image.DecompressionBombError:
            return  # a picture may be too large to be looked at: a scan of 35,000 × 35,000 that is stored in 10 KB
        except Exception as error:  # whatever is wrong with it
            yield f"{result.name} does not decode ({type(error).__name__})"
    elif not result.path.read_bytes().strip():
        yield f"{result.name} is empty"
    elif result.kind in OFFICE:
        yield f"a bare LibreOffice makes no page of {result.name}"


def pages(case: Case) -> Faults:
    """As many results and pages as promised."""
    if case.origins is None:
        return
    wanted, found = case.origins, case.ran.results
    if len(wanted) != len(found):
        yield f"{len(found)} results instead of {len(wanted)}"
    if any(each.pages is not None for each in found):
        count, right = sum(each.pages or 0 for each in found), sum(map(len, wanted))
        if count != right:
            yield f"{count} pages instead of {right}"


def looks(case: Case) -> Faults:
    """Pages drawn in colour: a fault when two renderers see it."""
    if case.rule.look == "any" or case.sources is None:
        return
    if own := {"picture": pictures, "scanned": scanned}.get(case.rule.look):
        yield from own(case)
        return
    compare = _COMPARED[case.rule.look](case)
    for result, seen, origins in case.matched:
        for page in drawn_pages(len(origins)):
            index, number = origins[page - 1] or (0, 0)
            if case.rule.look == "turned" and number in case.sources[index].structure.upright:
                continue
            if number and (what := witnessed(case, case.sources[index], number, seen, page, compare)):
                yield f"page {page} of {result.name} looks otherwise: {what}"


def _turned(case: Case) -> Compare:
    return lambda one, two: pixels.within(numpy.rot90(one, -1), two, 60)


_COMPARED: dict[str, Callable[[Case], Compare]] = {
    "same": lambda case: pixels.same,
    "alike": lambda case: partial(pixels.alike, floor=case.rule.floor),
    "turned": _turned,
    "marked": lambda case: partial(pixels.within, drift=case.rule.veil + 30),
}


def words(case: Case) -> Faults:
    """Words of each page against those of its source, by poppler and then by pdfium."""
    for result in case.ran.results if case.rule.words != "any" else ():
        if result.kind is PDF and case.ran.status == SUCCESS:
            yield from _our_paths(case, result)
    if case.rule.words == "any" or case.sources is None:
        return
    if case.rule.reference:
        yield from _words_of_all(case)
        return
    if any(each.kind in OFFICE for each in case.ran.results):
        yield from letters_of_all(case)
        return
    for result, seen, origins in case.matched:
        for page, origin in enumerate(origins[:TEXT_PAGES], 1):
            if origin and (what := _lost_words(case, case.sources[origin[0]], origin[1], seen, page)):
                yield f"page {page} of {result.name}: {what}"
                break


def _our_paths(case: Case, result: Result) -> Faults:
    seen = next((each for _, other, each in case.results if other is result and each), None)
    found = [word for text in (seen.texts or ()) for word in _OUR_PATHS.findall(text)] if seen else []
    before = [source.texts or [] for source in case.sources or ()]
    if found and not any(word in text for word in found for each in before for text in each):
        yield f"{result.name} shows a path of ours"


def _lost_words(case: Case, source: Seen, number: int, result: Seen, page: int) -> str:
    """What two readers miss, in the words of the first; one that reads nothing in the source says nothing."""
    first, second = _text(source.texts, number), source.text(number)
    if (
        case.rule.look == "scanned"
        and (shown := source.visible(number))
        and not _missing(shown, _text(result.texts, page))
    ):
        return ""  # what is clipped away is in no picture of the page
    said = {"poppler": _missing(first, _text(result.texts, page))}
    if said["poppler"] or not (first or "").strip():
        said["pdfium"] = _missing(second, result.text(page))
        said["mupdf"] = _missing(source.third(number), result.third(page))
    # Who did not come back from the source was not asked about what was made of it.
    seen = [each for program, each in said.items() if each and not case.late(program)]
    return seen[0] if len(seen) > 1 else ""


def _text(texts: list[str] | None, page: int) -> str | None:
    return None if texts is None or page > len(texts) else texts[page - 1]


def _missing(before: str | None, after: str | None) -> str:
    """Letters that stand in `before` and no longer in `after`."""
    if before is None or not (wanted := _letters(before)):
        return ""
    if after is None:
        return "no words can be read"
    gone = wanted - _letters(after)
    many = gone.total() > max(_SLIPS[0], _SLIPS[1] * wanted.total())
    return f"{gone.total()} of {wanted.total()} letters lost" if many else ""


def _letters(text: str) -> Counter[str]:
    """What has ink, or stands for it: marks of direction and joiners (Cf) have none."""
    return Counter(letter for letter in text if not letter.isspace() and unicodedata.category(letter) != "Cf")


def _words_of_all(case: Case) -> Faults:
    """Words of office documents beside those of the references, wherever they stand."""
    results = [seen for _, _, seen in case.results if seen is not None]
    wanted, found = _words(case.sources or []), _words(results)
    gone = wanted - found
    if results and gone.total() > max(3, 0.02 * wanted.total()):
        yield f"{gone.total()} of {wanted.total()} words missing in {case.results[0][1].name}"


def _words(documents: list[Seen]) -> Counter[str]:
    return Counter(word for each in documents for text in each.texts or () for word in _WORD.findall(text))


def structure(case: Case) -> Faults:
    """Links, fields, outline, annotations, attachments of the pages that came over."""
    if not case.rule.structure or case.sources is None:
        return
    sources = [source.structure for source in case.sources]
    for result, seen, origins in case.matched:
        for what in lost(case.rule.structure, sources, seen.structure, origins):
            yield f"{result.name}: {what}"
        if any(source.links is None for source in sources):
            yield from _gone_by_pdfium(case, result, seen, origins)


def _gone_by_pdfium(case: Case, result: Result, seen: Seen, origins: Origins) -> Faults:
    """Links and fields on the pages of a source that the first witness cannot read."""
    before = [source.annotations or [] for source in case.sources or ()]
    # A part may leave out links to pages that are not in it; pdfium does not tell where they lead.
    whole = len(origins) >= sum(map(len, before))
    for page, origin in enumerate(origins):
        if origin is None or origin[1] > len(before[origin[0]]) or seen.annotations is None:
            continue
        wanted, found = before[origin[0]][origin[1] - 1], seen.annotations[page]
        if whole and "links" in case.rule.structure and found[0] < wanted[0]:
            yield f"{result.name}: links lost: {wanted[0] - found[0]} of {wanted[0]} on page {page + 1}"
        if "fields" in case.rule.structure and found[1] < wanted[1]:
            yield f"{result.name}: fields lost: {wanted[1] - found[1]} of {wanted[1]} on page {page + 1}"


def alone(case: Case) -> Faults:
    """No other page's words in a part."""
    if not case.rule.alone or case.sources is None or not case.matched:
        return
    (source,) = case.sources
    if (shown := source.shown) is None:
        return
    for result, _, origins in case.matched:
        own = frozenset(number for _, number in filter(None, origins))
        try:
            found = case.aside.call(leaks.leaked, result.path, shown, source.texts or [], own)
        except Cannot:
            continue
        if found:
            yield f"{result.name} holds {len(found)} strings of other pages, such as {found[0][:30]!r}"


def size(case: Case) -> Faults:
    """Not larger than it need be."""
    repaired = any(note.get("what") == "repaired" for note in case.ran.notes)
    if case.rule.size == "input" and case.ran.results and not repaired:
        before, after = case.inputs[0].path.stat().st_size, case.ran.results[0].path.stat().st_size
        if after > before:
            yield f"{after} bytes, larger than the input's {before}"
    if case.rule.size != "copy" or case.sources is None:
        return
    for result, _, origins in case.matched:
        numbers = [number for _, number in filter(None, origins)]
        try:
            fresh, found = programs.fresh_copy(case.sources[0].path, numbers), result.path.stat().st_size
            fresh += case.sources[0].tag_bytes * len(numbers) // (case.sources[0].pages or 1)
        except Cannot:
            continue
        if found > 1.2 * fresh and found > fresh + 10 * _KIB:
            yield f"{result.name} has {found} bytes, a fresh copy {fresh} ({found / fresh:.1f} ×)"


def cost(case: Case) -> Faults:
    """Seconds and memory within the rule's bounds."""
    rule, ran = case.rule, case.ran
    count = sum(each.seen.pages or 1 for each in case.inputs if each.seen) or 1
    if ran.cpu > rule.seconds + rule.seconds_a_page * count:
        yield f"{ran.cpu:.0f} s of CPU for {count} pages"
    if ran.memory > rule.memory:
        yield f"{ran.memory >> 20} MiB of memory"


_ALWAYS = ended, cost
_OF_RESULTS = opens, pages, looks, words, structure, alone, size


def judged(case: Case) -> list[str]:
    """Every fault of the run."""
    checks = (*_ALWAYS, *_OF_RESULTS) if case.ran.status == SUCCESS else _ALWAYS
    return [what for check in checks for what in check(case)]
