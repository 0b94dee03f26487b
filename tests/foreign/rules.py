"""What holds for which tool. A new tool is judged by DEFAULT until it has a line here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from tests.foreign.structure import Origins
from tests.running import tool

EVERYTHING = frozenset({"links", "fields", "annotations", "outline", "attachments"})
ON_PAGES = EVERYTHING - {"attachments"}
MIB = 1 << 20


@dataclass(frozen=True)
class Rule:
    """How results of a tool are judged.

    pages: which page of which source each page of each result is (None: unknown, and only opened and counted).
    look: how a page's drawing compares with its source's: `same`, `alike` (SSIM above `floor`, colours stay),
    `turned` (a quarter to the right), `marked` (a veil of `veil` of 255), `picture` (the result is the page's
    picture), `scanned` (each page of it is), or `any`. words: `same` on each page, or `kept` (more may come, and in
    an office document they stand anywhere), or `any`; `reference` says that a bare LibreOffice's PDF stands for the
    source. structure: what must come over. alone: no other page's words in a result.
    size: `input` (never larger, unless repaired) or `copy` (near a fresh copy of its pages). Seconds are CPU.
    dpi: how finely pages are drawn for `look`; 0 is moderately. pictures: the source's own are opened, and vast ones
    refused.
    """

    options: Mapping[str, Any] = field(default_factory=dict)
    pages: Callable[[list[int], list[int]], list[Origins] | None] = lambda sources, results: None
    look: Literal["same", "alike", "turned", "marked", "picture", "scanned", "any"] = "any"
    floor: float = 1.0
    dpi: float = 0
    veil: float = 0.0
    words: Literal["same", "kept", "any"] = "any"
    reference: bool = False
    structure: frozenset[str] = frozenset()
    alone: bool = False
    pictures: bool = False
    size: Literal["input", "copy", "any"] = "any"
    seconds: float = 30
    seconds_a_page: float = 0.5
    memory: int = 1300 * MIB


def one_to_one(sources: list[int], results: list[int]) -> list[Origins] | None:
    """Each result has the pages of its source, in their order."""
    return [[(index, page) for page in range(1, count + 1)] for index, count in enumerate(sources)]


def as_word(sources: list[int], results: list[int]) -> list[Origins] | None:
    """The pages of the source, of which LibreOffice by itself may make one more than Word has: for endnotes, which Word
    has right behind the text, or for an empty paragraph that goes over. What words were on it is asked apart."""
    return one_to_one([count - (1 < count == own + 1) for count, own in zip(sources, results, strict=False)], results)


def joined(sources: list[int], results: list[int]) -> list[Origins] | None:
    """One result has all pages of all sources."""
    return [[(index, page) for index, count in enumerate(sources) for page in range(1, count + 1)]]


def parted(sources: list[int], results: list[int]) -> list[Origins] | None:
    """The results together have the pages of the one source, in their order."""
    pages = iter(range(1, sources[0] + 1))
    parts = [[(0, page) for _, page in zip(range(count), pages, strict=False)] for count in results]
    rest = [(0, page) for page in pages]
    return [*parts[:-1], [*parts[-1], *rest]] if parts else [rest]


def a_page_each(sources: list[int], results: list[int]) -> list[Origins] | None:
    """Each result is one page of the one source."""
    return [[(0, page)] for page in range(1, sources[0] + 1)]


def first_page(sources: list[int], results: list[int]) -> list[Origins] | None:
    """The result is the source's first page."""
    return [[(0, 1)]]


def without_first(sources: list[int], results: list[int]) -> list[Origins] | None:
    """The result has all pages of the one source but the first."""
    return [[(0, page) for page in range(2, sources[0] + 1)]]


def with_blank(sources: list[int], results: list[int]) -> list[Origins] | None:
    """The result has all pages of the one source, and one of nobody's."""
    return [[*((0, page) for page in range(1, sources[0] + 1)), None]]


def with_sliver(sources: list[int], results: list[int]) -> list[Origins] | None:
    """Each page of the one source, and after it a strip of its right edge on which nothing stands."""
    return [[each for page in range(1, sources[0] + 1) for each in ((0, page), None)]]


DEFAULT = Rule()
_MERGE = Rule({}, joined, "same", words="same", structure=EVERYTHING)
_UNLOCK = Rule(tool("unlock").example, one_to_one, "same", words="same", structure=EVERYTHING)
_SPLIT = Rule(
    {"split": {"how": "every", "pages": 1}}, parted, "same", words="same", structure=ON_PAGES, alone=True, size="copy"
)
#: tool key -> what holds beside what holds for all: a sensible end, results that others open, promised pages, its cost.
RULES: dict[str, Rule] = {
    "compress": Rule(
        {},
        one_to_one,
        "alike",
        floor=0.97,
        dpi=100,
        words="same",
        structure=EVERYTHING,
        size="input",
        seconds_a_page=2.5,
    ),
    "rotate": Rule({"turn": 2}, one_to_one, "turned", words="same", structure=EVERYTHING),
    "merge": _MERGE,
    "big_merge": _MERGE,
    "encrypt": Rule(tool("encrypt").example, one_to_one, "same", words="same", structure=EVERYTHING),
    "unlock": _UNLOCK,
    "big_unlock": _UNLOCK,
    "extract": Rule({"pages": "1"}, first_page, "same", words="same", structure=ON_PAGES, alone=True, size="copy"),
    "delete": Rule({"pages": "1"}, without_first, "same", words="same", structure=ON_PAGES, alone=True, size="copy"),
    "arrange": Rule({}, joined, "same", words="same", structure=EVERYTHING),
    "insert": Rule({}, joined, "same", words="same", structure=EVERYTHING),
    "blank": Rule({}, with_blank, "same", words="same", structure=EVERYTHING),
    "uniform_width": Rule(tool("uniform_width").example, one_to_one, words="same", structure=EVERYTHING),
    "segmentation": Rule({"column_cuts": [0.995]}, with_sliver, words="same", structure=EVERYTHING, seconds_a_page=3),
    "split": _SPLIT,
    "big_split": _SPLIT,
    # 30 % of a dark mark over white
    "watermark": Rule(
        tool("watermark").example, one_to_one, "marked", veil=0.3 * 255, words="kept", structure=EVERYTHING
    ),
    # Letters cover less than half of a patch.
    "page_number": Rule({}, one_to_one, "marked", veil=0.5 * 255, words="kept", structure=EVERYTHING),
    "stamp": Rule(
        {**tool("stamp").example, "opacity": 30},
        one_to_one,
        "marked",
        veil=0.3 * 255,
        words="kept",
        structure=EVERYTHING,
    ),
    # Letters cover less than half of a patch.
    "sign": Rule(tool("sign").example, one_to_one, "marked", veil=0.5 * 255, words="kept", structure=EVERYTHING),
    # Pale text in the upper left corner: all of a page that is small.
    "edit": Rule(
        {"acts": [{**tool("edit").example["acts"][0], "opacity": 30}]},
        one_to_one,
        "marked",
        veil=0.3 * 255,
        words="kept",
        structure=EVERYTHING,
        seconds_a_page=1,
    ),
    "pdf_to_image": Rule({}, a_page_each, "picture", seconds_a_page=2),
    "extract_image": Rule({"smallest": 1}, pictures=True, seconds_a_page=2),
    # As it is seen, where nothing of the scanner's is put in, and with its words.
    "pdf_to_scan": Rule(
        {
            **dict.fromkeys(("tone", "tilt", "noise", "blur", "contrast", "border"), 0),
            "preset": "custom",
            "vary": False,
            "quality": 95,
            "text": True,
        },
        one_to_one,
        "scanned",
        words="kept",
        structure=frozenset({"links", "outline", "attachments"}),
        seconds_a_page=3,
    ),
    "image_to_pdf": Rule(seconds_a_page=2),
    "image_watermark": Rule(tool("image_watermark").example, seconds_a_page=5),
    "word_merge": Rule(words="kept", reference=True, seconds=60),
    "word_to_pdf": Rule({}, as_word, words="kept", reference=True, seconds=60),
    # What is read is no PDF any more: a bare LibreOffice opens it and shows its words.
    "pdf_to_word": Rule(words="kept", seconds=90, seconds_a_page=30, memory=3000 * MIB),
    "pdf_to_ppt": Rule(words="kept", seconds=90, seconds_a_page=30, memory=3000 * MIB),
    "pdf_to_excel": Rule(seconds=90, seconds_a_page=30, memory=3000 * MIB),
    "pdf_table": Rule(seconds=90, seconds_a_page=30, memory=3000 * MIB),
    # Its pages are other ones than LibreOffice's own: columns stay together.
    "excel_to_pdf": Rule({}, words="kept", reference=True, seconds=60),
    "ppt_to_pdf": Rule({}, one_to_one, words="kept", reference=True, seconds=60),
    "image_to_word": Rule(seconds=120, seconds_a_page=30, memory=3000 * MIB),
    "image_table": Rule(seconds=120, seconds_a_page=30, memory=3000 * MIB),
    "image_to_text": Rule(seconds=120, seconds_a_page=30, memory=3000 * MIB),
}


#: What reading words off pictures costs.
_READ = {"seconds": 120, "seconds_a_page": 30, "memory": 3000 * MIB}


def rule_of(key: str, options: Mapping[str, Any] | None = None) -> Rule:
    """The tool's rule, or DEFAULT with the options it cannot do without; `options` are chosen over those."""
    rule = RULES.get(key) or Rule(tool(key).example)
    chosen = {**rule.options, **(options or {})}
    return replace(rule, options=chosen, **(_READ if chosen.get("searchable") else {}))
