"""What the operator sees: probes and numbers, from a real server, the real queue and both databases."""

import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from api.metrics import Requests, may_read
from api.settings import settings
from cluster import queue
from cluster.task import Status, Trouble
from tests import postgres
from tests.api.conftest import Server, Visitor, claim_of, end_task, serving
from tests.api.paying import PAID, buyer, press
from tests.conftest import free_port, wait_until

TOKEN = "only-the-operator-knows"


def numbers(server: Server) -> dict[str, float]:
    """Every sample as Prometheus itself reads it: `name{label=value,…}` with sorted labels."""
    answer = httpx.get(f"{server.address}/metrics")
    assert answer.status_code == 200, answer.text
    found = {}
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}"] = sample.value
    return found


@pytest.fixture
def change(server: Server) -> Callable[[str], float]:
    """How much a sample has grown since the test began."""
    before = numbers(server)
    return lambda name: numbers(server).get(name, 0) - before.get(name, 0)


def test_what_waits_and_runs_in_a_lane(server: Server, visitor: Visitor) -> None:
    task = visitor.task()
    visitor.task()
    queue.connect().hset(f"task:{task}", "created", queue.now_ms() - 7000)
    found = numbers(server)
    assert found["papercrane_waiting_parts{lane=quick,rank=guest}"] == 2
    assert found["papercrane_waiting_parts{lane=quick,rank=member}"] == 0
    assert 0 < found["papercrane_oldest_waiting_seconds{lane=quick,rank=guest}"] < 60
    assert found["papercrane_oldest_waiting_seconds{lane=ocr,rank=guest}"] == 0
    claim_of(task)
    found = numbers(server)
    assert found["papercrane_waiting_parts{lane=quick,rank=guest}"] == 1
    assert found["papercrane_running_parts{lane=quick,rank=guest}"] == 1


def test_slots(server: Server) -> None:
    lane = {f"s{number}": queue.now_ms() for number in range(3)}
    queue.connect().zadd("slots:office", lane)
    try:
        assert numbers(server)["papercrane_slots{lane=office}"] == 3
    finally:
        queue.connect().delete("slots:office")
    assert numbers(server)["papercrane_slots{lane=office}"] == 0


@pytest.mark.parametrize(
    ("status", "reason"),
    [(Status.SUCCESS, ""), (Status.FAIL, "damaged_file"), (Status.TIMEOUT_FAIL, "timed_out")],
)
def test_how_tasks_end(change, visitor: Visitor, tmp_path: Path, status: Status, reason: str) -> None:
    trouble = Trouble(reason, {"file": "私人.pdf"}, 0) if reason else None
    end_task(visitor.task(), tmp_path, status=status, trouble=trouble)
    assert change(f"papercrane_tasks_total{{reason={reason},status={status.name.lower()},tool=rotate}}") == 1


def test_how_long_tasks_wait_and_work(change, visitor: Visitor, tmp_path: Path) -> None:
    task = visitor.task()
    queue.connect().hset(f"task:{task}", "created", queue.now_ms() - 7000)
    end_task(task, tmp_path)
    assert change("papercrane_task_waiting_seconds_bucket{lane=quick,le=5}") == 0
    assert change("papercrane_task_waiting_seconds_bucket{lane=quick,le=10}") == 1
    assert change("papercrane_task_waiting_seconds_count{lane=quick}") == 1
    assert 7 <= change("papercrane_task_waiting_seconds_sum{lane=quick}") < 30
    assert change("papercrane_task_working_seconds_bucket{lane=quick,le=10}") == 1


def test_a_task_ended_twice_counts_once(change, visitor: Visitor, tmp_path: Path) -> None:
    task = visitor.task()
    end_task(task, tmp_path)
    assert queue.finish(task) is None
    assert change("papercrane_tasks_total{reason=,status=success,tool=rotate}") == 1


def test_parts_that_slots_lost(change, visitor: Visitor) -> None:
    held = claim_of(visitor.task())
    queue.release(held, "test-slot")
    assert change("papercrane_parts_returned_total{cause=died,lane=quick}") == 1
    held = claim_of(held.task)
    queue.connect().xclaim(held.stream, queue.GROUP, "test-slot", 0, [held.message], idle=10**8, justid=True)
    claim_of(held.task)
    assert change("papercrane_parts_returned_total{cause=silent,lane=quick}") == 1


def test_a_sweeper_that_stands_still_is_seen(server: Server) -> None:
    name = f"task:{secrets.token_hex(8)}"
    # No sweeper runs here: what earlier tests left is overdue too.
    queue.connect().zremrangebyscore("due", 0, queue.now_ms())
    queue.connect().zadd("due", {name: queue.now_ms() - 90_000})
    try:
        assert 90 <= numbers(server)["papercrane_sweeper_lag_seconds{}"] < 150
    finally:
        queue.connect().zrem("due", name)
    assert numbers(server)["papercrane_sweeper_lag_seconds{}"] < 90


def test_requests_by_route_and_status(change, visitor: Visitor) -> None:
    listed = "papercrane_requests_total{method=GET,route=/api/task/task/getUserTasks,status=200}"
    refused = "papercrane_requests_total{method=GET,route=/api/task/task/deleteTask,status=404}"
    took = "papercrane_request_seconds_count{route=/api/task/task/getUserTasks}"
    visitor.grant()
    for _ in range(3):
        visitor.data("/api/task/task/getUserTasks")
    visitor.ask("GET", "/api/task/task/deleteTask", params={"taskId": "unknown"})
    wait_until(lambda: change(listed) == 3 and change(refused) == 1, what="the counts")
    assert change(took) == 3


def test_uploads_are_counted_without_their_names(server: Server, visitor: Visitor) -> None:
    name = f"secret{secrets.token_hex(4)}.pdf"
    visitor.upload(name)
    put = "papercrane_requests_total{method=PUT,route=/s3/<bucket:str>/<key:path>,status=200}"
    wait_until(lambda: numbers(server).get(put), what="the upload")
    text = httpx.get(f"{server.address}/metrics").text
    assert name not in text
    assert visitor.http.cookies["access_token"] not in text


def test_foreign_methods_and_paths_make_no_new_labels(server: Server, visitor: Visitor) -> None:
    for number in range(5):
        visitor.ask(f"X{secrets.token_hex(4)}", f"/api/{secrets.token_hex(8)}")
        visitor.ask("GET", f"/api/{number}/{secrets.token_hex(8)}")
        visitor.ask("GET", f"/{secrets.token_hex(8)}")
    time_to_tell(server)
    routes = {label(name, "route") for name in numbers(server) if name.startswith("papercrane_requests_total")}
    methods = {label(name, "method") for name in numbers(server) if name.startswith("papercrane_requests_total")}
    assert methods <= {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "other"}
    assert len(routes) < 60


def label(sample: str, name: str) -> str:
    return next(pair.partition("=")[2] for pair in sample.partition("{")[2][:-1].split(",") if pair.startswith(name))


def time_to_tell(server: Server) -> None:
    """One more request has reached the counts, so the ones before have too."""
    name = "papercrane_requests_total{method=GET,route=/api/docs,status=200}"
    before = numbers(server).get(name, 0)
    httpx.get(f"{server.address}/api/docs")
    wait_until(lambda: numbers(server).get(name, 0) > before, what="the counts")


def test_all_processes_count_together(tmp_path, redis_server: str) -> None:
    name = "papercrane_requests_total{method=GET,route=/api/openapi.json,status=200}"
    with serving(tmp_path, WORKERS="2") as server:
        before = numbers(server).get(name, 0)
        for _ in range(20):
            httpx.get(f"{server.address}/api/openapi.json")
        wait_until(lambda: numbers(server).get(name) == before + 20, what="the counts of both")
        httpx.get(f"{server.address}/api/openapi.json")
        server.stop()
    fields = queue.connect().hgetall("stats:requests")
    assert int(fields["GET /api/openapi.json 200"]) == before + 21


def test_counts_wait_while_redis_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    from cluster import settings as cluster_settings

    requests, route = Requests(), f"/test/{secrets.token_hex(4)}"
    requests.count("GET", route, 200, 0.2)
    here = cluster_settings.settings()
    away = cluster_settings.Settings(redis=f"redis://127.0.0.1:{free_port()}/0")
    monkeypatch.setattr("cluster.queue.master.settings", lambda: away)
    requests.flush()
    requests.count("GET", route, 200, 0.2)
    monkeypatch.setattr("cluster.queue.master.settings", lambda: here)
    requests.flush()
    requests.flush()
    assert queue.connect().hget("stats:requests", f"GET {route} 200") == "2"
    assert queue.connect().hget("stats:answered", f"{route} 0.25") == "2"
    queue.connect().hdel("stats:requests", f"GET {route} 200")
    queue.connect().hdel("stats:answered", f"{route} 0.25", f"{route} sum")


@pytest.mark.parametrize("kind", ["server", "postgres_server"])
def test_orders_by_state(request: pytest.FixtureRequest, kind: str) -> None:
    server: Server = request.getfixturevalue(kind)
    before = numbers(server)

    def change(name: str) -> float:
        return numbers(server).get(name, 0) - before.get(name, 0)

    who = buyer(server)
    order = who.order("alipay")
    assert change("papercrane_orders{status=unpaid,wallet=alipay}") == 1
    assert change("papercrane_orders_fen{status=unpaid,wallet=alipay}") == order["amount"] > 0
    press(order, "pay")
    assert who.status(order["orderNo"]) == PAID
    assert change("papercrane_orders{status=unpaid,wallet=alipay}") == 0
    assert change("papercrane_orders{status=paid,wallet=alipay}") == 1
    assert change("papercrane_orders_fen{status=paid,wallet=alipay}") == order["amount"]
    assert change("papercrane_money_events_total{kind=paid,wallet=alipay}") == 1
    assert change("papercrane_orders{status=paid,wallet=weixin}") == 0


def test_who_may_read(tmp_path, redis_server: str) -> None:
    with serving(tmp_path, METRICS_TOKEN=TOKEN) as server:
        address = f"{server.address}/metrics"

        def status(**headers: str) -> int:
            return httpx.get(
                address, headers={name.replace("_", "-"): text for name, text in headers.items()}
            ).status_code

        assert status() == 200
        assert status(x_forwarded_for="127.0.0.1") == 404
        assert status(forwarded="for=127.0.0.1") == 404
        assert status(host="evil.example") == 404
        assert status(x_forwarded_for="203.0.113.7", authorization=f"Bearer {TOKEN}") == 200
        assert status(host="10.0.0.7:8000", authorization=f"Bearer {TOKEN}") == 200
        assert status(x_forwarded_for="203.0.113.7", authorization="Bearer wrong") == 404
        assert status(x_forwarded_for="203.0.113.7", authorization="Bearer") == 404
        assert "papercrane_" not in httpx.get(address, headers={"via": "1.1 proxy"}).text
        assert TOKEN not in server.log.read_text()


@pytest.mark.parametrize(
    ("peer", "host", "may"),
    [
        ("127.0.0.1", "127.0.0.1:8000", True),
        ("127.0.0.53", "localhost", True),
        ("::1", "[::1]:8000", True),
        ("::1", "[::1]", True),
        ("::ffff:127.0.0.1", "localhost:80", True),
        ("203.0.113.7", "127.0.0.1:8000", False),
        ("10.0.0.2", "localhost", False),
        ("::ffff:10.0.0.2", "localhost", False),
        ("127.0.0.1", "papercrane.example", False),
        ("127.0.0.1", "", False),
        ("", "localhost", False),
    ],
)
def test_only_this_machine_without_a_token(peer: str, host: str, may: bool) -> None:
    assert settings().metrics_token == ""
    assert may_read(peer, host, {}) is may
    assert may_read(peer, host, {"authorization": "Bearer "}) is may


def test_without_redis_the_rest_is_told_at_once(tmp_path, redis_server: str) -> None:
    with serving(tmp_path, cluster={"REDIS": f"redis://127.0.0.1:{free_port()}/0"}) as server:
        began = time.monotonic()
        found = numbers(server)
        assert time.monotonic() - began < 5
        assert found["papercrane_up{part=redis}"] == 0
        assert found["papercrane_up{part=sql}"] == 1
        assert found["papercrane_disk_free_bytes{}"] > 0
        assert ready(server) == (503, False, True)


def test_without_its_tables_it_is_not_ready(tmp_path, redis_server: str, busy: None) -> None:
    file = tmp_path / "own.db"
    with serving(tmp_path, DATABASE=f"sqlite+aiosqlite:///{file}") as server:
        assert ready(server) == (200, True, True)
        with closing(sqlite3.connect(file)) as database:
            database.execute("ALTER TABLE orders RENAME TO gone")
        assert ready(server) == (503, True, False)


def test_without_the_database_it_is_not_ready(tmp_path, redis_server: str, busy: None) -> None:
    """PostgreSQL goes away under a working server: it says so, answers what it can, and people may try again."""
    where = postgres.required()
    with ExitStack() as stack:
        with postgres.running(where) as url:
            server = stack.enter_context(serving(tmp_path, DATABASE=url))
            visitor, nobody = Visitor(server.address), Visitor(server.address)
            visitor.sign_in(server.log)
            assert ready(server) == (200, True, True)
        assert ready(server) == (503, True, False)
        assert httpx.get(f"{server.address}/healthz").status_code == 200
        found = numbers(server)
        assert found["papercrane_up{part=sql}"] == 0
        assert "papercrane_slots{lane=quick}" in found
        answer = visitor.ask("GET", "/api/user/user/getUser")
        assert (answer.status_code, answer.json()["data"]["reason"]) == (503, "unavailable")
        end_task(task := nobody.task(), tmp_path, ("a.pdf", b"a"))
        assert nobody.view(task)["status"] == Status.SUCCESS, "who has not signed in works on"
        assert nobody.data("/api/file/download/getDownloadInfo", taskId=task, index=0)["url"]
        assert int(answer.headers["retry-after"]) > 0


@pytest.fixture
def busy(redis_server: str) -> Iterator[None]:
    """A slot of the quick lane that lives."""
    queue.connect().zadd("slots:quick", {"slot": queue.now_ms() + 60_000})
    yield
    queue.connect().delete("slots:quick")


def ready(server: Server) -> tuple[int, bool, bool]:
    """The probe's status, and whether Redis and the database answer."""
    answer = httpx.get(f"{server.address}/readyz")
    data = answer.json()["data"]
    return answer.status_code, data["redis"], data["sql"]
