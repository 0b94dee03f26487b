"""Office: documents through the warm LibreOffice of this sandbox.

    with office.opened(work.source, path, filter="MS Word 2007 XML") as document:
        document.do("changes", how="accept")
        document.store(output.path, "writer_pdf_Export", ExportBookmarks=True)

The process itself is server.py. It is started once a sandbox (`command`, `environment`).
"""

import json
import os
import shutil
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from cluster.engines.run.engine import connect
from cluster.files import Source
from cluster.problem import FaultProblem, InputProblem, PasswordProblem
from cluster.settings import ROOT

#: Hears of progress: so many of so many.
Told = Callable[[int, int], None]
#: The engine's own folder: the sandbox keeps it between parts.
HOME = Path("/tmp/engine")  # noqa: S108 - the sandbox's own /tmp
_READY_SECONDS = 50
#: Pythons that may have `uno`, best first; Debian's is built with LibreOffice, a Mac's lies in the application.
_PYTHONS = (
    "/usr/bin/python3",
    "/Applications/LibreOffice.app/Contents/Resources/python",
    "/opt/libreoffice/program/python",
)

#: Where Debian's packages put LibreOffice, and the completed copy of its `share` that deploy/setup.sh makes.
_SYSTEM = Path("/usr/lib/libreoffice")
_COMPLETED = Path(sys.prefix) / "share" / "libreoffice" / "share"


def command() -> list[str]:
    """What starts the engine."""
    python = next((path for path in _PYTHONS if Path(path).exists()), shutil.which("python3") or "python3")
    return [python, "-m", "cluster.engines.office.server", str(HOME)]


def environment() -> dict[str, str]:
    """The engine's variables: unoserver for the other Python, our fonts, no window system, its own /tmp."""
    (HOME / "tmp").mkdir(parents=True, exist_ok=True)
    # LibreOffice takes this folder from its own one, so the way there is a relative one.
    completed = {"BRAND_SHARE_SUBDIR": os.path.relpath(_COMPLETED, _SYSTEM)} if _COMPLETED.is_dir() else {}
    return completed | {
        "PYTHONPATH": f"{ROOT}:{sysconfig.get_path('purelib')}",
        "PATH": f"/Applications/LibreOffice.app/Contents/MacOS:{os.environ.get('PATH', '/usr/bin:/bin')}",
        "FONTCONFIG_FILE": str(Path(__file__).with_name("fonts.conf")),
        "SAL_USE_VCLPLUGIN": "svp",
        "HOME": str(HOME),
        "TMPDIR": str(HOME / "tmp"),
    }


def wait_ready(deadline: float) -> None:
    """Return once documents are taken; FaultProblem after `deadline` (time.monotonic)."""
    connect(HOME / "office.sock", deadline).close()


class Document:
    """An open document; `kind` is LibreOffice's: TextDocument, SpreadsheetDocument, PresentationDocument …"""

    def __init__(self, source: Source, stream: Any, told: dict[str, Any]) -> None:
        self._source, self._stream = source, stream
        self.kind: str = told["type"]
        self.pages: int | None = told["pages"]
        self.characters: int | None = told["characters"]

    def do(self, step: str, **facts: Any) -> Any:
        """Carry out a step of steps.STEPS."""
        return _ask(self._stream, self._source, {"do": step, "facts": facts})["did"]

    def store(self, path: Path, filter_name: str, told: Told = lambda _done, _whole: None, **data: Any) -> None:
        """Export; `told` hears how many pages of how many are done, if it takes long.

        A success without a file is a damaged document: LibreOffice says yes to many.
        """
        _ask(self._stream, self._source, {"store": str(path), "filter": filter_name, "data": data}, told)
        if not path.is_file() or path.stat().st_size == 0:
            raise InputProblem("damaged_file", file=self._source.name)


@contextmanager
def opened(source: Source, path: Path | None = None, country: str = "", **properties: Any) -> Iterator[Document]:
    """The source (or `path` in its stead) opened read-only; `properties` are LibreOffice's own on load.

    `country`, as zh-CN, is where formats are from that leave it to their reader.

    Raises damaged_file, password_required, password_wrong, engine_unavailable.
    """
    wanted = {"Password": source.password} if source.password else {}
    connection = connect(HOME / "office.sock", time.monotonic() + _READY_SECONDS)
    with connection, connection.makefile("rwb") as stream:
        order = {"open": str(path or source.path), "properties": wanted | properties, "country": country}
        yield Document(source, stream, _ask(stream, source, order))


def _ask(stream: Any, source: Source, order: dict[str, Any], told: Told = lambda _done, _whole: None) -> dict[str, Any]:
    answer = _answered(stream, json.dumps(order).encode() + b"\n")
    while "progress" in answer:
        told(*answer["progress"])
        answer = _answered(stream)
    if "error" in answer:
        raise _problem(source, order, answer)
    return answer


def _answered(stream: Any, order: bytes = b"") -> dict[str, Any]:
    line = b""
    with suppress(OSError):
        stream.write(order)
        stream.flush()
        line = stream.readline()
    answer: dict[str, Any] = json.loads(line) if line else {"error": "killed"}
    return answer


def _problem(source: Source, order: dict[str, Any], answer: dict[str, Any]) -> Exception:
    if answer["error"] == "killed":
        return FaultProblem("LibreOffice was killed", "engine_unavailable")
    if answer["error"] == "crashed" or "open" not in order:
        return InputProblem("damaged_file", file=source.name)
    if source.password:
        return PasswordProblem("password_wrong", file=source.name)
    return InputProblem("damaged_file", file=source.name)
