"""Rights: what a visitor may do, counted to the letter and given back when it was our fault."""

import secrets
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from api.caller import Caller
from api.problems import Refusal
from api.settings import read
from api.task.inputs import check_files
from api.user.rights import Tries
from cluster import queue
from cluster.catalogue import TOOLS
from cluster.task import Status, Trouble
from tests.api.conftest import PDF, Visitor, end_task, serving
from tests.api.trying import left, take
from tests.cluster.queued import make

RIGHTS = "/api/user/user/getUserRights"
MIB = 1 << 20
pytestmark = pytest.mark.usefixtures("one_day")


def caller(address: str = "") -> Caller:
    return Caller(secrets.token_hex(8), "visitor", address or secrets.token_hex(8))


def test_a_new_visitors_rights(visitor: Visitor) -> None:
    assert visitor.data(RIGHTS, toolId=16) == {
        "allowed": True,
        "restriction": None,
        "remainingTries": 3,
        "maxDocuments": 1,
        "maxFileSize": 100 * MIB,
        "maxPages": 2000,
        "rank": "visitor",
    }


def test_the_fourth_task_of_a_day(visitor: Visitor) -> None:
    key = visitor.upload()
    for _ in range(3):
        visitor.task(key)
    answer = visitor.create(key)
    assert (answer.status_code, answer.json()["code"]) == (403, 403)
    assert answer.json()["data"] == {"reason": "no_tries_left", "restriction": 2}
    rights = visitor.data(RIGHTS)
    assert (rights["allowed"], rights["restriction"], rights["remainingTries"]) == (False, 2, 0)


def test_corrections_of_what_was_read_take_no_try(visitor: Visitor) -> None:
    key, data = visitor.upload(), visitor.upload("a.json", b"{}")
    for corrected in ([data], [data], [], []):
        visitor.task(key, tool=28, options={"corrected": corrected})
    assert visitor.data(RIGHTS)["remainingTries"] == 1


def test_parallel_tries_are_counted_exactly(visitor: Visitor) -> None:
    key = visitor.upload()
    with ThreadPoolExecutor(10) as pool:
        codes = list(pool.map(lambda _: visitor.create(key).status_code, range(20)))
    assert sorted(codes) == [200] * 3 + [403] * 17
    assert visitor.data("/api/task/task/getUserTasks")["total"] == 3


def test_a_fault_of_ours_is_given_back(visitor: Visitor, tmp_path) -> None:
    key = visitor.upload()
    ids = [visitor.task(key) for _ in range(3)]
    end_task(ids[0], tmp_path, status=Status.FAIL)
    assert visitor.data(RIGHTS)["remainingTries"] == 0
    end_task(ids[1], tmp_path, status=Status.ABNORMAL)
    assert visitor.data(RIGHTS)["remainingTries"] == 1
    visitor.task(key)
    assert visitor.create(key).status_code == 403


def test_a_file_in_which_nothing_could_be_read_costs_no_try(visitor: Visitor, tmp_path) -> None:
    key = visitor.upload()
    ids = [visitor.task(key) for _ in range(3)]
    for task, reason in zip(ids, ("damaged_file", "password_required", "damaged_file"), strict=True):
        end_task(task, tmp_path, status=Status.FAIL, trouble=Trouble(reason, {"file": "a.pdf"}, 0))
    visitor.data("/api/task/task/deleteTask", taskId=ids[2])
    assert visitor.data(RIGHTS)["remainingTries"] == 2


def test_a_task_deleted_before_it_began_is_given_back(visitor: Visitor, tmp_path) -> None:
    ended = visitor.task()
    end_task(ended, tmp_path, ("a.pdf", PDF))
    waiting = visitor.task()
    for task in (waiting, ended):
        visitor.data("/api/task/task/deleteTask", taskId=task)
    assert visitor.data(RIGHTS)["remainingTries"] == 2


def test_two_documents_are_a_members_right(visitor: Visitor) -> None:
    keys = [visitor.upload(), visitor.upload()]
    answer = visitor.create(*keys)
    assert answer.status_code == 403
    assert answer.json()["data"] == {"reason": "too_many_documents", "restriction": 1, "limit": 1}
    assert visitor.data(RIGHTS)["remainingTries"] == 3
    assert visitor.create(*keys, tool=2).status_code == 200


def test_too_few_files_for_a_tool() -> None:
    two = replace(TOOLS[2], least=2)
    with pytest.raises(Refusal, match="too_few_files"):
        check_files(two, 1)


def test_addresses_are_counted_too() -> None:
    address = secrets.token_hex(8)
    for _ in range(30):
        take(Tries.today(caller(address)))
    with pytest.raises(queue.Spent):
        take(Tries.today(caller(address)))
    assert left(Tries.today(caller(address))) == 0
    assert left(Tries.today(caller())) == 3


def test_tries_count_for_one_day_only() -> None:
    who = caller()
    for _ in range(3):
        take(Tries(who, "20260101"))
    assert left(Tries(who, "20260101")) == 0
    assert left(Tries(who, "20260102")) == 3
    assert 0 < queue.connect().ttl(f"tries:{who.owner}:20260101") <= 2 * 86400


def test_sizes(visitor: Visitor) -> None:
    over = visitor.ask("GET", "/api/file/upload/getStsCredentials", params={"files": 1, "bytes": 101 * MIB})
    assert (over.status_code, over.json()["data"]["reason"], over.json()["data"]["limit"]) == (
        403,
        "file_too_large",
        100,
    )
    assert visitor.grant(files=2, bytes=150 * MIB)["maxBytes"] == 150 * MIB
    assert visitor.grant()["maxBytes"] == 100 * MIB


def test_limits_come_from_the_environment(tmp_path, redis_server: str) -> None:
    limits = {
        "VISITOR_TRIES": "unlimited",
        "VISITOR_DOCUMENTS": "50",
        "VISITOR_BYTES": "10",
        "ADDRESS_GRANTS": "2",
        "PROXIES": "1",
    }
    with serving(tmp_path, **limits) as server:
        visitor = Visitor(server.address)
        visitor.http.headers["X-Forwarded-For"] = f"spoofed, 2001:db8::{secrets.randbelow(65536):x}"
        rights = visitor.data(RIGHTS)
        assert (rights["remainingTries"], rights["maxDocuments"], rights["maxFileSize"]) == (None, 50, 10)
        visitor.grant()
        visitor.grant()
        busy = visitor.ask("GET", "/api/file/upload/getStsCredentials")
        assert (busy.status_code, busy.headers["retry-after"]) == (429, "600")


@pytest.mark.parametrize(
    ("variable", "value"),
    [("PORT", "x"), ("VISITOR_TRIES", "many"), ("VISITOR_BYTES", "unlimited"), ("USER_PAGES", "-1")],
)
def test_a_wrong_setting_names_its_variable(variable: str, value: str) -> None:
    with pytest.raises(SystemExit, match=f"PAPERCRANE_API_{variable}"):
        read({f"PAPERCRANE_API_{variable}": value})


def test_ones_full_list_is_not_everybodys(visitor: Visitor) -> None:
    """A member's batches filled the lane's places, and whoever came then was sent away."""
    batch = make("quick", parts=50, rank="member", owner=secrets.token_hex(8))
    for task in (batch, replace(batch, id=secrets.token_hex(16))):
        assert queue.put(task, queue.Room(100, 20))
    with pytest.raises(queue.Full) as full:
        queue.put(replace(batch, id=secrets.token_hex(16), parts=1), queue.Room(100, 20))
    assert full.value.own
    visitor.task()


def test_who_has_too_much_waiting_is_told_so(visitor: Visitor) -> None:
    key = visitor.upload()
    first = queue.find(visitor.task(key))
    assert first
    queue.put(replace(first, id=secrets.token_hex(16), parts=99))
    answer = visitor.create(key)
    assert (answer.status_code, answer.json()["data"]["reason"]) == (429, "too_many_waiting")
    assert int(answer.headers["retry-after"]) > 0
    assert visitor.data(RIGHTS)["remainingTries"] == 2, "a refused task takes no try"


def test_a_full_lane_says_when_to_come_back(visitor: Visitor) -> None:
    queue.forget_slots()  # those of other tests make a lane longer
    key = visitor.upload()
    stream = queue.lane_stream("quick", "guest")
    waiting = [queue.connect().xadd(stream, {"task": "none", "part": 0}) for _ in range(20)]
    answer = visitor.create(key)
    assert (answer.status_code, answer.json()["data"]["reason"]) == (429, "queue_full")
    assert int(answer.headers["retry-after"]) > 0
    assert visitor.data(RIGHTS)["remainingTries"] == 3
    queue.connect().xdel(stream, *waiting)
    assert queue.connect().xlen(stream) < 20
