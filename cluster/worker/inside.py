"""The warm parent inside the sandbox: imports once, forks a child for each part, keeps nothing.

Run as `python -m cluster.worker.inside <control fd> <job folder> <lane>`.
"""

import contextlib
import ctypes
import importlib
import json
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from cluster.tool import Lane
from cluster.worker.child import run_part
from cluster.worker.order import Order
from cluster.worker.quota import EVERY, Watch, What

#: Imported before the first fork, so that a part pays 10 ms and not seconds.
_WARM: dict[Lane, tuple[str, ...]] = {
    Lane.QUICK: (
        "pikepdf",
        "pypdfium2",
        "PIL.Image",
        "PIL.JpegImagePlugin",
        "fontTools.ttLib",
        "numpy",
        "cv2",
        "oxipng",
        "mozjpeg_lossless_optimization",
        "uharfbuzz",
        "cluster.engines.pages.join",
        "cluster.engines.pdf.unlocked",
        "cluster.engines.compress.reach",
    ),
    Lane.HEAVY: ("pikepdf", "pypdfium2", "cluster.engines.pages.join", "cluster.engines.pdf.unlocked"),
    Lane.OFFICE: ("pikepdf", "pypdfium2"),
    Lane.OCR: ("pikepdf", "pypdfium2", "PIL.Image", "numpy"),
}
#: Where a part may leave files besides the job folder; nowhere else is writable.
_SCRATCH = Path("/tmp"), Path("/dev/shm")  # noqa: S108 - the sandbox's own
#: prctl's number: who is not dumpable cannot be traced, nor its memory read or written, by its equals.
_PR_SET_DUMPABLE = 4
#: Seconds in which a part's processes must die; one that breeds faster than it is killed takes all down with it.
_DIE_IN = 1.0
_ENGINES = {Lane.OFFICE: "cluster.engines.office.client", Lane.OCR: "cluster.engines.ocr.client"}


def main() -> None:
    control, job, lane = socket.socket(fileno=int(sys.argv[1])), Path(sys.argv[2]), Lane(sys.argv[3])
    engine = _start_engine(lane)
    warm_up(lane)
    # A child has our user id: without this its tool could write itself into us, and so into everybody's next part.
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    control.sendall(b'{"ready": true}\n')
    buffer, report = b"", -1
    while True:
        data, handles, _, _ = socket.recv_fds(control, 1 << 16, 1)
        if not data:
            return
        buffer += data
        report = handles[0] if handles else report  # a long order comes in several pieces
        if buffer.endswith(b"\n"):
            _one(control, report, json.loads(buffer), job, engine)
            buffer = b""


def _one(control: socket.socket, report: int, order: Order, job: Path, engine: int) -> None:
    child = os.fork()
    if child == 0:
        control.close()
        os.setsid()
        run_part(order, job, report)
        os._exit(0)
    os.close(report)
    over = _wait(child, _quota(order, job))
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    _clear(child, engine)
    control.sendall(json.dumps({"exit": status, "over": over}).encode() + b"\n")


def _quota(order: Order, job: Path) -> Watch:
    from cluster.catalogue import TOOLS

    bounds, given = TOOLS[order["tool"]].bounds_of(order["mode"]), sum(each["size"] for each in order["inputs"])
    return Watch(job, _SCRATCH if _alone() else (), 4 * given + 3 * bounds.output, alone=_alone())


def _wait(child: int, quota: Watch) -> What | None:
    """Until the child has ended, or has too much of something: then it and all that it bred is killed."""
    handle = os.pidfd_open(child)
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(handle, selectors.EVENT_READ)
            while not selector.select(EVERY):
                if over := quota.over():
                    # All at once, or who is left breeds on; an engine goes too, and with it this sandbox.
                    os.kill(-1, signal.SIGKILL) if _alone() else os.killpg(child, signal.SIGKILL)
                    return over
    finally:
        os.close(handle)
    return None


def _alone() -> bool:
    """Whether we see our own processes only; else there is no namespace, and others are not ours to judge."""
    return os.getpid() < 10


def _clear(child: int, engine: int) -> None:
    """Leave nothing of the part: its processes (also those that changed their group) and its files."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if not _alone():
        return
    late = time.monotonic() + _DIE_IN
    while _kill_strangers(engine):
        if time.monotonic() > late:
            os._exit(1)
        time.sleep(0.001)
    for path in (path for folder in _SCRATCH for path in folder.iterdir()):
        if path.name != "engine":
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)


def _kill_strangers(engine: int) -> bool:
    """Kill what is neither us nor of our engine; whether there was anything."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass  # we are the namespace's first process: whoever lost its parent is ours to bury
    found = False
    for pid in (int(name) for name in os.listdir("/proc") if name.isdigit()):  # noqa: PTH208 - names are enough
        with contextlib.suppress(ProcessLookupError):
            if pid != os.getpid() and os.getsid(pid) not in (engine, os.getsid(0)):
                os.kill(pid, signal.SIGKILL)
                found = True
    return found


def _start_engine(lane: Lane) -> int:
    """The session id of the lane's warm engine; 0 without one."""
    if lane not in _ENGINES:
        return 0
    engine = importlib.import_module(_ENGINES[lane])
    Path("/tmp/engine").mkdir(exist_ok=True)  # noqa: S108 - the sandbox's own
    process = subprocess.Popen(
        engine.command(), env={**os.environ, **engine.environment()}, start_new_session=True, stdin=subprocess.DEVNULL
    )
    return process.pid


def warm_up(lane: Lane) -> None:
    """Import what the lane's parts use, so that a fork finds it."""
    import cluster.catalogue  # noqa: F401 - every tool's module, warm

    for name in _WARM[lane]:
        importlib.import_module(name)
    if lane is Lane.QUICK:
        from cluster.engines.pdf.libraries import import_pymupdf

        import_pymupdf()


if __name__ == "__main__":
    main()
