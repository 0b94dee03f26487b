"""The id of a request, from who asks to the task's record; what is none is not taken."""

import json
import re
import secrets
from pathlib import Path

import pytest

from api.app import CALLS
from cluster import queue
from tests.api.conftest import Server, Visitor
from tests.conftest import wait_until

OURS = re.compile(r"[0-9a-f]{16}")


def lines_of(server: Server, request: str) -> list[dict]:
    return [json.loads(line) for line in server.log.read_text().splitlines() if f'"{request}"' in line]


def test_the_id_that_the_edge_gives_goes_into_log_answer_and_task(server: Server, visitor: Visitor) -> None:
    request, key = secrets.token_hex(16), visitor.upload()
    answer = visitor.create(key, **{"X-Request-Id": request})
    assert answer.headers["x-request-id"] == request
    found = queue.find(answer.json()["data"]["taskId"])
    assert found and found.request == request
    (line,) = wait_until(lambda: lines_of(server, request), what="the line")
    assert (line["event"], line["route"], line["id"]) == ("request", "/api/task/task/createTask", request)
    assert {"level", "timestamp", "method", "status", "ms"} <= set(line)


@pytest.mark.parametrize(
    "brought",
    [
        *[(each,) for each in ("", "a" * 15, "a" * 65, "A" * 32, "x" * 32, "\u7eb8" * 16, "0-" * 10)],
        *[('{"a": 1}' * 4,), ("0" * 32, "1" * 32)],
    ],
    ids=repr,
)
def test_what_is_no_id_is_not_taken(server: Server, visitor: Visitor, brought: tuple[str, ...]) -> None:
    headers = [(b"X-Request-Id", each.encode()) for each in brought]
    answer = visitor.http.get("/api/toolkit/tool/getToolGroups", headers=headers)  # type: ignore[arg-type]
    given = answer.headers["x-request-id"]
    assert OURS.fullmatch(given) and given not in brought
    assert len({visitor.ask("GET", "/healthz").headers["x-request-id"] for _ in range(5)}) == 5


def test_a_fault_of_ours_tells_its_id(server: Server, visitor: Visitor, tmp_path: Path) -> None:
    visitor.grant()
    request = secrets.token_hex(16)
    task = visitor.task()
    queue.connect().hset(f"task:{task}", "status", "no number")
    try:
        answer = visitor.ask(
            "GET", "/api/task/task/getUserTasks", params={"taskId": task}, headers={"X-Request-Id": request}
        )
        assert (answer.status_code, answer.json()["data"]) == (500, {"reason": "internal", "request": request})
        assert request in answer.json()["msg"]
        assert {line["event"] for line in lines_of(server, request)} == {"fault", "request"}
    finally:
        queue.connect().hset(f"task:{task}", "status", 99)


def test_no_call_says_it_in_its_answers_otherwise() -> None:
    """There is one place for it, the header: pages need not look for it in every answer."""
    assert not [call.path for call in CALLS if "request" in getattr(call.answer, "__annotations__", {})]
