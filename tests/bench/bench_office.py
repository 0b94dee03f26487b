"""Warm conversions of Word, Excel and PPT beside a bare unoserver on the same document.

First the tool alone (check, conversion, receipt); then its one-page document through the whole system, createTask to
SUCCESS, beside the goal that unoserver's time sets, and two such tasks side by side on two slots.
"""

import contextlib
import os
import socket
import statistics
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
from unoserver.client import UnoClient

from cluster.engines.office import client as office
from tests import make_office, make_sheets, make_slides
from tests.bench.side_by_side import TIMES, Row, seconds_left
from tests.running import run_tool
from tests.running import tool as tool_of
from tests.stack import Person, started

#: tool key -> what its rows are called
_TOOLS = {"word_to_pdf": "Word to PDF", "excel_to_pdf": "Excel to PDF", "ppt_to_pdf": "PPT to PDF"}

#: Through the whole system a document may take so many times what unoserver takes, and so many seconds more.
_FACTOR, _AROUND = 1.3, 0.060
_SUCCESS = 3
#: Variables of our engine that the bare one gets.
_SHARED = ("BRAND_SHARE_SUBDIR", "SAL_USE_VCLPLUGIN")


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder, goals = Path(name), list[tuple[str, Path, float]]()
        with ours(folder) as mine, _peer() as (client, theirs):
            for tool, work, path in _documents(folder):
                row = _row(tool, work, path, folder, client, (mine, theirs))
                goals += [(tool, path, _FACTOR * row.peer_seconds + _AROUND)] if path.stem == "one" else []
                yield row
        with started(folder / "data", PAPERCRANE_SLOTS="office=2") as stack:
            for tool, path, goal in goals:
                yield from _whole(Person(stack.address), tool, path, goal)


def _whole(person: Person, tool: str, path: Path, goal: float) -> Iterator[Row]:
    """A one-page document from createTask to SUCCESS, alone and beside another."""
    kept = person.upload(path)
    for _ in range(2):
        _through(person, tool, kept, 2)  # both slots are warm
    alone, both = _in_turns(lambda: _through(person, tool, kept, 1), lambda: _through(person, tool, kept, 2))
    work = f"{_TOOLS[tool]} through the system: 1 page"
    yield Row(work, alone, f"{_FACTOR} × unoserver + 60 ms", goal, alone / goal, 0, 0)
    note = "1: on cores of their own; 2: one after the other"
    yield Row(f"{work}, two at once on two slots", both, "one", alone, both / alone, 0, 0, note)


def _through(person: Person, tool: str, files: list[dict[str, Any]], count: int) -> None:
    begun = [person.create(tool_of(tool).id, files)["data"]["taskId"] for _ in range(count)]
    for state in [person.follow(task) for task in begun]:
        if state["status"] != _SUCCESS:
            raise RuntimeError(f"{tool} ended as {state['error']}")


def _documents(folder: Path) -> Iterator[tuple[str, str, Path]]:
    yield "word_to_pdf", "docx, 1 page", make_office.docx(folder / "one.docx")
    yield "word_to_pdf", "docx, 20 pages", make_office.chapters(folder / "many.docx", 20)
    yield (
        "word_to_pdf",
        "docx, a picture",
        make_office.with_picture(folder / "picture.docx", make_office.noise_png()),
    )
    one, many = make_sheets.grid(6, 40), make_sheets.grid(6, 1000)
    yield "excel_to_pdf", "xlsx, 1 page", make_sheets.xlsx(folder / "one.xlsx", make_sheets.Sheet("S", one))
    yield "excel_to_pdf", "xlsx, 20 pages", make_sheets.xlsx(folder / "many.xlsx", make_sheets.Sheet("S", many))
    yield "ppt_to_pdf", "pptx, 1 slide", make_slides.deck(folder / "one.pptx", 1)
    yield "ppt_to_pdf", "pptx, 20 slides", make_slides.deck(folder / "many.pptx", 20)


def _row(tool: str, work: str, path: Path, folder: Path, client: UnoClient, servers: tuple[int, int]) -> Row:
    peer_out = folder / "peer.pdf"
    spent = _in_turns(
        lambda: _convert(tool, path, folder),
        lambda: client.convert(inpath=str(path), outpath=str(peer_out), convert_to=None, update_index=False),
    )
    memory = [_memory(pid) for pid in servers]
    return Row(f"{_TOOLS[tool]} warm: {work}", spent[0], "unoserver", spent[1], spent[0] / spent[1], *memory)


def _convert(tool: str, path: Path, folder: Path) -> None:
    ran = run_tool(tool, folder / "ours", [path])
    if ran.problem:
        raise ran.problem


def _in_turns(*sides: Callable[[], object]) -> list[float]:
    seconds: list[list[float]] = [[] for _ in sides]
    for _ in range(4 * TIMES):
        seconds_left("office to PDF")
        for taken, side in zip(seconds, sides, strict=True):
            begun = time.perf_counter()
            side()
            taken.append(time.perf_counter() - begun)
    return [statistics.median(each) for each in seconds]


@contextlib.contextmanager
def ours(folder: Path) -> Iterator[int]:
    office.HOME = folder / "engine"
    with _process(office.command(), office.environment()) as pid:
        office.wait_ready(time.monotonic() + 60)
        yield pid


@contextlib.contextmanager
def _peer() -> Iterator[tuple[UnoClient, int]]:
    ports = [str(port) for port in _free_ports()]
    command = [office.command()[0], "-m", "unoserver.server", "--port", ports[0], "--uno-port", ports[1], "--quiet"]
    # It gets the completed LibreOffice, too: the packages without windows abort at a spreadsheet.
    shared = {name: value for name, value in office.environment().items() if name in _SHARED}
    with _process(command, {"PYTHONPATH": sysconfig.get_path("purelib"), **shared}) as pid:
        while not _listens(int(ports[0])):
            time.sleep(0.1)
        yield UnoClient(server="127.0.0.1", port=ports[0], host_location="local"), pid


@contextlib.contextmanager
def _process(command: list[str], variables: dict[str, str]) -> Iterator[int]:
    with subprocess.Popen(command, env={**os.environ, **variables}, stderr=subprocess.DEVNULL) as process:
        try:
            yield process.pid
        finally:
            process.terminate()


def _free_ports() -> list[int]:
    with socket.socket() as one, socket.socket() as two:
        one.bind(("127.0.0.1", 0))
        two.bind(("127.0.0.1", 0))
        return [one.getsockname()[1], two.getsockname()[1]]


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _memory(pid: int) -> float:
    processes = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    return sum(each.memory_info().rss for each in processes) / (1 << 20)
