"""Logs of the whole product: one request is followed from the API to the slot, and nothing personal is told."""

import json
import os
import secrets
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pikepdf
import pytest

from tests.make import text
from tests.stack import Person, Stack, started, wait_for

FAIL, SUCCESS = 4, 3
ROTATE, WATERMARK = 16, 18


class Phone:
    """A gateway for text messages that keeps the last code."""

    def __init__(self) -> None:
        self.codes: list[str] = []
        phone = self

        class Gateway(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                phone.codes.append(json.loads(body)["code"])
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Gateway)
        Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture(scope="module")
def phone() -> Iterator[Phone]:
    made = Phone()
    yield made
    made.server.shutdown()


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory, phone: Phone) -> Iterator[Stack]:
    """A stack whose one-time passwords go to a phone, as in production, not into its log."""
    url = f"http://:gateway-token@127.0.0.1:{phone.server.server_port}/send"
    with started(tmp_path_factory.mktemp("logs"), PAPERCRANE_API_TEXT=url) as running:
        yield running


@pytest.fixture
def person(stack: Stack) -> Person:
    return Person(stack.address)


def lines(file: Path) -> list[dict]:
    """Every whole line of a log; each must be one JSON object."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines(keepends=True) if line.endswith("\n")]


def of_request(file: Path, request: str, *events: str) -> dict[str, dict]:
    """The request's lines by event, once all of `events` are there: they are written after what they tell."""

    def told() -> dict[str, dict] | None:
        found = {line["event"]: line for line in lines(file) if request in (line.get("request"), line.get("id"))}
        return found if set(events) <= set(found) else None

    return wait_for(told) or {}


def test_one_request_is_followed_to_its_slot(stack: Stack, person: Person, tmp_path: Path) -> None:
    (file,) = person.upload(text(tmp_path / "a.pdf", 2))
    body = {"toolId": ROTATE, "files": [file], "options": {"turn": 2}}
    token = {"Access-Token": person.http.cookies["access_token"]}
    answer = person.http.post("/api/task/task/createTask", json=body, headers=token)
    request, task = answer.headers["x-request-id"], answer.json()["data"]["taskId"]
    assert person.follow(task)["status"] == SUCCESS
    (asked,) = wait_for(lambda: [line for line in lines(stack.log) if line.get("id") == request])
    assert (asked["route"], asked["status"]) == ("/api/task/task/createTask", 200)
    told = of_request(stack.data / "log" / "slots.log", request, "part_ended", "task_ended")
    ended = told["part_ended"]
    assert (ended["task"], ended["part"], ended["lane"], ended["tool"]) == (task, 0, "quick", "rotate")
    assert (ended["status"], ended["reason"]) == ("SUCCESS", "")
    assert 0 < ended["seconds"] < 60
    assert 0 <= told["task_ended"]["waited"] < 60


def test_nothing_personal_is_in_any_log(stack: Stack, person: Person, phone: Phone, tmp_path: Path) -> None:
    mark = secrets.token_hex(6)
    account, password, wrong = f"139{secrets.randbelow(10**8):08}", f"right-{mark}", f"wrong-{mark}"
    person.get("/api/user/user/sendDynamicPwd", account=account)
    person.call("GET", "/api/user/user/dynamicPwdLogin", params={"account": account, "pwd": "000000"})
    person.get("/api/user/user/dynamicPwdLogin", account=account, pwd=phone.codes[-1])
    locked = tmp_path / f"工资-{mark}.pdf"
    with pikepdf.open(text(tmp_path / "plain.pdf", 1)) as pdf:
        pdf.save(locked, encryption=pikepdf.Encryption(user=password, owner=password))
    assert tried(person, locked, wrong)["status"] == FAIL
    done = tried(person, locked, password)
    assert done["status"] == SUCCESS
    person.download(done, tmp_path / "saved")
    broken = tmp_path / f"broken-{mark}.pdf"
    broken.write_bytes(b"%PDF-1.7\n" + mark.encode() * 99)
    last = person.perform(WATERMARK, broken, mark={"kind": "text", "text": f"words {mark}"})
    assert last["status"] == FAIL
    cookies = [person.http.cookies[name] for name in ("access_token", "session")]
    wait_for(lambda: written_about(stack, last["taskId"]))
    written = {path: path.read_bytes() for path in everything_written(stack)}
    assert any(done["taskId"].encode() in body for body in written.values())
    secret = [mark, account, phone.codes[-1], "gateway-token", *cookies]
    found = [(word, path.name) for word in secret for path, body in written.items() if occurs(word, body)]
    assert found == []


def tried(person: Person, file: Path, password: str) -> dict:
    """The ended task on `file` with this password."""
    return dict(person.follow(person.create(ROTATE, person.upload(file, password=password))["data"]["taskId"]))


def written_about(stack: Stack, task: str) -> bool:
    """Whether the slot has written its last line about the task."""
    ended = [line for line in lines(stack.data / "log" / "slots.log") if line["event"] == "task_ended"]
    return any(line["task"] == task for line in ended)


def everything_written(stack: Stack) -> list[Path]:
    """Our logs and what Ray keeps of its processes' words."""
    folder = Path(f"/tmp/papercrane-ray-{os.getuid()}-{stack.environment['PAPERCRANE_RAY_PORT']}")
    rays = [path for path in folder.glob("session_*/logs/**/*") if path.is_file() and not path.is_symlink()]
    ours = list((stack.data / "log").glob("*.log"))
    assert {"api.log", "slots.log", "worker.log"} <= {path.name for path in ours}
    assert any(path.name.startswith("worker-") for path in rays), "Ray keeps its words elsewhere"
    return [*ours, *rays]


def occurs(word: str, body: bytes) -> bool:
    """Whether the word itself stands there, not as a part of a longer number."""
    at = body.find(word.encode())
    while at >= 0:
        around = body[max(0, at - 1) : at] + body[at + len(word) : at + len(word) + 1]
        if not word.isdecimal() or not any(chr(each).isalnum() or each in b".-" for each in around):
            return True
        at = body.find(word.encode(), at + 1)
    return False
