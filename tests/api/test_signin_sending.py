"""How one-time passwords travel: a real SMTP server, a text message gateway, the log, or not at all."""

import asyncio
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from api.problems import Refusal
from api.settings import read
from api.user import codes, sending
from cluster.queue import connect
from cluster.settings import settings as cluster_settings
from tests.api.conftest import Server, Visitor, serving
from tests.conftest import free_port
from tests.signing_in import code_for, new_account

SEND = "/api/user/user/sendDynamicPwd"
LOGIN = "/api/user/user/dynamicPwdLogin"


@dataclass
class Mailbox:
    """A small mail server that speaks SMTP; addresses beginning with `no` have no mailbox here."""

    port: int
    messages: list[EmailMessage] = field(default_factory=list)

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example ESMTP\r\n")
        while line := await reader.readline():
            verb = line[:4].upper()
            if verb == b"DATA":
                writer.write(b"354 go on\r\n")
                body = await reader.readuntil(b"\r\n.\r\n")
                self.messages.append(message_from_bytes(body[:-3], policy=policy.default))  # type: ignore[arg-type]
            writer.write(b"550 5.1.1 no such mailbox\r\n" if b"TO:<no" in line else b"250 OK\r\n")
            if verb == b"QUIT":
                break
        writer.close()


@contextmanager
def mail_server() -> Iterator[Mailbox]:
    """A mail server on a port of its own."""
    box, loop = Mailbox(free_port()), asyncio.new_event_loop()
    listening = loop.run_until_complete(asyncio.start_server(box.talk, "127.0.0.1", box.port))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield box
    finally:
        loop.call_soon_threadsafe(listening.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@contextmanager
def text_gateway() -> Iterator[tuple[str, list[tuple[str, dict[str, str]]]]]:
    """A gateway for text messages; gives its address and what it was sent (Authorization, body)."""
    taken: list[tuple[str, dict[str, str]]] = []

    class Gateway(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            taken.append((self.headers.get("Authorization", ""), body))
            self.send_response(503 if body["to"].endswith("0000") else 200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing to tell."""

    server = HTTPServer(("127.0.0.1", 0), Gateway)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://:to%20ken@127.0.0.1:{server.server_port}/send", taken
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module")
def gateways(tmp_path_factory: pytest.TempPathFactory, redis_server: str):  # type: ignore[no-untyped-def]
    """A server with a mail server and a text gateway of its own."""
    with mail_server() as box, text_gateway() as (url, taken):
        mail = {"MAIL": f"smtp://127.0.0.1:{box.port}", "MAIL_FROM": "纸鹤 <hello@papers.example>"}
        with serving(tmp_path_factory.mktemp("gateways"), TEXT=url, **mail) as server:
            yield server, box, taken


@pytest.mark.parametrize(("language", "words"), [("zh", "验证码"), ("en", "Tell nobody")])
def test_a_code_comes_by_mail(gateways, language: str, words: str) -> None:
    server, box, _ = gateways
    name, person = new_account(), Visitor(server.address)
    person.http.headers["Accept-Language"] = language
    person.data(SEND, account=name)
    letter = next(each for each in box.messages if each["To"] == name)
    assert letter["From"] == "纸鹤 <hello@papers.example>" and letter["Date"] and letter["Message-ID"]
    text = letter.get_content()
    code = re.search(r"\b\d{6}\b", text)
    assert code and words in text and code[0] in letter["Subject"]
    assert person.data(LOGIN, account=name, pwd=code[0])["user"]["account"].startswith("s***@")
    assert code[0] not in server.log.read_text()


def test_a_code_comes_by_text_message(gateways) -> None:
    server, _, taken = gateways
    person = Visitor(server.address)
    assert person.data(SEND, account="138 0013 8111")["sentTo"] == "138****8111"
    (authorization, body) = next(each for each in taken if each[1]["to"] == "+8613800138111")
    assert authorization == "Bearer to ken" and body["code"] in body["text"]
    person.data(LOGIN, account="+8613800138111", pwd=body["code"])


@pytest.mark.parametrize("account", ["nobody@refused.example", "13800130000"])
def test_what_could_not_be_sent_may_be_asked_for_again(gateways, account: str) -> None:
    server, _, _ = gateways
    for _ in range(6):
        answer = Visitor(server.address).ask("GET", SEND, params={"account": account})
        told = {"reason": "gateway_unavailable", "request": answer.headers["x-request-id"]}
        assert (answer.status_code, answer.json()["data"]) == (503, told)
        assert "550" not in answer.text and answer.headers["retry-after"]


def test_production_never_writes_codes_into_its_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "settings", lambda: read({}))
    assert isinstance(sending.sender_of(new_account()), sending.ServerLog)
    monkeypatch.setattr(sending, "cluster_settings", lambda: replace(cluster_settings(), production=True))
    with pytest.raises(Refusal) as refused:
        sending.sender_of(new_account())
    assert refused.value.reason == "gateway_unavailable"


@pytest.mark.parametrize(("variable", "url"), [("MAIL", "http://x"), ("TEXT", "smtp://x"), ("MAIL", "smtp:")])
def test_a_gateway_nobody_speaks_stops_the_start(variable: str, url: str, monkeypatch) -> None:
    monkeypatch.setattr(sending, "settings", lambda: read({f"PAPERCRANE_API_{variable}": url}))
    with pytest.raises(SystemExit, match=f"PAPERCRANE_API_{variable} does not fit"):
        sending.check_settings()


def test_the_log_is_the_only_place_with_a_code(server: Server, visitor: Visitor) -> None:
    name, before = new_account(), set(connect().scan_iter(count=1000))
    answer = visitor.ask("GET", SEND, params={"account": name})
    code = code_for(server.log, name)
    assert code not in answer.text
    told = [line for line in server.log.read_text().splitlines() if f'"{code}"' in line]
    assert len(told) == 1 and name not in server.log.read_text()
    kept = connect().hgetall(f"code:{codes._mark(name)}")
    assert len(kept) == 5 and not [each for each in kept.values() if each != "0" and code in each]
    # Six digits stand by chance in one of some thousand older keys.
    added = set(connect().scan_iter(count=1000)) - before
    assert f"code:{codes._mark(name)}" in added and not [key for key in added if code in key or name in key]
    for path in cluster_settings().data.rglob("papercrane.db*"):
        assert name.encode() not in path.read_bytes(), "nobody is kept who has not signed in"
