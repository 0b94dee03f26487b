"""Every call against every kind of caller that is not who they seem, and every id against who does not own it."""

import hashlib
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from api.app import CALLS
from api.calls import Call
from cluster.queue import connect
from tests.api.conftest import Server, Visitor
from tests.api.members import make_member

TAG = {"Web-Tag": "papercrane"}
#: Fits every call, owns nothing; no `account`, so that no code is ever sent.
QUERY = {
    "taskId": "0" * 40,
    "level": "strong",
    "index": 0,
    "qrId": "0" * 40,
    "preorderId": "0" * 40,
    "packageId": "month",
    "pwd": "000000",
    "toolId": 16,
    "padId": "0" * 40,
    "signatureId": "0" * 40,
}
#: The same for every call that takes a body.
BODY = {
    "toolId": 16,
    "files": [{"key": "k", "name": "n"}],
    "padId": "0" * 40,
    "look": {"kind": "typed", "role": "signature", "text": "x", "face": "caveat", "colour": "#000000"},
}
CHANNELS = {"createAlipayOrder": "page", "createWeixinOrder": "native"}
REFUSED = {"known": "unauthorized", "account": "sign_in"}

Pairs = dict[str, tuple[dict[str, str], dict[str, str]]]


def name(call: Call) -> str:
    return call.path.rsplit("/", 1)[-1]


def ask(server: Server, call: Call, headers: dict[str, str], cookies: dict[str, str], **more: Any) -> httpx.Response:
    with httpx.Client(base_url=server.address, cookies=cookies, timeout=30) as client:
        body = {"json": BODY} if call.method == "POST" else {}
        query = {**QUERY, "channel": CHANNELS.get(name(call), ""), **more}
        return client.request(call.method, call.path, params=query, headers={**TAG, **headers}, **body)


@pytest.fixture(scope="module")
def person(server: Server) -> Visitor:
    """Somebody who has signed in, a member with as many tries as the tests need."""
    made = Visitor(server.address)
    make_member(server, made.sign_in(server.log)["id"], days=1)
    return made


@pytest.fixture(scope="module")
def halves(server: Server, person: Visitor) -> Pairs:
    """Headers and cookies that look like the person's, and are not."""
    other, ended = Visitor(server.address), Visitor(server.address)
    other.sign_in(server.log)
    ended.sign_in(server.log)
    access, session = person.http.cookies["access_token"], person.http.cookies["session"]
    late = dict(ended.http.cookies)
    connect().expire(f"token:{hashlib.sha256(late['access_token'].encode()).hexdigest()}", 0)
    header, pair = {"Access-Token": access}, {"access_token": access, "session": session}
    return {
        "nobody": ({}, {}),
        "header only": (header, {}),
        "cookies only": ({}, pair),
        "no session": (header, {"access_token": access}),
        "session only": (header, {"session": session}),
        "another's session": (header, {**pair, "session": other.http.cookies["session"]}),
        "another's header": ({"Access-Token": other.http.cookies["access_token"]}, pair),
        "forged": ({"Access-Token": "x"}, {"access_token": "x", "session": "x"}),
        "ended": ({"Access-Token": late["access_token"]}, late),
    }


@pytest.mark.parametrize("call", CALLS, ids=name)
def test_half_an_identity_is_nobody(server: Server, person: Visitor, halves: Pairs, call: Call) -> None:
    nobody = None
    for who, (headers, cookies) in halves.items():
        answer = ask(server, call, headers, cookies)
        told = (answer.status_code, answer.json()["data"])
        if call.identity in REFUSED:
            assert told == (401, {"reason": REFUSED[call.identity]}), who
        if call.identity == "minted":
            tokens = {line.partition(";")[0].partition("=")[2] for line in answer.headers.get_list("set-cookie")}
            assert not tokens & set(cookies.values()), who
        else:
            assert "set-cookie" not in answer.headers, who
        if call.identity == "open":
            nobody = nobody or told
            assert told == nobody, who
    assert person.ask("GET", "/api/user/user/getUser").status_code == 200, "nothing ended the real session"


@pytest.mark.parametrize("call", [call for call in CALLS if call.identity == "account"], ids=name)
def test_a_visitor_is_not_an_account(server: Server, visitor: Visitor, call: Call) -> None:
    visitor.grant()
    cookies = dict(visitor.http.cookies)
    answer = ask(server, call, {"Access-Token": cookies["access_token"]}, cookies)
    assert (answer.status_code, answer.json()["data"]) == (401, {"reason": "sign_in"})


@pytest.mark.parametrize("call", CALLS, ids=name)
def test_other_hosts_and_untagged_calls(server: Server, person: Visitor, call: Call) -> None:
    cookies = dict(person.http.cookies)
    mine = {"Access-Token": cookies["access_token"]}
    assert ask(server, call, {**mine, "Host": "evil.example"}, cookies).status_code == 421
    untagged = ask(server, call, {**mine, "Web-Tag": "other"}, cookies)
    assert (untagged.status_code, untagged.json()["data"]["reason"]) == (403, "tag_missing")


def task(owner: Visitor) -> dict[str, Any]:
    return {"taskId": owner.task()}


def upload(owner: Visitor) -> dict[str, Any]:
    return {"prefix": owner.upload().rpartition("/")[0] + "/"}


def ticket(owner: Visitor) -> dict[str, Any]:
    return {"qrId": owner.data("/api/user/user/getLoginQrCode")["qrId"]}


def pad(owner: Visitor) -> dict[str, Any]:
    return {"padId": owner.data("/api/sign/pad/getPad")["padId"]}


def preorder(owner: Visitor) -> dict[str, Any]:
    made = owner.data("/api/member/preorder/createPreorder", packageId="month")
    return {"preorderId": made["preorderId"]}


def order(owner: Visitor) -> dict[str, Any]:
    query = {**preorder(owner), "channel": "page"}
    return {"orderNo": owner.data("/api/member/order/createAlipayOrder", **query)["orderNo"]}


@pytest.mark.parametrize(
    ("path", "make", "reason"),
    [
        ("/api/task/task/events", task, "task_unknown"),
        ("/api/task/task/deleteTask", task, "task_unknown"),
        ("/api/task/task/retryCompressTask", task, "task_unknown"),
        ("/api/file/download/getDownloadInfo", task, "task_unknown"),
        ("/api/file/upload/getStsCredentials", upload, "file_unknown"),
        ("/api/user/user/checkLoginStatus", ticket, "qr_unknown"),
        ("/api/sign/pad/checkPad", pad, "qr_unknown"),
        ("/api/member/preorder/getPreorder", preorder, "preorder_unknown"),
        ("/api/member/order/createAlipayOrder", preorder, "preorder_unknown"),
        ("/api/member/order/createWeixinOrder", preorder, "preorder_unknown"),
        ("/api/member/pay/checkPayStatus", preorder, "preorder_unknown"),
        ("/api/member/pay/checkPayStatus", order, "order_unknown"),
    ],
)
@pytest.mark.parametrize("signed", [True, False], ids=["another account", "a visitor"])
def test_foreign_ids_do_not_exist(
    server: Server, person: Visitor, path: str, make: Callable[[Visitor], dict[str, Any]], reason: str, signed: bool
) -> None:
    stranger = Visitor(server.address)
    if signed:
        stranger.sign_in(server.log)
    stranger.grant()
    call, owned = next(call for call in CALLS if call.path == path), make(person)
    cookies = dict(stranger.http.cookies)
    hidden = (404, {"reason": reason})
    if make is order and not signed:
        hidden = (401, {"reason": "sign_in"})
    unknown = {field: value if field == "prefix" else "0" * 40 for field, value in owned.items()}
    for query in (owned, unknown):
        more = {**query, **({} if "preorderId" in query else {"preorderId": ""})}
        answer = ask(server, call, {"Access-Token": cookies["access_token"]}, cookies, **more)
        assert (answer.status_code, answer.json()["data"]) == hidden


def test_a_foreign_upload_is_no_input(server: Server, person: Visitor) -> None:
    key, stranger = person.upload(), Visitor(server.address)
    stranger.sign_in(server.log)
    answer = stranger.create(key)
    assert (answer.status_code, answer.json()["data"]["reason"]) == (404, "file_unknown")


def test_ids_cannot_be_guessed(person: Visitor) -> None:
    """128 bits at least, and never the same."""
    made = [str(value) for make in (task, ticket, preorder) for _ in range(3) for value in make(person).values()]
    assert len(set(made)) == 9 and all(len(each) >= 32 for each in made)
