"""What the tools share that make a PDF of an office document: Word, Excel, PPT to PDF."""

import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cluster.fields import Words, shown
from cluster.kinds import DOCX, FODT, HTML, ODT, PDF, RTF, TXT, WORDML, Kind
from cluster.problem import InputProblem
from cluster.tool import Output, Source, Work

if TYPE_CHECKING:
    from cluster.engines.office.check import Found
    from cluster.engines.office.client import Document

Archive = Literal["none", "pdfa1", "pdfa2", "pdfa3"]
ARCHIVES: Mapping[Archive, Words] = {
    "none": ("普通 PDF", "Ordinary PDF"),
    "pdfa1": ("PDF/A-1", "PDF/A-1"),
    "pdfa2": ("PDF/A-2", "PDF/A-2"),
    "pdfa3": ("PDF/A-3", "PDF/A-3"),
}
ArchiveFormat = Annotated[Archive, shown("存档格式", "Archive format", "select", choices=ARCHIVES)]
"""Which PDF is written."""

ImageQuality = Annotated[
    Literal["original", "print", "screen"],
    shown(
        "图片质量",
        "Picture quality",
        "select",
        choices={
            "original": ("原图", "As they are"),
            "print": ("打印（300 dpi）", "Print (300 dpi)"),
            "screen": ("屏幕（150 dpi）", "Screen (150 dpi)"),
        },
    ),
]
"""How finely pictures are kept."""

#: A pattern for parts of packages of which none is wanted.
NO_PARTS = re.compile("(?!)")
#: What LibreOffice calls an open text document.
TEXTS = ("TextDocument", "WebDocument", "GlobalDocument")
#: Import filters by kind; a filter named here cannot be talked into another by the content.
_TEXT_FILTERS = {
    DOCX: "MS Word 2007 XML",
    ODT: "writer8",
    RTF: "Rich Text Format",
    TXT: "Text (encoded)",
    FODT: "OpenDocument Text Flat XML",
    WORDML: "MS Word 2003 XML",
    HTML: "HTML (StarWriter)",
}
_TEXT_FONT = "Noto Sans Mono CJK SC"
#: quality of JPEG, dpi
_IMAGES = {"screen": (75, 150), "print": (90, 300)}
_ARCHIVES = {"none": 0, "pdfa1": 1, "pdfa2": 2, "pdfa3": 3}
#: Of an export that takes long, progress goes from here to there.
_BEFORE, _AFTER = 0.5, 0.95


@dataclass(frozen=True)
class Family:
    """The documents that a tool takes: kinds of file, what LibreOffice calls them once open, and its PDF writer."""

    kinds: tuple[Kind, ...]
    documents: tuple[str, ...]
    writer: str


#: How LibreOffice opens a file: which file in its stead, and its own properties on load.
Loading = tuple[Path, Mapping[str, Any]]


@dataclass
class Conversion:
    """A document that is open, and what was found on the way there."""

    work: Work[Any]
    source: Source
    document: "Document"
    found: "Found"
    links: int
    writer: str
    reached: float = _BEFORE

    def export(self, text: bool | None, data: Mapping[str, Any]) -> Output:
        """Write the PDF; `text` says whether it must hold some."""
        output = self.work.output(PDF)
        output.text = text
        self.document.store(output.path, self.writer, self._told, **data)
        self.work.progress(_AFTER, 1, "writing")
        return output

    def _told(self, done: int, whole: int) -> None:
        if whole:  # an export has stages, each of which counts from 0
            self.reached = max(self.reached, _BEFORE + (_AFTER - _BEFORE) * min(done, whole) / whole)
            self.work.progress(self.reached, 1, "converting")

    def tell(self, output: Output, fonts: list[str]) -> None:
        """Receipt: what came through, fonts that stand in for others, macros and links that were left alone."""
        pages, used = _made(output)
        self.work.note("kept", "pages_converted", count=pages)
        if output.text:
            self.work.note("kept", "text_kept")
        if self.found.macros:
            self.work.note("told", "macros_ignored")
        if self.links:
            self.work.note("lost", "remote_blocked")
        if detail := _replaced(self.document.do("stand_ins", names=fonts), used):
            self.work.note("changed", "fonts_substituted", detail=detail)

    def named_fonts(self) -> list[str]:
        """The families that the open document names, by its own word."""
        named: dict[str, list[str]] = self.document.do("fonts")
        return sorted({*named["western"], *named["asian"]})


@dataclass(frozen=True)
class Ready:
    """A source that may be opened: unlocked, checked, and at `path` without what led out of it (`links` of them)."""

    source: Source
    path: Path
    found: "Found"
    links: int


def readied(work: Work[Any], source: Source, kinds: tuple[Kind, ...], keep: "re.Pattern[str]") -> Ready:
    """Unlock a source, check it, cut what leads out. `keep` matches the parts whose bytes are wanted."""
    from cluster.engines.office.check import check_office
    from cluster.engines.office.links import cut
    from cluster.engines.office.locks import unlocked
    from cluster.engines.office.wreck import salvaged

    source = unlocked(source, work.scratch(f"unlocked{source.index}"))
    if source.kind not in kinds:
        raise InputProblem("not_supported_type", file=source.name, found=source.kind.key)
    source, short = salvaged(source, work.scratch(f"salvaged{source.index}"))
    found = check_office(source, keep=keep)
    if short is not None:
        work.note("changed", "repaired")
    if short:
        work.note("lost", "office_cut", detail=source.name)
    path, links = cut(source, work.scratch(f"cut{source.index}"))
    return Ready(source, path, found, links)


@contextmanager
def opened(
    work: Work[Any], family: Family, keep: "re.Pattern[str]", loading: Callable[[Source, Path], Loading]
) -> Iterator[Conversion]:
    """The work's source made ready and open; `loading` says which file is opened in its stead, and how."""
    from cluster.engines.office import client as office

    ready = readied(work, work.source, family.kinds, keep)
    work.progress(0.1, 1, "converting")
    path, properties = loading(ready.source, ready.path)
    if properties.get("ReadOnly") is False and path == work.source.path:
        path = _own_copy(work, path)
    with office.opened(ready.source, path, **properties) as document:
        if document.kind not in family.documents:
            found = document.kind.removesuffix("Document")
            raise InputProblem("not_supported_type", file=ready.source.name, found=found)
        work.progress(_BEFORE, 1, "converting")
        yield Conversion(work, ready.source, document, ready.found, ready.links, family.writer)


def _own_copy(work: Work[Any], path: Path) -> Path:
    """A copy under the same name: a staged file cannot be written, and LibreOffice opens none such for writing."""
    own = work.scratch("own") / path.name
    own.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, own)
    return own


def text_loading(work: Work[Any], source: Source, path: Path) -> Loading:
    """How LibreOffice opens a text document; a plain text, whose encoding nobody told, in UTF-8."""
    from cluster.engines.office.text import read_text

    loading: dict[str, Any] = {"FilterName": _TEXT_FILTERS[source.kind]} if source.kind in _TEXT_FILTERS else {}
    if source.kind is not TXT:
        return path, loading
    path = work.scratch("utf8") / source.path.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(read_text(source), encoding="utf-8", newline="\n")
    return path, loading | {"FilterOptions": f"UTF8,LF,{_TEXT_FONT},zh-CN,"}


def export_data(archive: str, images: str, **more: Any) -> dict[str, Any]:
    """LibreOffice's names for what was chosen."""
    data: dict[str, Any] = {
        "SelectPdfVersion": _ARCHIVES[archive],
        "UseLosslessCompression": images == "original",
        "ReduceImageResolution": images != "original",
    }
    if images != "original":
        quality, dpi = _IMAGES[images]
        data |= {"Quality": quality, "MaxImageResolution": dpi}
    return data | more


def _replaced(stand_ins: Mapping[str, str], used: list[str]) -> str:
    """`asked → used; …`: a face of our table where the result has it, else all that the result has."""
    pairs = []
    for name, face in stand_ins.items():
        if not face:
            pairs.append(f"{name} → {', '.join(used)}" if used else name)
        elif _plain(face) in map(_plain, used):
            pairs.append(f"{name} → {face}")
    return "; ".join(pairs[:12])


def _plain(name: str) -> str:
    """A family as a PDF writes it; in a collection all regions' faces have the name of one."""
    return re.sub(r"cjk(?:sc|tc|jp|kr|hk)$", "cjk", name.replace(" ", "").lower())


def _made(output: Output) -> tuple[int, list[str]]:
    """Pages of the result, and the families that it embeds."""
    from pikepdf import Dictionary

    from cluster.engines.pdf.libraries import import_pikepdf

    with import_pikepdf().open(output.path) as pdf:
        fonts = [each for each in pdf.objects if isinstance(each, Dictionary) and each.get("/Type") == "/Font"]
        names = {str(font.get("/BaseFont", "")).lstrip("/").rpartition("+")[2].partition("-")[0] for font in fonts}
        return len(pdf.pages), sorted(names - {""})
