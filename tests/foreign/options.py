"""python -m tests.foreign.options [tool …]: every choice of every form, one at a time, over a Chinese, a turned, an
encrypted and a damaged file; status 1 with faults.

Judged is what holds whatever is chosen: a sensible end, results that others open with the pages they promise, their
cost. Beside it stands which choices changed nothing on the Chinese file, to be looked at by somebody.
"""

import argparse
import hashlib
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pikepdf
from pydantic import TypeAdapter, ValidationError

from cluster.catalogue import TOOLS
from cluster.kinds import PDF, PICTURES, SHEETS, SLIDES, WORD, Kind, kind_of
from cluster.tool import Tool
from tests import make, make_broken, make_chinese, make_office, make_pictures, make_scans, make_sheets, make_slides
from tests.foreign.aside import Aside
from tests.foreign.bench import SUCCESS, Bench, Given, Ran, Result
from tests.foreign.case import Case, Input
from tests.foreign.checks import judged
from tests.foreign.office import Office
from tests.foreign.programs import Cannot
from tests.foreign.report import Verdict, summary
from tests.foreign.rules import Rule
from tests.foreign.seen import Seen
from tests.foreign.variations import EXTRA, variations

PASSWORD = "芝麻 Sesame"
#: Draws a sound document of a kind into a folder.
Draw = Callable[[Path], Path]
_SOUND: Mapping[tuple[Kind, ...], Draw] = {
    (PDF,): lambda folder: make_chinese.chinese(folder / "第三季度合同.pdf", 4),
    tuple(PICTURES): lambda folder: make_scans.page().save(folder / "第三季度合同.png"),
    tuple(WORD): lambda folder: make_office.chapters(folder / "第三季度合同.docx"),
    tuple(SHEETS): lambda folder: make_sheets.xlsx(
        folder / "第三季度合同.xlsx",
        make_sheets.Sheet("表格", make_sheets.grid(12, 40, "第{row}行{column}列"), comment="批注"),
        make_sheets.Sheet("藏", make_sheets.grid(2, 2), hidden=True),
    ),
    tuple(SLIDES): lambda folder: make_slides.deck(folder / "第三季度合同.pptx"),
}
#: For tools that find nothing in those.
_OWN: Mapping[str, Draw] = {
    "extract_image": lambda folder: make_pictures.pictures(
        folder / "第三季度合同.pdf",
        make_pictures.masked,
        lambda pdf: make_pictures.jpeg(pdf, make_pictures.photograph()),
        lambda pdf: make_pictures.raw(pdf, make_pictures.drawing((90, 60))),
    ),
}

#: How LibreOffice stores an office file under a password: the name of its filter, and the suffix.
_STORED = {
    ".docx": ("MS Word 2007 XML", ".docx"),
    ".xlsx": ("calc8", ".ods"),
    ".pptx": ("impress8", ".odp"),
}


class Trial:
    """Sandboxes and files for all choices of a run."""

    def __init__(self, folder: Path) -> None:
        folder.chmod(0o711)  # the sandbox's user passes through it
        self.folder, self.bench, self.aside, self.office = folder, Bench(folder / "bench"), Aside(), Office()
        picture = folder / "picture.png"
        make_pictures.drawing((300, 200)).save(picture)
        self.extras = {EXTRA: picture}

    def close(self) -> None:
        self.bench.close()
        self.aside.close()
        self.office.close()

    def files(self, tool: Tool[Any]) -> Iterator[tuple[str, Path, Path | None, str | None]]:
        """Name, file, what stands for it in judging, and its password."""
        draw = max(_SOUND.items(), key=lambda each: len(set(each[0]) & set(tool.accepts)))[1]
        sound = _OWN.get(tool.key, draw)(self.folder)
        yield "chinese", sound, sound if sound.suffix == ".pdf" else None, None
        yield "damaged", make_broken.truncated(sound.with_stem("坏"), sound, 0.7), None, None
        if sound.suffix == ".pdf":
            turned = _turned(sound) if tool.key in _OWN else make.geometry(sound.with_stem("转"))
            yield "turned", turned, turned, None
            yield "encrypted", make_broken.encrypted(sound.with_stem("密"), sound, user=PASSWORD), sound, PASSWORD
        elif stored := _STORED.get(sound.suffix):
            format, suffix = stored
            locked = make_office.locked(sound.with_name(f"密{suffix}"), sound, format, PASSWORD)
            yield "encrypted", locked, None, PASSWORD
        elif sound.suffix == ".png":
            turned = make_scans.turned(make_scans.page(), 90).save(sound.with_stem("转"))
            yield "turned", turned, None, None

    def run(self, tool: Tool[Any], file: Path, stands: Path | None, password: str | None, options: Any) -> Ran:
        inputs = [file] * (max(2, tool.least) if tool.takes == "all" else 1)
        return self.bench.run(tool, inputs, options, Given(password, self.extras))

    def judge(self, tool: Tool[Any], file: Path, stands: Path | None, options: Any, ran: Ran) -> list[str]:
        seen = Seen(stands, self.aside) if stands else None
        first = Input(file, kind_of(file), seen)
        faults = judged(Case(tool, Rule(options, seconds_a_page=5), [first], ran, self.aside, self.office))
        return [fault for fault in faults if "options that nobody chose" not in fault]


def _turned(sound: Path) -> Path:
    path = sound.with_stem("转")
    with pikepdf.open(sound) as pdf:
        for number, page in enumerate(pdf.pages, 1):
            page.rotate(90 * number, relative=True)
        pdf.save(path)
    return path


def try_all(trial: Trial, tool: Tool[Any]) -> Iterator[tuple[Verdict, str | None]]:
    """A verdict for each choice and file, and what the Chinese file's result looks like."""
    choices = [("as it is", dict(tool.example)), *(each for each in variations(tool) if _passes(tool, each[1]))]
    for name, file, stands, password in trial.files(tool):
        for label, options in choices:
            ran = trial.run(tool, file, stands, password, options)
            faults = trial.judge(tool, file, stands, options, ran)
            verdict = Verdict(tool.key, f"{name} {label}", ran.status, faults, ran.seconds, ran.cpu, ran.memory, 0)
            yield verdict, print_of(ran.results) if name == "chinese" and ran.status == SUCCESS else None
            trial.bench.clear()


def _passes(tool: Tool[Any], options: Any) -> bool:
    """Whether the form lets it through: a box that must be ticked is never sent unticked."""
    try:
        TypeAdapter(tool.options).validate_python(options)
    except ValidationError:
        return False
    return True


def print_of(results: list[Result]) -> str:
    """What distinguishes results from others: their number, names, and what is in them but for dates and ids."""
    told = hashlib.sha256()
    for result in results:
        told.update(result.name.encode())
        for part in _parts(result):
            told.update(part)
    return told.hexdigest()


def _parts(result: Result) -> Iterator[bytes]:
    data = result.path.read_bytes()
    if result.kind is PDF:
        yield from (line for line in data.splitlines() if b"/ID" not in line and b"Date" not in line)
    elif data[:2] == b"PK":
        with zipfile.ZipFile(result.path) as archive:
            yield from (archive.read(name) for name in sorted(archive.namelist()) if "docProps" not in name)
    else:
        yield data


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.foreign.options", description="Try every choice.")
    parser.add_argument("tools", nargs="*", metavar="tool", help="keys of tools; all of them without")
    chosen = parser.parse_args(arguments).tools
    verdicts: list[Verdict] = []
    with tempfile.TemporaryDirectory(prefix="papercrane-options-") as folder:
        trial = Trial(Path(folder))
        try:
            for tool in (each for each in TOOLS.values() if not chosen or each.key in chosen):
                verdicts += _told(trial, tool)
        finally:
            trial.close()
    print("\n".join(["", *summary(verdicts)]))
    return int(any(each.faults for each in verdicts))


def _told(trial: Trial, tool: Tool[Any]) -> list[Verdict]:
    verdicts, prints = [], {}
    with suppress(Cannot):
        for verdict, seen in try_all(trial, tool):
            verdicts.append(verdict)
            for line in verdict.lines():
                print(line, flush=True)
            if seen:
                prints[verdict.file] = seen
    usual = prints.pop("chinese as it is", None)
    same = [name.removeprefix("chinese ") for name, seen in prints.items() if seen == usual]
    ends = Counter(each.status for each in verdicts)
    print(f"{tool.key}: {', '.join(f'{count} {status}' for status, count in ends.items())}", flush=True)
    if same:
        print(f"{tool.key}: changed nothing: {', '.join(same)}", flush=True)
    return verdicts


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
