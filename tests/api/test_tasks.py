"""Tasks over HTTP, from createTask to deleteTask. Ends of tasks come through the real queue and store."""

import json
import secrets
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack

import httpx
import pytest

from cluster import queue
from cluster.store import store
from cluster.task import Status, Trouble
from tests.api.conftest import PDF, Server, Visitor, claim_of, end_task
from tests.conftest import wait_until

QUEUED = 99
EVENTS = "/api/task/task/events"
pytestmark = pytest.mark.usefixtures("one_day")


def test_a_task_is_queued(visitor: Visitor) -> None:
    key = visitor.upload("合同.pdf")
    answer = visitor.create(key, options={"turn": 1}).json()
    assert answer["data"]["status"] == QUEUED
    task = queue.find(answer["data"]["taskId"])
    assert task and len(task.id) == 40
    assert task.options == {"turn": 1, "pages": "", "only": "any", "clicks": None}
    assert (task.inputs[0].key, task.inputs[0].etag) == (key, store().stat(key).etag)
    assert (task.lane, task.rank, task.limits["pages"]) == ("quick", "guest", 2000)
    shown = visitor.view(task.id)
    assert (shown["fileName"], shown["status"], shown["toolName"]) == ("合同.pdf", QUEUED, "旋转 PDF")
    assert (shown["progress"], shown["outputs"], shown["error"]) == (0, [], None)


def test_the_same_submit_is_one_task(visitor: Visitor) -> None:
    key = visitor.upload()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: visitor.create(key, **{"Idempotency-Key": "once"}).json(), range(16)))
    assert len({answer["data"]["taskId"] for answer in answers}) == 1
    assert visitor.data("/api/task/task/getUserTasks")["total"] == 1
    assert visitor.data("/api/user/user/getUserRights")["remainingTries"] == 2
    other = Visitor(visitor.address)
    assert other.task(**{"Idempotency-Key": "once"}) != answers[0]["data"]["taskId"]


@pytest.mark.parametrize("kind", ["foreign upload", "foreign result", "unknown", "traversal", "absolute", "prefix"])
def test_keys_of_others_do_not_exist(server: Server, visitor: Visitor, kind: str, tmp_path) -> None:
    other = Visitor(server.address)
    upload = other.upload()
    done = other.task(upload)
    end_task(done, tmp_path, ("r.pdf", PDF))
    mine = visitor.upload()
    folder = mine.rsplit("/", 1)[0]
    key = {
        "foreign upload": upload,
        "foreign result": other.view(done)["outputs"][0]["key"],
        "unknown": f"{folder}/none.pdf",
        "traversal": f"{folder}/../../{'/'.join(upload.split('/')[1:])}",
        "absolute": "/etc/passwd",
        "prefix": folder,
    }[kind]
    answer = visitor.create(key)
    assert (answer.status_code, answer.json()["data"]["reason"]) == (404, "file_unknown")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "empty_file"),
        (b"just text", "not_supported_type"),
        (b"\x89PNG\r\n\x1a\n" + b"x" * 99, "not_supported_type"),
    ],
)
def test_content_is_looked_at_first(visitor: Visitor, body: bytes, reason: str) -> None:
    answer = visitor.create(visitor.upload("a.pdf", body)).json()
    assert (answer["code"], answer["data"]["reason"], answer["data"]["file"]) == (400, reason, "a.pdf")
    assert visitor.data("/api/user/user/getUserRights")["remainingTries"] == 3


def test_an_unknown_tool(visitor: Visitor) -> None:
    answer = visitor.create(visitor.upload(), tool=31)
    assert (answer.status_code, answer.json()["data"]["reason"]) == (404, "tool_unknown")


def test_listing(visitor: Visitor, tmp_path) -> None:
    key = visitor.upload()
    ids = [visitor.task(key) for _ in range(3)]
    end_task(ids[1], tmp_path, ("a.pdf", PDF))

    def listed(**query) -> list[str]:
        return [item["taskId"] for item in visitor.data("/api/task/task/getUserTasks", **query)["items"]]

    assert listed() == ids[::-1]
    assert listed(order=1) == ids
    assert listed(order=1, page=2, size=2) == ids[2:]
    assert listed(status=int(Status.SUCCESS)) == [ids[1]]
    assert listed(status="3,4,5,6") == [ids[1]]
    assert listed(status="99,2", order=1) == [ids[0], ids[2]]
    assert listed(toolId=1) == []
    assert listed(taskId=ids[0]) == [ids[0]]
    assert visitor.data("/api/task/task/getUserTasks", size=1)["total"] == 3
    assert Visitor(visitor.address).ask("GET", "/api/task/task/getUserTasks").status_code == 401


def test_a_result_with_its_receipt(visitor: Visitor, tmp_path) -> None:
    task = visitor.task()
    notes = [{"kind": "kept", "what": "bookmarks", "facts": {"before": 3, "after": 3}}]
    end_task(task, tmp_path, ("合同_旋转.pdf", PDF), notes=notes, metrics={"pages": 2})
    shown = visitor.view(task)
    assert (shown["status"], shown["progress"], shown["metrics"]) == (3, 1, {"pages": 2})
    assert shown["receipt"][0]["text"] == "书签 3 → 3"
    (output,) = shown["outputs"]
    assert (output["name"], output["size"], output["pages"], output["kind"]) == ("合同_旋转.pdf", len(PDF), 1, "pdf")
    assert shown["expiresAt"] - shown["finishedAt"] == 12 * 3600 * 1000
    english = visitor.ask(
        "GET", "/api/task/task/getUserTasks", params={"taskId": task}, headers={"Accept-Language": "en"}
    )
    assert english.json()["data"]["items"][0]["receipt"][0]["text"] == "Bookmarks 3 → 3"


def test_a_failure_says_what_to_do(visitor: Visitor, tmp_path) -> None:
    task = visitor.task(visitor.upload("锁.pdf"))
    end_task(task, tmp_path, status=Status.FAIL, trouble=Trouble("password_required", {}, 0))
    shown = visitor.view(task)
    assert shown["error"]["reason"] == shown["inputs"][0]["error"]["reason"] == "password_required"
    assert "锁.pdf" in shown["error"]["msg"]
    again = visitor.task(shown["inputs"][0]["key"], password="1234")
    assert visitor.view(again)["status"] == QUEUED


def test_a_result_goes_into_another_tool(visitor: Visitor, tmp_path) -> None:
    first = visitor.task()
    end_task(first, tmp_path, ("a.pdf", PDF))
    second = visitor.task(visitor.view(first)["outputs"][0]["key"], name="a.pdf")
    assert visitor.view(second)["status"] == QUEUED


def test_delete_takes_everything(visitor: Visitor, tmp_path) -> None:
    key = visitor.upload()
    task = visitor.task(key)
    end_task(task, tmp_path, ("a.pdf", PDF))
    result = visitor.view(task)["outputs"][0]["key"]
    visitor.data("/api/task/task/deleteTask", taskId=task)
    assert store().stat(key) is None and store().stat(result) is None
    assert queue.find(task) is None
    assert visitor.data("/api/task/task/getUserTasks") == {"items": [], "total": 0}
    assert visitor.ask("GET", "/api/task/task/deleteTask", params={"taskId": task}).status_code == 404


def test_delete_leaves_what_another_task_waits_for(visitor: Visitor, tmp_path) -> None:
    key = visitor.upload()
    first, second = visitor.task(key), visitor.task(key)
    visitor.data("/api/task/task/deleteTask", taskId=first)
    assert store().stat(key)
    end_task(second, tmp_path, ("a.pdf", PDF))
    visitor.data("/api/task/task/deleteTask", taskId=second)
    assert store().stat(key) is None


def test_delete_cancels_what_runs(visitor: Visitor) -> None:
    task = visitor.task()
    held = claim_of(task)
    visitor.data("/api/task/task/deleteTask", taskId=task)
    assert queue.renew(held, "test-slot") is False
    queue.drop(held)


def test_retry_compress(visitor: Visitor, tmp_path) -> None:
    key = visitor.upload()
    first = visitor.task(key, tool=1, options={"level": "light", "gray": True})
    end_task(first, tmp_path, ("a.pdf", PDF))
    again = visitor.data("/api/task/task/retryCompressTask", taskId=first, level="strong")["taskId"]
    task = queue.find(again)
    assert task and again != first
    assert (task.inputs[0].key, task.options["level"], task.options["gray"]) == (key, "strong", True)
    wrong = visitor.ask("GET", "/api/task/task/retryCompressTask", params={"taskId": first, "level": "x"})
    assert wrong.json()["data"]["field"] == "level"
    store().delete(key)
    gone = visitor.ask("GET", "/api/task/task/retryCompressTask", params={"taskId": first, "level": "light"})
    assert (gone.status_code, gone.json()["data"]["reason"]) == (404, "file_unknown")
    other = visitor.task()
    refused = visitor.ask("GET", "/api/task/task/retryCompressTask", params={"taskId": other, "level": "light"})
    assert refused.json()["data"]["reason"] == "not_compress_task"


RETRY = "/api/task/task/retryCompressTask"


def test_retry_compress_asks_for_the_password_at_once(visitor: Visitor, tmp_path) -> None:
    """It was forgotten when the first task ended: a task without it could only fail."""
    key = visitor.upload("锁.pdf")
    first = visitor.task(key, tool=1, options={"gray": True}, password="secret")
    end_task(first, tmp_path, ("a.pdf", PDF))
    answer = visitor.ask("GET", RETRY, params={"taskId": first, "level": "strong"})
    told = answer.json()["data"]
    assert (answer.status_code, told["reason"], told["file"], told["index"]) == (400, "password_required", "锁.pdf", 0)
    shown = visitor.view(first)
    assert [each["locked"] for each in shown["inputs"]] == [True]
    again = queue.find(visitor.task(key, tool=1, options={**shown["options"], "level": "strong"}, password="secret"))
    assert again and again.secrets and again.locked == (0,)
    assert (again.options["level"], again.options["gray"]) == ("strong", True)
    assert "secret" not in json.dumps(shown)


def test_retry_compress_is_done_once_for_a_key(visitor: Visitor, tmp_path) -> None:
    first = visitor.task(tool=1)
    end_task(first, tmp_path, ("a.pdf", PDF))

    def again(level: str) -> httpx.Response:
        headers = {"Idempotency-Key": "again"}
        return visitor.ask("GET", RETRY, params={"taskId": first, "level": level}, headers=headers)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: again("strong").json()["data"]["taskId"], range(8)))
    assert len(set(answers)) == 1 and answers[0] != first
    refused = again("light")
    assert (refused.status_code, refused.json()["data"]["reason"]) == (422, "key_reused")


@pytest.mark.parametrize("change", ["options", "file", "password", "tool", "call"])
def test_a_key_with_another_request_is_refused(visitor: Visitor, change: str) -> None:
    key, once = visitor.upload(), {"Idempotency-Key": secrets.token_hex(8)}
    first = visitor.task(key, tool=1, password="a", **once)
    assert visitor.task(key, tool=1, password="a", **once) == first
    if change == "call":
        answer = visitor.ask("GET", RETRY, params={"taskId": first, "level": "strong"}, headers=once)
    else:
        more: dict = {"tool": 16 if change == "tool" else 1, "password": "b" if change == "password" else "a"}
        more |= {"options": {"gray": True}} if change == "options" else {}
        answer = visitor.create(visitor.upload() if change == "file" else key, **more, **once)
    assert (answer.status_code, answer.json()["data"]["reason"]) == (422, "key_reused")
    assert answer.json()["msg"]


def test_of_two_requests_with_one_key_at_once_one_is_refused(visitor: Visitor) -> None:
    """Also when both have seen that there is no task yet."""
    key, once = visitor.upload(), {"Idempotency-Key": secrets.token_hex(8)}
    with ThreadPoolExecutor(8) as pool:
        levels = ["light", "strong"] * 4
        answers = list(pool.map(lambda level: visitor.create(key, tool=1, options={"level": level}, **once), levels))
    made = {answer.json()["data"]["taskId"] for answer in answers if answer.status_code == 200}
    assert len(made) == 1 and [answer.status_code for answer in answers].count(422) == 4


def test_a_long_key_is_refused_not_cut(visitor: Visitor) -> None:
    key, long = visitor.upload(), "k" * 200
    visitor.task(key, **{"Idempotency-Key": long})
    answer = visitor.create(key, **{"Idempotency-Key": long + "b"})
    assert (answer.status_code, answer.json()["data"]["field"]) == (400, "Idempotency-Key")


def follow(visitor: Visitor, task: str, seen: list[dict], first: threading.Event) -> None:
    headers = {"Access-Token": visitor.http.cookies["access_token"]}
    with visitor.http.stream("GET", EVENTS, params={"taskId": task}, headers=headers) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        for line in stream.iter_lines():
            if line.startswith("data: "):
                seen.append({**json.loads(line[6:]), "at": time.monotonic()})
                first.set()


def test_events_follow_a_task_to_its_end(visitor: Visitor, tmp_path) -> None:
    task = visitor.task()
    seen: list[dict] = []
    first = threading.Event()
    follower = threading.Thread(target=follow, args=(visitor, task, seen, first))
    follower.start()
    assert first.wait(10)
    held = claim_of(task)
    for step in range(200):
        queue.tell(held, step / 200, "working")
    queue.release(held, "test-slot")
    end_task(task, tmp_path, ("a.pdf", PDF))
    follower.join(10)
    assert not follower.is_alive()
    assert (seen[0]["status"], seen[-1]["status"]) == (QUEUED, 3)
    # Ten a second, however often it is told; two gaps may look short to a reader who was held up.
    assert len(seen) <= 3 + (seen[-1]["at"] - seen[0]["at"]) / 0.1


def test_events_of_an_ended_task_are_one(visitor: Visitor, tmp_path) -> None:
    task = visitor.task()
    end_task(task, tmp_path, ("a.pdf", PDF))
    seen: list[dict] = []
    follow(visitor, task, seen, threading.Event())
    assert [each["status"] for each in seen] == [3]


def test_events_end_when_the_task_is_deleted(visitor: Visitor) -> None:
    task = visitor.task()
    seen: list[dict] = []
    first = threading.Event()
    follower = threading.Thread(target=follow, args=(visitor, task, seen, first))
    follower.start()
    assert first.wait(10)
    visitor.data("/api/task/task/deleteTask", taskId=task)
    follower.join(10)
    assert not follower.is_alive()


def test_inputs_wait_as_long_as_a_task_may_need_them(visitor: Visitor) -> None:
    key = visitor.upload()
    prefix = f"files:{key.rsplit('/', 1)[0]}/"
    queue.connect().zadd("due", {prefix: 1})
    visitor.task(key)
    left = queue.connect().zscore("due", prefix) - queue.now_ms()
    assert left > 11.9 * 3600 * 1000


def test_streams_of_one_owner_are_bounded(visitor: Visitor) -> None:
    task = visitor.task()
    headers = {"Access-Token": visitor.http.cookies["access_token"]}

    def stream() -> AbstractContextManager[httpx.Response]:
        return visitor.http.stream("GET", EVENTS, params={"taskId": task}, headers=headers)

    def status() -> int:
        with stream() as answer:
            return answer.status_code

    with ExitStack() as stack:
        lines = [stack.enter_context(stream()).iter_lines() for _ in range(50)]
        assert all(next(each).startswith("data: ") for each in lines)
        assert status() == 429
    wait_until(lambda: status() == 200, what="room for a stream")
