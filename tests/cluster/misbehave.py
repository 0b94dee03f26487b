"""A sandbox parent whose tools do what hostile code would: `python -m tests.cluster.misbehave`."""

import ctypes
import dataclasses
import json
import os
import socket
import subprocess
import sys
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from cluster.catalogue import TOOLS
from cluster.kinds import PDF, TXT
from cluster.problem import InputProblem
from cluster.tool import Bounds, Group, Lane, Tool, Work, options
from cluster.worker.inside import main

MIB = 1 << 20


@options
class Options:
    do: str
    arguments: Annotated[tuple[str, ...], Field(max_length=12)] = ()


def misbehave(work: Work[Options]) -> None:
    answer = DEEDS[work.options.do](work, *work.options.arguments)
    work.output(TXT).path.write_text(json.dumps(answer))


def crash(work: Work[Any]) -> None:
    ctypes.string_at(0)


def spin(work: Work[Any]) -> None:
    while True:
        pass


def sleep(work: Work[Any]) -> None:
    work.progress(1, 3)
    time.sleep(600)


def eat(work: Work[Any]) -> int:
    return len(bytearray(700 * MIB))


def fill_disk(work: Work[Any]) -> None:
    with work.scratch("big").open("wb") as stream:
        for _ in range(200):
            stream.write(b"x" * MIB)


def connect(work: Work[Any], host: str, port: str) -> str:
    with socket.create_connection((host, int(port)), timeout=2):
        return "connected"


def attempt(work: Work[Any], *paths: str) -> dict[str, str]:
    found = {}
    for path in paths:
        try:
            found[path] = Path(path).read_text() if Path(path).is_file() else str(list(Path(path).iterdir()))
        except OSError as error:
            found[path] = type(error).__name__
    return found


def environment(work: Work[Any]) -> dict[str, str]:
    return dict(os.environ)


def linger(work: Work[Any]) -> int:
    """Leave a process behind that has left our group, and a file in /tmp."""
    Path("/tmp/left").write_text("left")
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True).pid


def neighbours(work: Work[Any]) -> list[str]:
    commands = [path.read_bytes().decode().replace("\0", " ") for path in Path("/proc").glob("[0-9]*/cmdline")]
    return commands + [path.name for path in Path("/tmp").iterdir()]


def refuse(work: Work[Any]) -> None:
    raise InputProblem("damaged_file")


def stumble(work: Work[Any]) -> None:
    raise KeyError("words of the document")


def pretend(work: Work[Any]) -> None:
    """Say on the report channel what only the parent may say."""
    work.listener.say({"exit": 0})  # type: ignore[attr-defined]
    work.listener.say({"outputs": [{"file": "../../secret", "name": "x"}]})  # type: ignore[attr-defined]


def many(work: Work[Any], count: str) -> str:
    """Files beside the answer's own, with the longest names that a Chinese file may have."""
    for number in range(int(count)):
        work.output(TXT, stem=f"{'纸' * 55}_{number}").path.write_text("text")
    return "made"


def breed(work: Work[Any]) -> None:
    """Processes that breed processes, each of which has left our group."""
    while True:
        with suppress(OSError):
            if os.fork() == 0:
                os.setsid()


def fork(work: Work[Any], most: str) -> int:
    """How many processes it may have at once, up to `most`."""
    for number in range(int(most)):
        try:
            if os.fork() == 0:
                time.sleep(600)
        except OSError:
            return number
    return int(most)


def litter(work: Work[Any], where: str) -> None:
    """Files without end, empty ones, so that no bound of sizes is met."""
    folder = os.open(where, os.O_DIRECTORY)
    for number in count():
        os.mknod(f"litter-{number:x}", dir_fd=folder)


def hoard(work: Work[Any]) -> None:
    """Files each below the bound of one."""
    for number in range(40):
        work.scratch(f"{number}").write_bytes(bytes(20 * MIB))
    time.sleep(600)


def hide(work: Work[Any]) -> None:
    """A folder that nobody may look into."""
    work.scratch("hidden").mkdir(mode=0)
    time.sleep(600)


def link(work: Work[Any]) -> None:
    work.output(PDF).path.symlink_to("/etc/hostname")


DEEDS = {
    each.__name__: each
    for each in (
        crash,
        spin,
        sleep,
        eat,
        fill_disk,
        connect,
        attempt,
        environment,
        linger,
        neighbours,
        refuse,
        stumble,
        pretend,
        link,
        many,
        breed,
        fork,
        litter,
        hoard,
        hide,
    )
}

MISBEHAVING = Tool(
    id=9001,
    key="misbehave",
    route="/x",
    group=Group.PAGES,
    lane=Lane.QUICK,
    takes="each",
    accepts=(TXT, PDF),
    gives=(TXT,),
    options=Options,
    run=misbehave,
    suffix=("x", "x"),
    bounds=Bounds(memory=600 * MIB, base=2, cap=3, output=100 * MIB),
)


def plan(work: Work[Options]) -> list[dict[str, Any]]:
    """A share for each argument, in the lane of that name."""
    return [{"file": 0, **({"lane": lane} if lane else {})} for lane in work.options.arguments]


def share(work: Work[Options]) -> None:
    work.output(TXT).path.write_text(json.dumps(work.share))


PLANNING = dataclasses.replace(MISBEHAVING, id=9002, key="plan", plan=plan, run=share)
TOOLS |= {each.id: each for each in (MISBEHAVING, PLANNING)}

if __name__ == "__main__":
    main()
