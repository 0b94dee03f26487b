"""What holds for every call: who may ask, how refusals look, what no answer ever reveals."""

import json
import re
import socket
import time

import httpx
import pytest

from api.answer import Answer
from api.app import CALLS
from api.body import options_of
from api.calls import Call
from api.problems import FieldRefusal, failure
from api.settings import ROOT
from cluster import queue
from cluster.catalogue import TOOLS
from tests.api.conftest import PDF, Server, Visitor, serving

KNOWN = [call for call in CALLS if call.identity == "known"]
OWNED = [
    call for call in KNOWN if "task_id" in call.given.model_fields and call.given.model_fields["task_id"].is_required()
]
QUERY = {"taskId": "0" * 40, "level": "strong", "index": 0}


def name(call: Call) -> str:
    return call.path.rsplit("/", 1)[-1]


def ask(server: Server, call: Call, headers: dict[str, str], cookies: dict[str, str]) -> httpx.Response:
    with httpx.Client(base_url=server.address, cookies=cookies) as client:
        body = {"json": {"toolId": 16, "files": [{"key": "k", "name": "n"}]}} if call.method == "POST" else {}
        return client.request(
            call.method, call.path, params=QUERY, headers={"Web-Tag": "papercrane", **headers}, **body
        )


@pytest.mark.parametrize("call", KNOWN, ids=name)
@pytest.mark.parametrize("who", ["nobody", "header only", "cookies only", "no session", "another's session", "forged"])
def test_half_an_identity_is_none(server: Server, visitor: Visitor, call: Call, who: str) -> None:
    visitor.grant()
    other = Visitor(server.address)
    other.grant()
    access, session = visitor.http.cookies["access_token"], visitor.http.cookies["session"]
    header = {"Access-Token": access}
    headers, cookies = {
        "nobody": ({}, {}),
        "header only": (header, {}),
        "cookies only": ({}, {"access_token": access, "session": session}),
        "no session": (header, {"access_token": access}),
        "another's session": (header, {"access_token": access, "session": other.http.cookies["session"]}),
        "forged": ({"Access-Token": "x"}, {"access_token": "x", "session": "x"}),
    }[who]
    answer = ask(server, call, headers, cookies)
    assert (answer.status_code, answer.json()["code"]) == (401, 401)
    assert answer.json()["data"]["reason"] == "unauthorized"
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("call", OWNED, ids=name)
def test_foreign_and_unknown_tasks_are_the_same(server: Server, visitor: Visitor, call: Call) -> None:
    mine = visitor.task()
    other = Visitor(server.address)
    other.grant()
    for task in (mine, "0" * 40, "*", "../x", "a:b", "任务"):
        answer = other.ask("GET", call.path, params={**QUERY, "taskId": task})
        assert answer.status_code == 404, (task, answer.text)
        assert answer.json()["data"] == {"reason": "task_unknown"}
    assert visitor.view(mine)["taskId"] == mine


@pytest.mark.parametrize("call", CALLS, ids=name)
def test_the_tag_is_asked_of_every_call(server: Server, call: Call) -> None:
    answer = httpx.request(call.method, server.address + call.path)
    assert (answer.status_code, answer.json()["data"]["reason"]) == (403, "tag_missing")


@pytest.mark.parametrize("call", CALLS, ids=name)
def test_other_methods_are_refused(server: Server, call: Call) -> None:
    method = "POST" if call.method == "GET" else "DELETE"
    answer = httpx.request(method, server.address + call.path, headers={"Web-Tag": "papercrane"})
    assert (answer.status_code, answer.json()["data"]["reason"]) == (405, "method_not_allowed")


def test_a_visitor_is_minted_once(visitor: Visitor) -> None:
    first = visitor.ask("GET", "/api/file/upload/getStsCredentials")
    cookies = {line.split("=")[0]: line for line in first.headers.get_list("set-cookie")}
    assert "HttpOnly" not in cookies["access_token"] and "SameSite=Lax" in cookies["access_token"]
    assert "HttpOnly" in cookies["session"] and "SameSite=Lax" in cookies["session"]
    assert len(visitor.http.cookies["access_token"]) == len(visitor.http.cookies["session"]) == 43
    second = visitor.ask("GET", "/api/file/upload/getStsCredentials")
    assert "set-cookie" not in second.headers
    owners = {answer.json()["data"]["prefix"].split("/")[1] for answer in (first, second)}
    assert len(owners) == 1


def test_cookies_are_secure_outside_localhost(tmp_path, redis_server: str) -> None:
    with serving(tmp_path, HOSTS="papers.example", PROXIES="1", COOKIE_DOMAIN="papers.example") as server:
        headers = {"Web-Tag": "papercrane", "Host": "papers.example", "X-Forwarded-Proto": "https"}
        answer = httpx.get(f"{server.address}/api/file/upload/getStsCredentials", headers=headers)
        assert answer.headers.get_list("content-type") == ["application/json"]
        assert answer.headers["strict-transport-security"]
        assert all("Secure" in line and "papers.example" in line for line in answer.headers.get_list("set-cookie"))
        assert answer.json()["data"]["endpoint"] == "https://papers.example/s3"
        assert (
            httpx.get(f"{server.address}/api/user/user/getUserRights", headers={"Web-Tag": "papercrane"}).status_code
            == 421
        )


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "compress.evil.example", "localhost@evil", ""]
)
def test_other_hosts_are_misdirected(server: Server, host: str) -> None:
    for path in ("/", "/api/toolkit/tool/getToolGroups", "/s3/papercrane/x"):
        answer = httpx.get(server.address + path, headers={"Host": host, "Web-Tag": "papercrane"})
        assert answer.status_code in (400, 421), (path, answer.text)


@pytest.mark.parametrize("hosts", [[], ["127.0.0.1", "evil.example"], ["127.0.0.1", "127.0.0.1"]])
def test_exactly_one_host(server: Server, hosts: list[str]) -> None:
    port = int(server.address.rsplit(":", 1)[1])
    lines = ["GET / HTTP/1.1", *(f"Host: {host}" for host in hosts), "Connection: close", "", ""]
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall("\r\n".join(lines).encode())
        status = connection.makefile("rb").readline().split()[1]
    assert status in (b"421", b"400")


def test_sub_site_hosts_reach_the_api(server: Server) -> None:
    headers = {"Host": "compress.localhost", "Web-Tag": "papercrane"}
    answer = httpx.get(f"{server.address}/api/toolkit/tool/getToolGroups", headers=headers)
    assert answer.status_code == 200


def test_cors_is_an_exact_list(server: Server) -> None:
    path = f"{server.address}/api/toolkit/tool/getToolGroups"
    tag = {"Web-Tag": "papercrane"}
    good = httpx.get(path, headers={**tag, "Origin": "https://other.example"})
    assert good.headers["access-control-allow-origin"] == "https://other.example"
    assert good.headers["access-control-allow-credentials"] == "true"
    for origin in ("https://evil.example", "https://other.example.evil", "http://other.example", "null"):
        assert "access-control-allow-origin" not in httpx.get(path, headers={**tag, "Origin": origin}).headers
    asked = {"Origin": "https://other.example", "Access-Control-Request-Method": "PUT"}
    flight = httpx.options(f"{server.address}/s3/papercrane/uploads/x", headers=asked)
    assert flight.status_code == 204
    assert "PUT" in flight.headers["access-control-allow-methods"]
    assert "ETag" in flight.headers["access-control-expose-headers"]


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (b"", 400, "body_invalid"),
        (b"{", 400, "body_invalid"),
        (b"[]", 400, "body_invalid"),
        (b'{"toolId": NaN}', 400, "body_invalid"),
        (b"\xff\xfe", 400, "body_invalid"),
        (b"[" * 50_000, 400, "body_invalid"),
        (b'{"options":' + b'{"a":' * 100 + b"1" + b"}" * 101, 400, "body_invalid"),
        (b'{"toolId": 16}', 400, "field_invalid"),
        (b'{"x": "' + b"x" * (300 << 10) + b'"}', 413, "body_too_large"),
    ],
    ids=["empty", "open", "list", "nan", "bytes", "deep list", "deep", "incomplete", "large"],
)
def test_bad_bodies(visitor: Visitor, body: bytes, status: int, reason: str) -> None:
    answer = visitor.ask("POST", "/api/task/task/createTask", content=body)
    assert (answer.status_code, answer.json()["data"]["reason"]) == (status, reason)


def test_every_wrong_field_is_told_at_once(visitor: Visitor) -> None:
    key = visitor.upload()
    answer = visitor.create(key, options={"turn": 9, "only": "some", "nothing": 1}).json()
    assert answer["code"] == 400
    assert answer["data"]["reason"] == "option_invalid"
    assert {each["field"] for each in answer["data"]["fields"]} == {"turn", "only", "nothing"}
    assert answer["data"]["field"] == answer["data"]["fields"][0]["field"]
    wrong = visitor.ask("GET", "/api/task/task/getUserTasks", params={"size": 1000, "page": 0, "order": 3}).json()
    assert {each["field"] for each in wrong["data"]["fields"]} == {"size", "page", "order"}


@pytest.mark.parametrize(
    "options",
    [
        {f"wrong{number}": 1 for number in range(6500)},
        {"x" * 100_000 + str(number): 1 for number in range(2)},
        {"clicks": [{"page": "x", "wrong": 1}] * 6500},
        {"clicks": [[]] * 19_000},
        {"pages": ["x"] * 20_000, **{f"wrong{number}": {} for number in range(5000)}},
    ],
    ids=["names", "long names", "items", "lists", "both"],
)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_thousands_of_wrong_fields_are_ten_and_a_number(visitor: Visitor, options: dict, language: str) -> None:
    key = visitor.upload()
    answer = visitor.create(key, options=options, **{"Accept-Language": language})
    told = answer.json()
    assert (answer.status_code, told["data"]["reason"]) == (400, "option_invalid")
    assert len(told["data"]["fields"]) <= 10 and len(answer.content) < 4000
    if len(options) > 10:
        more = len(options) - 10
        assert told["data"]["more"] == more
        assert told["msg"].endswith(f"（另有 {more} 处）" if language == "zh" else f" (and {more} more)")


def test_thousands_of_wrong_fields_are_refused_quickly() -> None:
    """Everybody else waits meanwhile: Python does one thing at a time."""
    for options in ({f"w{number}": 1 for number in range(20_000)}, {"clicks": [{"a": 1, "b": 2}] * 15_000}):
        began = time.process_time()
        with pytest.raises(FieldRefusal) as refused:
            options_of(TOOLS[16], options)
        failure(refused.value, "en")
        assert time.process_time() - began < 0.7


@pytest.mark.parametrize(
    ("asked", "chinese"),
    [("zh", True), ("en", False), ("en-GB,zh;q=0.5", False), ("fr, zh-CN", True), ("", True), ("xx", True)],
)
def test_the_language_of_words(server: Server, asked: str, chinese: bool) -> None:
    headers = {"Web-Tag": "papercrane", "Accept-Language": asked}
    message = httpx.get(f"{server.address}/api/user/user/getUser", headers=headers).json()["msg"]
    assert bool(re.search("[\u4e00-\u9fff]", message)) is chinese


def test_a_fault_reveals_nothing(server: Server, visitor: Visitor) -> None:
    """A record that cannot be read makes a real fault inside."""
    from cluster.queue import connect

    task = visitor.task()
    connect().hset(f"task:{task}", "options", "secret-marker {")
    answer = visitor.ask("GET", "/api/task/task/getUserTasks")
    assert answer.status_code == 500
    assert answer.json()["data"] == {"reason": "internal", "request": answer.headers["x-request-id"]}
    assert "secret-marker" not in answer.text and "Traceback" not in answer.text and ".py" not in answer.text
    log = server.log.read_text()
    assert "secret-marker" not in log
    assert '"event": "fault"' in log
    connect().delete(f"task:{task}")


def test_the_log_holds_no_personal_data(server: Server, visitor: Visitor) -> None:
    key = visitor.upload("private-name.pdf", PDF)
    visitor.task(key, name="private-name.pdf", password="hunter2-secret")
    log = server.log.read_text()
    for secret in (
        visitor.http.cookies["access_token"],
        visitor.http.cookies["session"],
        "hunter2",
        "private-name",
        key,
    ):
        assert secret not in log
    told = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    routes = {each.get("route") for each in told}
    assert routes >= {"/s3/<bucket:str>/<key:path>", "/api/task/task/createTask"}, "the log does tell of them"


def test_passwords_rest_sealed(visitor: Visitor) -> None:
    from cluster.queue import connect, find
    from cluster.seal import unseal

    task = visitor.task(password="hunter2-secret")
    raw = connect().hgetall(f"task:{task}")
    assert "hunter2" not in json.dumps(raw)
    found = find(task)
    assert found and unseal(found.secrets[0], task) == "hunter2-secret"


@pytest.mark.parametrize("more", [{}, {"Vary": "Origin"}], ids=["alone", "with others"])
def test_an_answer_says_what_it_is(more: dict[str, str]) -> None:
    answer = Answer(b"{}")
    answer.headers.update({"content-length": 2, "connection": "close", **more})  # Sanic's own two, and ours
    lines = b"".join(b"%b: %b\r\n" % each for each in answer.processed_headers).decode().lower().splitlines()
    told = dict(line.split(": ", 1) for line in lines)
    assert len(told) == len(lines) and told | {name.lower(): value.lower() for name, value in more.items()} == told
    assert (told["content-type"], told["content-length"], told["connection"]) == ("application/json", "2", "close")


def test_security_headers_everywhere(server: Server) -> None:
    calls = ("/api/toolkit/tool/getToolGroups", "/api/file/upload/getStsCredentials")
    for path in ("/", "/nothing", "/healthz", "/api/docs", "/api/x", "/s3/papercrane/x", *calls):
        headers = httpx.get(server.address + path, headers={"Web-Tag": "papercrane"}).headers
        names = [name for name, _ in headers.multi_items() if name not in ("set-cookie", "vary")]
        assert len(names) == len(set(names)), f"{path} says something twice"
        assert path not in calls or (headers["content-type"] == "application/json" and headers["x-request-id"])
        assert headers["x-content-type-options"] == "nosniff", path
        assert headers["x-frame-options"] == "DENY", path
        assert "frame-ancestors 'none'" in headers["content-security-policy"], path
        assert headers["referrer-policy"], path


def test_health(server: Server) -> None:
    assert httpx.get(f"{server.address}/healthz").json()["data"] == {"alive": True}
    ready = httpx.get(f"{server.address}/readyz").json()["data"]
    assert ready["redis"] is True
    assert set(ready["slots"]) == {"quick", "heavy", "office", "ocr"}


def test_the_probe_says_by_what_quotas_hold(server: Server) -> None:
    """For slots that live; of machines only the operator knows the names."""
    by = {"one": "watching", "two": "watching", "three": "control groups and watching", "dead": "watching"}
    for slot, quotas in by.items():
        queue.live_on("machine", slot, quotas)
    for slot in ("one", "two", "three"):
        queue.beat("quick", slot)
    try:
        ready = httpx.get(f"{server.address}/readyz").json()["data"]
        assert ready["quotas"] == {"watching": 2, "control groups and watching": 1}
    finally:
        for slot in by:
            queue.leave("quick", slot)
    assert httpx.get(f"{server.address}/readyz").json()["data"]["quotas"] == {}


def test_only_the_web_layer_knows_the_web_framework() -> None:
    """Domain modules stay usable (and testable) without Sanic."""
    web = {
        "answer.py",
        "app.py",
        "connection.py",
        "web.py",
        "site_routes.py",
        "s3_routes.py",
        "pay_routes.py",
        "__main__.py",
    }
    importing = {
        path.name for path in (ROOT / "api").rglob("*.py") if re.search(r"(from|import) sanic", path.read_text())
    }
    assert importing == web


@pytest.mark.parametrize("workers", ["1", "2"])
def test_it_serves_with_one_process_or_more(tmp_path, redis_server: str, workers: str) -> None:
    with serving(tmp_path, WORKERS=workers) as server:
        visitor = Visitor(server.address)
        task = visitor.task()
        assert {visitor.view(task)["status"] for _ in range(10)} == {99}
        server.stop()
