"""A tool's parts as its sandbox runs them: each in a child forked from a warm parent, under the part's limits.

    found = parts.verdict(tool, path)          # `parts` is the fixture of tests/tools/conftest.py
    assert found.reason == "damaged_file"

What a slot adds (the sandbox's walls, the queue, the store) is left to the tests of the stack. A part costs 10 ms
here, so that whatever shall hold for every tool and many files is asked here.
"""

import json
import os
import shutil
import sys
from collections.abc import Iterable
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from cluster.catalogue import TOOLS
from cluster.problem import Problem
from cluster.tool import Lane, Tool
from cluster.words import Language
from cluster.worker.child import run_part
from cluster.worker.inside import warm_up

WELL = "SUCCESS"
#: Lanes whose tools ask an engine, which is not here: what is said of a file before that can be asked.
ENGINES = (Lane.OFFICE, Lane.OCR)
#: In the warm parent: what its parts imported.
_IMPORTED: set[str] = set()


@dataclass(frozen=True)
class Verdict:
    """What became of a task: SUCCESS when the output gate took every result, else the reason and its facts.

    detail: for the operator. notes: keys of what the receipt would say. outputs: names of the results.
    """

    reason: str
    facts: dict[str, Any] = field(default_factory=dict)
    detail: str = ""
    notes: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()

    def said(self, language: Language = "zh") -> str:
        """The sentence for people."""
        return Problem(self.reason, **self.facts).text(language)


class Parts:
    """The warm parent; it is as small as a sandbox's, for pytest's own process has no room left under the limits.

    It has what a parent of each of `lanes` has.
    """

    def __init__(self, folder: Path, *lanes: Lane) -> None:
        self.folder = folder
        kept = lanes or tuple(Lane)
        self.pool: Executor = ProcessPoolExecutor(1, get_context("spawn"), initializer=_warm_up, initargs=(kept,))

    def verdict(self, tool: Tool[Any], path: Path, *, password: str | None = None, **options: Any) -> Verdict:
        """What becomes of a task of this one file, with the tool's example where no options are given."""
        chosen = {**tool.example, **options}
        return self.pool.submit(_judged, tool.id, path, self.folder, password, chosen).result()

    def imports(self) -> set[str]:
        """The modules that parts imported since the last question, for their parent has none of them."""
        return self.pool.submit(_imported).result()

    def answer(self, order: dict[str, Any], job: Path) -> dict[str, Any]:
        """The last word of one part, as cluster.worker.child.run_part says it; why it died when it died."""
        return self.pool.submit(_answer, order, job).result()

    def close(self) -> None:
        self.pool.shutdown()


def _warm_up(lanes: Iterable[Lane]) -> None:
    for lane in lanes:
        warm_up(lane)


def _answer(order: dict[str, Any], job: Path) -> dict[str, Any]:
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(out)
        had = set(sys.modules)
        run_part(order, job, into)
        os.write(into, json.dumps({"imported": sorted(set(sys.modules) - had)}).encode() + b"\n")
        os._exit(0)
    os.close(into)
    with os.fdopen(out) as said:
        words = [json.loads(line) for line in said]
    status = os.waitpid(child, 0)[1]
    if status or not words:
        return {"problem": "died", "reason": f"died {status}"}
    _IMPORTED.update(words.pop()["imported"])
    return dict(words[-1])


def _imported() -> set[str]:
    told = set(_IMPORTED)
    _IMPORTED.clear()
    return told


def _judged(number: int, path: Path, folder: Path, password: str | None, options: dict[str, Any]) -> Verdict:
    shutil.rmtree(folder, ignore_errors=True)
    tool = TOOLS[number]
    order = {"tool": number, "options": options, "language": "zh", "extras": {}, "share": None, "max_pages": 20_000}
    planned = _part(folder / "plan", {**order, "mode": "plan"}, path, path.name, password) if tool.plan else {}
    if "problem" in planned:
        return _failed(planned)
    assert planned.get("shares") != [], "a plan of nothing"
    copies = {each["input"]: folder / "plan" / each["file"] for each in planned.get("copies", [])}
    notes, outputs = [each["what"] for each in planned.get("notes", [])], []
    for index, share in enumerate(planned.get("shares", [None])):
        job, copy = folder / str(index), copies.get((share or {}).get("file"))
        given = (copy, path.name, None) if copy else (path, path.name, password)
        made = _gated(job, {**order, "share": share, "mode": "run"}, *given)
        if "problem" in made:
            return _failed(made)
        notes += [each["what"] for each in made["notes"]]
        outputs += [each["name"] for each in made["outputs"]]
    return Verdict(WELL, notes=tuple(notes), outputs=tuple(outputs))


def _gated(job: Path, order: dict[str, Any], *given: Any) -> dict[str, Any]:
    made = _part(job, order, *given)
    if "problem" in made:
        return made
    checked = _part(job, {**order, "mode": "gate", "outputs": made["outputs"]}, *given)
    return checked if "problem" in checked else made


def _part(job: Path, order: dict[str, Any], path: Path, name: str, password: str | None) -> dict[str, Any]:
    file = f"in/0{Path(name).suffix}"
    if not (job / file).exists():
        (job / "in").mkdir(parents=True)
        (job / file).hardlink_to(path)
    one = {"file": file, "name": name, "size": path.stat().st_size, "password": password}
    inputs = [{**one, "index": index} for index in range(TOOLS[order["tool"]].least)]
    return _answer({**order, "inputs": inputs}, job)


def _failed(found: dict[str, Any]) -> Verdict:
    return Verdict(found["reason"], found.get("facts", {}), found.get("detail", found["problem"]))
