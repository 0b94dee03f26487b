"""The warm parent inside the sandbox: imports once, forks a child for each part, keeps nothing.

Run as `python -m cluster.worker.inside <control fd> <job folder> <lane>`.
"""

import contextlib
import ctypes
import gc
import importlib
import json
import os
import pkgutil
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

#: Our rooms and the libraries that a lane's parts import; here before the first fork, so that a part pays 10 ms and
#: not seconds.
_ROOMS: dict[Lane, str] = {
    Lane.QUICK: "compress draw edit export fonts forms layout marks pages pdf pictures reading",
    Lane.HEAVY: "draw fonts forms pages pdf pictures",
    Lane.OFFICE: "pdf",
    Lane.OCR: "export fonts layout marks pages pdf pictures reading",
}
_LIBRARIES: dict[Lane, str] = {
    Lane.QUICK: "pypdfium2 cv2 deflate oxipng mozjpeg_lossless_optimization uharfbuzz fontTools.ttLib docx openpyxl"
    " pptx PIL.JpegImagePlugin PIL.PngImagePlugin cluster.engines.sign.field cluster.engines.sign.looks"
    " cluster.engines.sign.update pyexpat encodings.cp437 encodings.utf_16_be encodings.utf_16_le"
    " encodings.raw_unicode_escape",
    Lane.HEAVY: "pypdfium2 numpy uharfbuzz fontTools.ttLib PIL.JpegImagePlugin encodings.raw_unicode_escape",
    Lane.OFFICE: "pypdfium2 cluster.engines.office.merge docx",
    Lane.OCR: "pypdfium2 numpy PIL.JpegImagePlugin PIL.PngImagePlugin docx openpyxl",
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
    """Import what the lane's parts use, and make what checks their options, so that a fork finds it."""
    from cluster.catalogue import TOOLS, adapter_of

    for room in _ROOMS[lane].split():
        package = importlib.import_module(f"cluster.engines.{room}")
        for each in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            importlib.import_module(each.name)
    for library in _LIBRARIES[lane].split():
        importlib.import_module(library)
    if lane in (Lane.QUICK, Lane.HEAVY):
        from cluster.engines.pdf.libraries import import_pymupdf

        import_pymupdf()
    for tool in TOOLS.values():
        if tool.lane is lane:
            adapter_of(tool.id)
    # What is here now is never looked through for garbage: a fork that did would copy all of it (65 ms instead of 4).
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    main()
