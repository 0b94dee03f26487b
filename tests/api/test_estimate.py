"""What a tool would make, told before anybody starts it: no try, no task in a list, and silence where it fails."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from api.task import estimate
from cluster import queue
from cluster.task import Outcome, Status, Trouble
from tests.api.conftest import PDF, Server, Visitor
from tests.conftest import wait_until

COMPRESS, ROTATE = 1, 16
pytestmark = pytest.mark.usefixtures("one_day")


def ask(visitor: Visitor, key: str, tool: int = COMPRESS) -> Any:
    file = {"key": key, "name": "合同.pdf", "password": "芝麻"}
    return visitor.ask("POST", "/api/task/task/estimate", json={"toolId": tool, "file": file})


def asked_task() -> str:
    """The estimate that waits now."""
    return next((str(name).removeprefix("task:") for name in queue.connect().keys("task:*") if is_light(name)), "")


def is_light(name: str) -> bool:
    return bool(queue.connect().hget(name, "estimate") == "1")


def end(outcome: Outcome) -> None:
    """A slot takes the estimate that waits and ends it so."""
    task = wait_until(asked_task)
    while (held := queue.claim("quick", "test-slot")) is None or held.task != task:
        pass
    found = queue.find(task)
    assert found and found.inputs[0].name == "合同.pdf" and found.secrets, "its password goes along"
    # Whoever asked may have taken the task away in the same moment.
    assert queue.done(held, outcome) or queue.find(task) is None


@pytest.fixture
def slot() -> None:
    """The quick lane has slots, as many as others' tests have parts waiting and one more."""
    for number in range(queue.depth("quick") + 1):
        queue.beat("quick", f"test-slot-{number}")


@pytest.mark.usefixtures("slot")
def test_sizes_are_told_and_nothing_is_left(visitor: Visitor) -> None:
    key, stats = visitor.upload(), queue.connect().hgetall("stats:tasks")
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(ask, visitor, key)
        end(Outcome(Status.SUCCESS, metrics={"light": 900.4, "standard": 400.0}))
        assert answer.result().json()["data"] == {"sizes": {"light": 900, "standard": 400}}
    assert asked_task() == ""
    assert visitor.data("/api/task/task/getUserTasks")["total"] == 0
    assert visitor.data("/api/user/user/getUserRights")["remainingTries"] == 3
    assert queue.connect().hgetall("stats:tasks") == stats, "the operator counts work that was asked for"


@pytest.mark.usefixtures("slot")
def test_what_fails_is_not_known(visitor: Visitor) -> None:
    key = visitor.upload()
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(ask, visitor, key)
        end(Outcome(Status.FAIL, trouble=Trouble("damaged_file")))
        assert answer.result().json()["data"] == {"sizes": None}
    assert asked_task() == ""


def test_without_a_free_slot_nobody_waits(visitor: Visitor) -> None:
    queue.forget_slots()
    assert ask(visitor, visitor.upload()).json()["data"] == {"sizes": None}
    assert asked_task() == ""


@pytest.mark.usefixtures("slot")
def test_a_tool_that_tells_nothing(visitor: Visitor) -> None:
    assert ask(visitor, visitor.upload(), ROTATE).json()["data"] == {"sizes": None}


@pytest.mark.usefixtures("slot")
def test_an_address_asks_so_often_a_day(visitor: Visitor) -> None:
    assert estimate._allowed("far away")
    assert queue.connect().ttl("estimates:far away") > 0
    queue.connect().set("estimates:far away", estimate._MOST)
    assert not estimate._allowed("far away")
    queue.connect().delete("estimates:far away")


def test_foreign_files_do_not_exist(server: Server, visitor: Visitor) -> None:
    key, stranger = visitor.upload(body=PDF), Visitor(server.address)
    stranger.grant()
    answer = ask(stranger, key)
    assert (answer.status_code, answer.json()["data"]["reason"]) == (404, "file_unknown")
