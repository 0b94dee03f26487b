"""The forked child that carries out one order inside the sandbox: limits, the tool, the words that go out."""

import errno
import json
import os
import resource
import sys
import traceback
from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cluster.catalogue import TOOLS, adapter_of
from cluster.kinds import KINDS, kind_of
from cluster.problem import FaultProblem, InputProblem, LimitProblem, PasswordProblem, Problem
from cluster.tool import Bounds, Output, Source, Tool, Work
from cluster.worker.gate import check_outputs
from cluster.worker.order import Order, Staged

#: `<package>.<class>` of what libraries raise -> (our class, reason). Their words never leave the sandbox.
_TRANSLATION: dict[str, tuple[type[Problem], str]] = {
    "pikepdf.PasswordError": (PasswordProblem, "password_required"),
    "pikepdf.PdfError": (InputProblem, "damaged_file"),
    "pikepdf.DataDecodingError": (InputProblem, "damaged_file"),
    "pikepdf.DependencyError": (InputProblem, "damaged_file"),
    "pikepdf.ForeignObjectError": (InputProblem, "damaged_file"),
    "pikepdf.DeletedObjectError": (InputProblem, "damaged_file"),
    "pikepdf.UnsupportedImageTypeError": (InputProblem, "damaged_file"),
    "pymupdf.FileDataError": (InputProblem, "damaged_file"),
    "pymupdf.EmptyFileError": (InputProblem, "empty_file"),
    "pypdfium2.PdfiumError": (InputProblem, "damaged_file"),
    "PIL.UnidentifiedImageError": (InputProblem, "damaged_file"),
    "PIL.DecompressionBombError": (LimitProblem, "too_large_when_opened"),
    "zipfile.BadZipFile": (InputProblem, "damaged_file"),
    "zlib.error": (InputProblem, "damaged_file"),
    "builtins.MemoryError": (LimitProblem, "too_large_when_opened"),
    "builtins.RecursionError": (InputProblem, "damaged_file"),
    "pymupdf.FzErrorLimit": (LimitProblem, "too_large_when_opened"),
    "pymupdf.FzErrorFormat": (InputProblem, "damaged_file"),
    "pymupdf.FzErrorSyntax": (InputProblem, "damaged_file"),
    "pymupdf.FzErrorLibrary": (InputProblem, "damaged_file"),
    "pymupdf.FzErrorSystem": (LimitProblem, "too_large_when_opened"),
}


class Report:
    """The child's end of the report socket."""

    def __init__(self, handle: int, bounds: Bounds, size: int) -> None:
        self.handle, self.bounds, self.size = handle, bounds, size

    def progress(self, done: float, total: float, stage: str) -> None:
        self.say({"progress": [done, total, stage]})

    def allow(self, pages: int) -> None:
        seconds = self.bounds.cpu(self.size, pages)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        self.say({"allow": pages})

    def timestamp(self, digest: bytes) -> bytes:
        self.say({"timestamp": digest.hex()})
        line = b""
        while not line.endswith(b"\n") and (data := os.read(self.handle, 1 << 16)):
            line += data
        return b64decode(line)

    def say(self, message: dict[str, Any]) -> None:
        data = json.dumps(message, default=str).encode() + b"\n"
        while data:
            data = data[os.write(self.handle, data) :]


def run_part(order: Order, job: Path, handle: int) -> None:
    """Carry out `order` below `job`; the last word through `handle` is the answer."""
    tool = TOOLS[order["tool"]]
    size = sum(each["size"] for each in order["inputs"])
    bounds = tool.bounds_of(order["mode"])
    report = Report(handle, bounds, size)
    try:
        _limit(bounds, size)
        report.say(_MODES[order["mode"]](tool, order, job, report))
    except BaseException as error:
        report.say(_trouble(error, order, job))


def _limit(bounds: Bounds, size: int) -> None:
    os.environ["TMPDIR"] = "/tmp"  # noqa: S108 - the sandbox's own
    resource.setrlimit(resource.RLIMIT_AS, (bounds.memory, bounds.memory))
    resource.setrlimit(resource.RLIMIT_CPU, (bounds.cpu(size), bounds.cap + 5))
    resource.setrlimit(resource.RLIMIT_FSIZE, (bounds.output, bounds.output))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _run(tool: Tool[Any], order: Order, job: Path, report: Report) -> dict[str, Any]:
    work = _work(tool, order, job, report)
    tool.run(work)
    return {
        "outputs": [_plain(output, job) for output in work.outputs],
        "notes": _notes(work),
        "metrics": work.metrics,
    }


def _notes(work: Work[Any]) -> list[dict[str, Any]]:
    return [{"kind": note.kind, "what": note.what, "facts": dict(note.facts)} for note in work.notes]


def _plan(tool: Tool[Any], order: Order, job: Path, report: Report) -> dict[str, Any]:
    work = _work(tool, order, job, report)
    shares = tool.plan(work) if tool.plan else []
    copies = [{"input": index, "file": str(path.relative_to(job))} for index, path in work.copies.items()]
    return {"shares": shares, "notes": _notes(work), "copies": copies}


def _estimate(tool: Tool[Any], order: Order, job: Path, report: Report) -> dict[str, Any]:
    return {"metrics": tool.estimate(_work(tool, order, job, report)) if tool.estimate else {}}


def _gate(tool: Tool[Any], order: Order, job: Path, report: Report) -> dict[str, Any]:
    passwords = [each["password"] for each in order["inputs"] if each["password"]]
    try:
        outputs = [_output(each, job) for each in order["outputs"]]
        return {"checked": check_outputs(outputs, passwords, _locks(tool, order))}
    except (FaultProblem, MemoryError):
        raise
    except Exception as error:  # whatever a result fails with is our trouble, never the input's
        raise FaultProblem(_where(error)) from error


def _judge(tool: Tool[Any], order: Order, job: Path, report: Report) -> dict[str, Any]:
    """After a process died: raises damaged_file when it is the input's damage, else answers nothing."""
    if blamed := _blamed(order, job):
        raise blamed
    return {}


def _blamed(order: Order, job: Path) -> Problem | None:
    from cluster.worker.judge import first_damaged

    found = first_damaged((job / each["file"], each.get("password")) for each in order["inputs"])
    return None if found is None else _about(InputProblem("damaged_file"), order["inputs"][found])


def _about(problem: Problem, given: Staged) -> Problem:
    return problem.about(file=given["name"], index=given["index"])


_MODES = {"run": _run, "plan": _plan, "estimate": _estimate, "gate": _gate, "judge": _judge}


def _work(tool: Tool[Any], order: Order, job: Path, report: Report) -> Work[Any]:
    for name in ("out", "scratch"):
        (job / name).mkdir(exist_ok=True)
    return Work(
        options=adapter_of(tool.id).validate_python(order["options"]),
        sources=tuple(_source(tool, each, job) for each in order["inputs"]),
        folder=job,
        language=order["language"],
        suffix=tool.suffix,
        listener=report,
        share=order.get("share"),
        extras={key: job / name for key, name in order["extras"].items()},
        max_pages=order["max_pages"],
    )


def _source(tool: Tool[Any], each: Staged, job: Path) -> Source:
    path = job / each["file"]
    if not each["size"]:
        raise _about(InputProblem("empty_file"), each)
    kind = kind_of(path)
    if kind is None or kind not in tool.accepts:
        raise _about(InputProblem("not_supported_type", found=kind.key if kind else "?"), each)
    return Source(path, each["name"], kind, each["size"], each.get("password"), each["index"])


def _plain(output: Output, job: Path) -> dict[str, Any]:
    return {
        "file": str(output.path.relative_to(job)),
        "name": output.name,
        "kind": output.kind.key,
        "source": output.source,
        "pages": output.pages,
        "text": output.text,
        "password": output.password,
    }


def _output(raw: Mapping[str, Any], job: Path) -> Output:
    named = raw["text"], raw.get("password")
    return Output(job / raw["file"], raw["name"], KINDS[raw["kind"]], raw["source"], raw["pages"], *named)


def _locks(tool: Tool[Any], order: Order) -> dict[str, str]:
    """The passwords of the options that outputs name."""
    names = {each["password"] for each in order["outputs"] if each.get("password")}
    options = adapter_of(tool.id).validate_python(order["options"]) if names else None
    return {name: getattr(options, name) for name in names}


def _trouble(error: BaseException, order: Order, job: Path) -> dict[str, Any]:
    problem, detail = _too_long(error, order) or _translated(error), ""
    if isinstance(problem, FaultProblem):
        detail = problem.detail or _where(error)
        if problem.reason == "internal" and isinstance(error, Exception):
            problem = _blamed(order, job) or problem
    if len(order["inputs"]) == 1:
        _about(problem, order["inputs"][0])
    elif problem.reason == "damaged_file" and "index" not in problem.facts:
        problem = _blamed(order, job) or problem  # a library's word, which does not say of which input
    if os.environ.get("PAPERCRANE_DEBUG"):
        traceback.print_exception(error, file=sys.stderr)
    return {"problem": type(problem).__name__, "reason": problem.reason, "facts": problem.facts, "detail": detail}


def _too_long(error: BaseException, order: Order) -> Problem | None:
    """The problem of a file that would have grown over the tool's bound."""
    if not isinstance(error, OSError) or error.errno != errno.EFBIG:
        return None
    return LimitProblem("result_too_large", limit=TOOLS[order["tool"]].bounds.output >> 30)


def _translated(error: BaseException) -> Problem:
    if isinstance(error, Problem):
        return error
    for each in type(error).__mro__:
        name = f"{each.__module__.partition('.')[0].lstrip('_')}.{each.__name__}"
        if name in _TRANSLATION:
            made, reason = _TRANSLATION[name]
            return made(reason)
    return FaultProblem("")


def _where(error: BaseException) -> str:
    """Type and place of an error, never its text: that may hold words of the document."""
    frames = traceback.extract_tb(error.__traceback__)
    places = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames[-4:]))
    return f"{type(error).__name__} at {places}"
