"""Signing in by a QR code: the browser that asked waits, a signed-in phone confirms."""

import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from api.user.devices import device_name
from cluster.queue import connect
from tests.api.conftest import ONE_SERVER, Server, Visitor, serving

ISSUE = "/api/user/user/getLoginQrCode"
POLL = "/api/user/user/checkLoginStatus"
CONFIRM = "/api/user/user/confirmLogin"
USER = "/api/user/user/getUser"
CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36"


@pytest.fixture
def phone(server: Server) -> Visitor:
    """A phone whose owner has signed in."""
    made = Visitor(server.address)
    made.http.headers["User-Agent"] = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1"
    made.sign_in(server.log)
    return made


@pytest.fixture
def ticket(visitor: Visitor) -> Iterator[str]:
    """A QR code that `visitor` shows."""
    visitor.http.headers["User-Agent"] = CHROME
    yield str(visitor.data(ISSUE)["qrId"])


def status(browser: Visitor, ticket: str) -> str:
    return str(browser.data(POLL, qrId=ticket)["status"])


@ONE_SERVER
def test_a_phone_signs_the_browser_in(each_server: Server, someone: Visitor) -> None:
    phone = Visitor(each_server.address)
    owner = phone.sign_in(each_server.log)
    someone.http.headers["User-Agent"] = CHROME
    shown = someone.data(ISSUE)
    assert shown["url"] == f"{each_server.address}/UserInfo?qrId={shown['qrId']}"
    english = Visitor(each_server.address).ask("GET", ISSUE, headers={"Accept-Language": "en"}).json()["data"]
    assert english["url"] == f"{each_server.address}/en/UserInfo?qrId={english['qrId']}"
    assert shown["svg"].startswith("<svg") and "viewBox" in shown["svg"] and "<script" not in shown["svg"]
    assert 110_000 < shown["expiresAt"] - time.time() * 1000 <= 120_000
    before = dict(someone.http.cookies)
    assert someone.data(POLL, qrId=shown["qrId"]) == {"status": "WAITING", "user": None}
    asker = phone.data(CONFIRM, qrId=shown["qrId"], step="scan")
    assert asker == {
        "status": "SCANNED",
        "device": "Chrome · Windows",
        "place": "127.0.0.1",
        "sameNetwork": True,
        "createdAt": shown["expiresAt"] - 120_000,
    }
    assert status(someone, shown["qrId"]) == "SCANNED"
    assert phone.data(CONFIRM, qrId=shown["qrId"])["status"] == "CONFIRMED"
    assert someone.data(POLL, qrId=shown["qrId"]) == {"status": "CONFIRMED", "user": owner}
    assert not set(before.values()) & set(dict(someone.http.cookies).values())
    assert someone.data(USER) == owner == phone.data(USER)


def test_confirmed_is_told_once(visitor: Visitor, phone: Visitor, ticket: str) -> None:
    phone.data(CONFIRM, qrId=ticket)
    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda _: visitor.ask("GET", POLL, params={"qrId": ticket}), range(50)))
    signed = [answer for answer in answers if "set-cookie" in answer.headers]
    assert len(signed) == 1 and signed[0].json()["data"]["status"] == "CONFIRMED"
    told = Counter(str(each.json()["data"].get("status", each.json()["data"].get("reason"))) for each in answers)
    # Who asks with the old tokens after that is nobody any more.
    assert told["CONFIRMED"] == 1 and set(told) <= {"CONFIRMED", "EXPIRED", "unauthorized", "qr_unknown"}


def test_only_the_browser_that_asked_may_look(server: Server, phone: Visitor, ticket: str) -> None:
    phone.data(CONFIRM, qrId=ticket)
    stranger = Visitor(server.address)
    stranger.grant()
    for browser, qr in ((stranger, ticket), (phone, ticket), (stranger, "0" * 40), (stranger, "*")):
        answer = browser.ask("GET", POLL, params={"qrId": qr})
        assert (answer.status_code, answer.json()["data"]) == (404, {"reason": "qr_unknown"})
        assert "set-cookie" not in answer.headers


def test_who_signs_in_otherwise_meanwhile_still_sees_it(server: Server, visitor: Visitor, ticket: str) -> None:
    """A page asks about it until it hears that somebody is here."""
    visitor.sign_in(server.log)
    assert status(visitor, ticket) == "WAITING"


def test_a_visitor_cannot_confirm(visitor: Visitor, ticket: str) -> None:
    for step in ("scan", "confirm", "refuse"):
        answer = visitor.ask("GET", CONFIRM, params={"qrId": ticket, "step": step})
        assert (answer.status_code, answer.json()["data"]["reason"]) == (401, "sign_in")
    assert status(visitor, ticket) == "WAITING"


def test_a_second_phone_cannot_take_it_over(server: Server, visitor: Visitor, phone: Visitor, ticket: str) -> None:
    phone.data(CONFIRM, qrId=ticket, step="scan")
    other = Visitor(server.address)
    other.sign_in(server.log)
    assert other.ask("GET", CONFIRM, params={"qrId": ticket}).status_code == 404
    assert status(visitor, ticket) == "SCANNED"
    assert phone.data(CONFIRM, qrId=ticket, step="scan")["status"] == "SCANNED"


def test_a_refused_one_stays_refused(visitor: Visitor, phone: Visitor, ticket: str) -> None:
    assert phone.data(CONFIRM, qrId=ticket, step="refuse")["status"] == "EXPIRED"
    assert phone.data(CONFIRM, qrId=ticket)["status"] == "EXPIRED"
    assert visitor.data(POLL, qrId=ticket) == {"status": "EXPIRED", "user": None}


@pytest.mark.parametrize("scanned", [False, True])
def test_it_ends_after_two_minutes(visitor: Visitor, phone: Visitor, ticket: str, scanned: bool) -> None:
    if scanned:
        phone.data(CONFIRM, qrId=ticket, step="scan")
    connect().hincrby(f"ticket:{ticket}", "created", -121_000)
    assert status(visitor, ticket) == "EXPIRED"
    assert phone.data(CONFIRM, qrId=ticket)["status"] == "EXPIRED"
    assert status(visitor, ticket) == "EXPIRED"


def test_confirmed_at_the_last_moment(visitor: Visitor, phone: Visitor, ticket: str) -> None:
    connect().hincrby(f"ticket:{ticket}", "created", -100_000)
    phone.data(CONFIRM, qrId=ticket)
    connect().hincrby(f"ticket:{ticket}", "created", -21_000)
    assert status(visitor, ticket) == "CONFIRMED"


def test_another_network_is_told(tmp_path, redis_server: str) -> None:
    with serving(tmp_path, PROXIES="1", ADDRESS_TICKETS="2", HOSTS="localhost,127.0.0.1") as server:
        browser, phone = Visitor(server.address), Visitor(server.address)
        browser.http.headers["X-Forwarded-For"] = "2001:db8:1:2::77"
        phone.sign_in(server.log)
        ticket = browser.data(ISSUE)["qrId"]
        for address, near in (("2001:db8:1:2:ffff::1", True), ("2001:db8:1:3::77", False), ("203.0.113.7", False)):
            phone.http.headers["X-Forwarded-For"] = address
            asker: dict[str, Any] = phone.data(CONFIRM, qrId=ticket, step="scan")
            assert (asker["place"], asker["sameNetwork"]) == ("2001:db8:1:2::77", near)
        browser.data(ISSUE)
        answer = browser.ask("GET", ISSUE)
        assert (answer.status_code, answer.json()["data"]["reason"]) == (429, "too_many_requests")
        sub = phone.ask("GET", ISSUE, headers={"Host": "compress.localhost:81"}).json()["data"]["url"]
        assert sub.startswith("http://localhost:81/UserInfo?qrId="), "a sub-site has no such page"


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (CHROME, "Chrome · Windows"),
        (CHROME + " Edg/142.0", "Edge · Windows"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15", "Safari · macOS"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox · Linux"),
        ("Mozilla/5.0 (Linux; Android 15; K) Chrome/140.0 Mobile MicroMessenger/8.0", "WeChat · Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/140.0 Safari/604.1", "Chrome · iPhone"),
        ("curl/8.0", ""),
        ("<script>", ""),
    ],
)
def test_devices(agent: str, name: str) -> None:
    assert device_name(agent) == name
