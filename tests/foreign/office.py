"""A bare LibreOffice that stays open: to start one takes it two seconds, to show most documents a tenth of one."""

import shutil
import subprocess
import tempfile
import time
import zipfile
from pathlib import Path
from typing import Any

from tests.foreign.aside import Cannot
from tests.foreign.programs import run

#: Seconds for its start, and for one document: by the clock, and of CPU where it starts for that one.
_START, _PATIENCE, _CPU = 60, 120, 90


class Office:
    """One process with a profile of its own and no network; it starts with the first document."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._process: Any = None

    def pdf_of(self, path: Path, suffix: str, folder: Path) -> Path:
        """The PDF that it makes, in `folder`. What it cannot show is tried by one that starts anew. Raises Cannot."""
        staged = folder / f"document{suffix}"
        staged.write_bytes(path.read_bytes())
        if _brings_fonts(staged):  # one that has shown it sets the next document in them
            return self._cold(staged)
        try:
            return _made(self._profile(), staged)
        except Cannot:
            self.close()
            return self._cold(staged)

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def _cold(self, staged: Path) -> Path:
        with tempfile.TemporaryDirectory() as profile:
            return _made(Path(profile), staged)

    def _profile(self) -> Path:
        """The profile of the process that runs: who starts LibreOffice with it hands that one the document."""
        if self._folder is None or self._process.poll() is not None:
            self.close()
            self._folder = Path(tempfile.mkdtemp(prefix="papercrane-office-"))
            self._process = _held(self._folder)
        return self._folder


def _held(folder: Path) -> "subprocess.Popen[bytes]":
    """LibreOffice with a document open: it would end behind the first one that it shows. Raises Cannot."""
    (held := folder / "held.txt").write_text("held")
    process = subprocess.Popen(
        [*_command(folder), held], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    end, lock = time.monotonic() + _START, folder / f".~lock.{held.name}#"
    while not lock.exists():
        if time.monotonic() > end or process.poll() is not None:
            process.kill()
            raise Cannot("LibreOffice does not start")
        time.sleep(0.05)
    return process


def _made(profile: Path, staged: Path) -> Path:
    into = staged.parent / "bare"
    run(*_command(profile), "--convert-to", "pdf", "--outdir", into, staged, seconds=_PATIENCE, cpu=_CPU)
    made = into / f"{staged.stem}.pdf"
    if not made.exists():
        raise Cannot("LibreOffice makes no PDF of it")
    return made


def _command(profile: Path) -> tuple[str, ...]:
    """Without network; all its processes end with the first one, and that with us."""
    alone = "setpriv", "--pdeathsig", "KILL", "unshare", "--net", "--pid", "--fork", "--kill-child"
    named = f"-env:UserInstallation={profile.as_uri()}"
    return *alone, "soffice", named, "--headless", "--norestore", "--nofirststartwizard"


def _brings_fonts(path: Path) -> bool:
    if not zipfile.is_zipfile(path):
        return False
    try:
        with zipfile.ZipFile(path) as package:
            return any("fonts/" in name.lower() for name in package.namelist())
    except zipfile.BadZipFile:
        return False
