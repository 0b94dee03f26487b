"""Calls a second beside a bare Sanic handler, in turns."""

import json
import re
import statistics
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cluster import queue
from tests.api.conftest import Visitor
from tests.bench.load.running import Load, Server, asking, bare_server, load, our_server

#: Seconds of a turn, and turns of each.
SECONDS, TURNS = 1.5, 5
GOALS = {"getToolGroups": 0.6, "getUserRights": 0.25, "createTask": 0.15}


@dataclass(frozen=True)
class Ratio:
    """Ours to the bare handler's, by the clock and by CPU; medians of the turns."""

    call: str
    clock: float
    cpu: float
    rate: float
    slow: float


def rows() -> Iterator[str]:
    yield "| call | answers a second, ours ÷ bare | by CPU | goal | ours a second | slowest 1 % |"
    yield "|---|---|---|---|---|---|"
    for each in measured(SECONDS, TURNS):
        goal = GOALS.get(each.call, "")
        yield f"| {each.call} | **{each.clock:.2f}** | {each.cpu:.2f} | {goal} | {each.rate:.0f} | {each.slow:.0f} ms |"


def measured(seconds: float, turns: int) -> Iterator[Ratio]:
    """One ratio a call."""
    # As many tries and as long a queue as the load needs; a lane's slots do not matter to it.
    roomy = {"VISITOR_TRIES": "10000000"}
    cluster = {"QUEUE_OWN": "10000000", "QUEUE_FACTOR": "10000000"}
    with (
        tempfile.TemporaryDirectory() as name,
        bare_server(Path(name)) as bare,
        our_server(cluster=cluster, **roomy) as server,
    ):
        for call, requests in _wishes(server).items():
            yield _ratio(call, requests, server, bare, seconds, turns)


def _ratio(call: str, requests: list[bytes], server: Server, bare: Server, seconds: float, turns: int) -> Ratio:
    mine: list[Load] = []
    theirs: list[Load] = []
    for _ in range(turns):
        theirs.append(_load(bare, [re.sub(rb" /\S+", b" /healthz", each, count=1) for each in requests], seconds))
        mine.append(_load(server, requests, seconds))
        _forget("lane:*", "tries:*", "task:*", "tasks:*")
    assert not sum(each.refused for each in (*mine, *theirs)), f"{call} was refused"
    clock = statistics.median(a.rate / b.rate for a, b in zip(mine, theirs, strict=True))
    cpu = statistics.median(b.cpu / a.cpu for a, b in zip(mine, theirs, strict=True))
    return Ratio(call, clock, cpu, statistics.median(a.rate for a in mine), statistics.median(a.slow for a in mine))


def _forget(*patterns: str) -> None:
    """What the turn left: nobody has made thousands of tasks today."""
    for each in patterns:
        if keys := queue.connect().keys(each):
            queue.connect().unlink(*keys)


def _load(server: Server, requests: list[bytes], seconds: float) -> Load:
    assert server.process and server.process.pid
    return load(server.address, server.process.pid, requests, seconds)


def _wishes(server: Server) -> dict[str, list[bytes]]:
    """What visitors of many owners ask; who signed in is told apart, for the database knows of their membership."""
    visitors = [Visitor(server.address) for _ in range(50)]
    keys = [visitor.upload() for visitor in visitors]
    cookies = [dict(visitor.http.cookies) for visitor in visitors]
    member = Visitor(server.address)
    member.sign_in(server.log)
    rights = "/api/user/user/getUserRights?toolId=16"
    return {
        "getToolGroups": [asking("/api/toolkit/tool/getToolGroups", cookies=each) for each in cookies],
        "getUserRights": [asking(rights, cookies=each) for each in cookies],
        "getUserRights, signed in": [asking(rights, cookies=dict(member.http.cookies))],
        "createTask": [
            asking("/api/task/task/createTask", cookies=each, body=_task(key))
            for each, key in zip(cookies, keys, strict=True)
        ],
    }


def _task(key: str) -> bytes:
    return json.dumps({"toolId": 16, "files": [{"key": key, "name": "a.pdf"}], "options": {"turn": 2}}).encode()
