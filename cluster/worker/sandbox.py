"""Sandbox: one warm process behind bubblewrap, without network, that forks a child for each part.

Two channels: *control* (host ↔ the warm parent: orders, exits) and, for each part, a *report*
socket that only its child holds. So a part cannot pretend to have ended, or speak for the next.
Everything that comes back is untrusted until checked (cluster.worker.untrusted, .perform).
"""

import contextlib
import json
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from cluster.problem import FaultProblem
from cluster.settings import ROOT, settings
from cluster.worker import quota
from cluster.worker.clock import Clock

#: One message from inside; ten thousand outputs fit in a tenth of it.
MESSAGE_LIMIT = 16 << 20
#: Size of /tmp inside; LibreOffice's profile and its unpacked documents live there.
TMP_BYTES = 2 << 30
#: Size of /dev/shm inside; nothing of ours uses it.
SHARED_BYTES = 64 << 20
START_SECONDS = 60
#: Of /usr/share what fonts, LibreOffice and clocks need: whatever lies there can be shown by a document.
_SHARED = [
    "fonts",
    "fontconfig",
    "xml/fontconfig",
    "libreoffice",
    "liblangtag",
    "libexttextcat",
    "hunspell",
    "hyphen",
    "mythes",
    "myspell",
    "zoneinfo",
]


@dataclass
class Ended:
    """How a part's child ended: its exit status (negative: killed by that signal) and its last word.

    `stopped` says that the host killed it: `deadline` or `cancelled`; `over` what the warm parent killed it for
    (cluster.worker.quota).
    """

    status: int = 0
    answer: dict[str, Any] | None = None
    stopped: str = ""
    over: str = ""


@dataclass
class Limits:
    """Wall seconds for one part; a report `allow` may raise it through `more(pages)`."""

    seconds: float
    more: Callable[[int], float]


@dataclass
class Sandbox:
    """One warm parent. `folder` is bound read-write as /job; `module` is run with `arguments`.

    `readable` are paths beyond programs, fonts and our own code that it may read, `devices` those of a GPU.
    """

    folder: Path
    module: str
    arguments: tuple[str, ...] = ()
    readable: tuple[Path, ...] = ()
    devices: tuple[Path, ...] = ()
    parts: int = 0
    _process: "subprocess.Popen[bytes] | None" = field(default=None, repr=False)
    _control: socket.socket | None = field(default=None, repr=False)

    @property
    def inside(self) -> Path:
        """Where `folder` is for the processes inside."""
        return Path("/job") if strong() else self.folder

    def start(self) -> None:
        """Start the warm parent; returns once it says that it is ready. Raises FaultProblem."""
        self.kill()
        self.parts = 0
        self.folder.mkdir(parents=True, exist_ok=True)
        os.utime(self.folder)  # so that nobody takes it for a dead slot's while we start
        ours, theirs = socket.socketpair()
        inner = [sys.executable, "-m", self.module, str(theirs.fileno()), str(self.inside), *self.arguments]
        walls = _bubblewrap(self.folder, self.readable, self.devices) if strong() else _unshare()
        with theirs:
            self._process = subprocess.Popen(
                [*quota.joining(self.folder.name), *walls, *inner],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=None if os.environ.get("PAPERCRANE_DEBUG") else subprocess.DEVNULL,
                start_new_session=True,
                cwd=ROOT,
                env=_environment(),
            )
        self._control = ours
        ours.settimeout(START_SECONDS)
        if _receive_line(ours) != b'{"ready": true}':
            self.kill()
            raise FaultProblem("the sandbox did not start", "engine_unavailable")

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def run(
        self,
        order: Mapping[str, Any],
        limits: Limits,
        on_report: Callable[[dict[str, Any]], None],
        wanted: Callable[[], bool] = lambda: True,
    ) -> Ended:
        """Run one part. `on_report` gets its progress; when `wanted` turns false it is killed."""
        if not self.alive:
            self.start()
        self.parts += 1
        if self._control is None:
            raise FaultProblem("the sandbox is gone")
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                _send(self._control, json.dumps(order).encode() + b"\n", theirs)
            ended = _Watch(self._control, ours, limits, on_report, wanted).watch()
        if ended.stopped or ended.status != 0:
            self.kill()
        return ended

    def kill(self) -> None:
        """Kill everything inside: the pid namespace ends with its first process."""
        if self._control:
            self._control.close()
            self._control = None
        if self._process:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None
            quota.leave(self.folder.name)


@dataclass
class _Watch:
    """Follow one part until its exit is told on the control channel."""

    control: socket.socket
    report: socket.socket
    limits: Limits
    on_report: Callable[[dict[str, Any]], None]
    wanted: Callable[[], bool]
    clock: Clock = field(default_factory=Clock)
    ended: Ended = field(default_factory=Ended)
    buffer: bytearray = field(default_factory=bytearray)

    def watch(self) -> Ended:
        started = time.monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(self.control, selectors.EVENT_READ)
            selector.register(self.report, selectors.EVENT_READ)
            while True:
                for key, _ in selector.select(0.25):
                    if key.fileobj is self.report and not self._read_report():
                        selector.unregister(self.report)
                    if key.fileobj is self.control:
                        return self._finish()
                if time.monotonic() - started > self.limits.seconds:
                    return Ended(stopped="deadline")
                if not self.wanted():
                    return Ended(stopped="cancelled")

    def _finish(self) -> Ended:
        self.control.settimeout(5)
        line = _receive_line(self.control)
        self.report.settimeout(5)
        while self._read_report():
            pass
        told: dict[str, Any] = json.loads(line) if line else {"exit": -signal.SIGKILL}
        self.ended.status, self.ended.over = told["exit"], told.get("over") or ""
        return self.ended

    def _read_report(self) -> bool:
        try:
            data = self.report.recv(1 << 16)
        except OSError:
            return False
        self.buffer += data
        for line in _lines(self.buffer):
            self._take(line)
        if len(self.buffer) > MESSAGE_LIMIT:
            return False
        return bool(data)

    def _take(self, line: bytes) -> None:
        try:
            untrusted = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not isinstance(untrusted, dict):
            return
        if isinstance(untrusted.get("allow"), int):
            self.limits.seconds = max(self.limits.seconds, self.limits.more(untrusted["allow"]))
        elif "progress" in untrusted:
            self.on_report(untrusted)
        elif "timestamp" in untrusted:
            self.report.sendall(self.clock(untrusted["timestamp"]).encode() + b"\n")
        else:
            self.ended.answer = untrusted


@cache
def strong() -> bool:
    """Whether bubblewrap works here. Without it a host falls back to an empty network namespace and limits."""
    if not shutil.which("bwrap"):
        return False
    probe = [*_bubblewrap(Path("/tmp")), "/bin/true"]  # noqa: S108 - only probed, nothing is written
    return subprocess.run(probe, capture_output=True, timeout=20, check=False).returncode == 0


def check_host() -> str:
    """A sentence for the operator when the sandbox is weak; raises SystemExit in production."""
    if strong():
        return ""
    sentence = "bubblewrap does not work here (no user namespaces?): only network and resource limits protect the host."
    if settings().production and not settings().allow_weak_sandbox:
        raise SystemExit(f"{sentence} Set PAPERCRANE_ALLOW_WEAK_SANDBOX=1 to run all the same.")
    return sentence


def _bubblewrap(folder: Path, readable: tuple[Path, ...] = (), devices: tuple[Path, ...] = ()) -> list[str]:
    command = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"]
    # The warm parent is the namespace's first process: bwrap's own stand-in would be open to its children's tracing.
    command += ["--as-pid-1", "--uid", "65534", "--gid", "65534", "--proc", "/proc", "--dev", "/dev"]
    command += ["--size", str(SHARED_BYTES), "--tmpfs", "/dev/shm"]  # noqa: S108
    command += [word for path in devices for word in ("--dev-bind", str(path), str(path))]
    command += ["--remount-ro", "/dev"]
    command += ["--size", str(TMP_BYTES), "--tmpfs", "/tmp"]  # noqa: S108 - inside the sandbox
    for name, value in _environment().items():
        command += ["--setenv", name, value]
    for path in (*_readable(), *readable):
        command += _bind(path)
    # The rest of the tree is memory without a bound that would outlive the part.
    return [*command, "--bind", str(folder), "/job", "--remount-ro", "/", "--chdir", str(ROOT)]


def _bind(path: Path) -> list[str]:
    if path.is_symlink() and path.parent == Path("/"):
        return ["--symlink", str(path.readlink()), str(path)]
    return ["--ro-bind-try", str(path), str(path)]


def _readable() -> Iterator[Path]:
    """What the processes inside may read: programs, fonts, Python and our code; no data, no settings, no pictures."""
    yield from map(Path, ("/bin", "/sbin", "/lib", "/lib64", "/etc/fonts", "/etc/alternatives"))
    yield from (path for path in Path("/usr").iterdir() if path.name.startswith(("bin", "lib")))
    yield from (Path("/usr/share") / name for name in _SHARED)
    yield Path("/usr/local/share/fonts")
    yield from map(Path, ("/etc/ld.so.cache", "/etc/libreoffice", "/var/cache/fontconfig", "/etc/localtime"))
    if sys.base_prefix != "/usr":  # of that one its programs are here already, and the rest shall not be
        yield Path(sys.base_prefix)
    yield Path(sys.prefix)
    yield ROOT / "cluster"
    yield settings().hands
    if settings().easyocr_models:
        yield Path(settings().easyocr_models)


def graphics() -> tuple[Path, ...]:
    """A GPU's devices, where pictures may be read with it."""
    return () if settings().ocr == "rapid" else tuple(sorted(Path("/dev").glob("nvidia*")))


def _environment() -> dict[str, str]:
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": "/tmp",  # noqa: S108 - inside the sandbox
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "ORT_DISABLE_TELEMETRY": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "PAPERCRANE_OCR": settings().ocr,
        "PAPERCRANE_EASYOCR_MODELS": settings().easyocr_models,
        "PAPERCRANE_HANDS": str(settings().hands),
        # Only whether there is one: inside there is no network to ask it.
        "PAPERCRANE_TIMESTAMP_URL": "named" if settings().timestamp_url else "",
    }


def _unshare() -> list[str]:
    return ["unshare", "-n", "sh", "-c", 'ip link set lo up; exec "$@"', "sh"]


def _send(control: socket.socket, order: bytes, report: socket.socket) -> None:
    """The whole order, its first bytes with the report socket: one call sends only what the channel holds."""
    sent = socket.send_fds(control, [order], [report.fileno()])
    control.sendall(order[sent:])


def _lines(buffer: bytearray) -> Iterator[bytes]:
    while (end := buffer.find(b"\n")) >= 0:
        line = bytes(buffer[:end])
        del buffer[: end + 1]
        yield line


def _receive_line(stream: socket.socket) -> bytes:
    """One line, byte by byte so that nothing behind it is taken; empty when the peer is gone or late."""
    line = b""
    with contextlib.suppress(OSError):
        while (byte := stream.recv(1)) and byte != b"\n":
            line += byte
    return line
