"""Signing in with a one-time password, over HTTP as a browser does."""

import re
import secrets
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from api.problems import Refusal
from api.user import codes
from api.user.names import account_name, masked
from cluster.queue import connect
from tests.api.conftest import ONE_SERVER, Server, Visitor, serving
from tests.signing_in import code_for, codes_in, new_account

SEND = "/api/user/user/sendDynamicPwd"
LOGIN = "/api/user/user/dynamicPwdLogin"
USER = "/api/user/user/getUser"
TAG = {"Web-Tag": "papercrane"}


def other_than(code: str) -> str:
    return f"{(int(code) + 1) % 1_000_000:06d}"


def log_in(server: Server, account: str, code: str) -> httpx.Response:
    """A browser without any cookie tries a code."""
    return httpx.get(server.address + LOGIN, params={"account": account, "pwd": code}, headers=TAG, timeout=60)


def test_a_new_person_signs_in_and_out(each_server: Server, someone: Visitor) -> None:
    name = new_account()
    sent = someone.data(SEND, account=name)
    assert sent == {"sentTo": f"s***@{name.partition('@')[2]}", "validSeconds": 300, "waitSeconds": 60}
    user = someone.data(LOGIN, account=name, pwd=code_for(each_server.log, name))["user"]
    assert user["account"] == sent["sentTo"] and user["nickname"] and user["payStatus"] is None
    assert user["member"] == {"active": False, "expired": False, "expiresAt": None, "packageName": None}
    assert someone.data(USER) == user
    assert someone.data("/api/user/user/logout") == {}
    assert not someone.http.cookies
    assert someone.ask("GET", USER).json()["data"]["reason"] == "sign_in"


def test_the_same_person_comes_back(each_server: Server, someone: Visitor) -> None:
    name = new_account()
    first = someone.sign_in(each_server.log, name)
    connect().delete(f"sent:{codes._mark(name)}")
    again = Visitor(each_server.address)
    again.data(SEND, account=f"  {name.upper()} ")
    code = code_for(each_server.log, name, before=1)
    assert again.data(LOGIN, account=name.replace("@", "＠"), pwd=f"{code[:3]} {code[3:]}")["user"] == first
    assert someone.data(USER) == first, "the other browser stays signed in"


def test_the_session_is_new_after_signing_in(server: Server, visitor: Visitor) -> None:
    visitor.grant()
    before = dict(visitor.http.cookies)
    visitor.sign_in(server.log)
    after = dict(visitor.http.cookies)
    assert before.keys() == after.keys() and not set(before.values()) & set(after.values())
    planted = Visitor(server.address)
    planted.http.cookies.update(before)
    assert planted.ask("GET", "/api/task/task/getUserTasks").status_code == 401


def test_a_dead_session_stays_dead(server: Server, visitor: Visitor) -> None:
    visitor.sign_in(server.log)
    copy = Visitor(server.address)
    copy.http.cookies.update(dict(visitor.http.cookies))
    assert copy.ask("GET", USER).status_code == 200
    visitor.data("/api/user/user/logout")
    assert copy.ask("GET", USER).status_code == 401


def test_known_and_unknown_accounts_are_answered_alike(server: Server, visitor: Visitor) -> None:
    known, unknown = new_account(), new_account()
    visitor.sign_in(server.log, known)
    connect().delete(f"sent:{codes._mark(known)}")
    for call, query in ((SEND, {}), (SEND, {}), (LOGIN, {"pwd": "000000"}), (LOGIN, {"pwd": "x"})):
        answers = []
        for name in (known, unknown):
            answer = httpx.get(server.address + call, params={"account": name, **query}, headers=TAG)
            # The seconds to wait are each account's own.
            told = re.sub(r"\b(60|5\d)\b", "60", answer.text.replace(name.partition("@")[2], "-"))
            own = ("x-request-id", "date", "retry-after", "set-cookie")
            same = {each: value for each, value in answer.headers.items() if each not in own}
            answers.append((answer.status_code, told, same))
        assert answers[0] == answers[1]


@ONE_SERVER
def test_a_code_works_once(each_server: Server, someone: Visitor) -> None:
    name = new_account()
    someone.data(SEND, account=name)
    code = code_for(each_server.log, name)
    with ThreadPoolExecutor(50) as pool:
        statuses = Counter(pool.map(lambda _: log_in(each_server, name, code).status_code, range(50)))
    assert statuses == {200: 1, 403: 49}
    assert log_in(each_server, name, code).json()["data"] == {"reason": "code_wrong"}


def test_fifty_wrong_answers_at_once_are_five_tries(server: Server, visitor: Visitor) -> None:
    name = new_account()
    visitor.data(SEND, account=name)
    code = code_for(server.log, name)
    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda _: log_in(server, name, other_than(code)), range(50)))
    assert {answer.json()["data"]["reason"] for answer in answers} == {"code_wrong"}
    assert log_in(server, name, code).status_code == 403


def test_five_tries_are_given(server: Server, visitor: Visitor) -> None:
    name = new_account()
    visitor.data(SEND, account=name)
    code = code_for(server.log, name)
    for wrong in (other_than(code), "１２３", code + "0", "-"):
        assert log_in(server, name, wrong).status_code == 403
    assert log_in(server, name, code).status_code == 200


def test_only_so_many_guesses_are_compared() -> None:
    """Fifty guesses at once, the right one among them at any place: at most five were looked at."""
    won = 0
    for _ in range(20):
        name = new_account()
        code = codes.issue(name, name, name)
        guesses = [f"{(int(code) + step) % 1_000_000:06d}" for step in range(5, 0, -1)] + [code]
        for guess in guesses:
            won += _passes(name, guess)
    assert won == 0


def _passes(name: str, guess: str) -> bool:
    try:
        codes.spend(name, guess, name, name)
    except Refusal:
        return False
    return True


def test_a_code_ends(server: Server, visitor: Visitor) -> None:
    name = new_account()
    visitor.data(SEND, account=name)
    key = f"code:{codes._mark(name)}"
    assert 290 < connect().ttl(key) <= 300
    connect().expire(key, 0)
    assert log_in(server, name, code_for(server.log, name)).status_code == 403


def test_a_code_is_for_its_account_only(server: Server, visitor: Visitor) -> None:
    mine, other = new_account(), new_account()
    visitor.data(SEND, account=mine)
    visitor.data(SEND, account=other)
    assert log_in(server, other, code_for(server.log, mine)).status_code == 403


def test_the_newest_code_counts(server: Server, visitor: Visitor) -> None:
    name = new_account()
    visitor.data(SEND, account=name)
    first = code_for(server.log, name)
    _a_minute_later(name)
    visitor.data(SEND, account=name)
    second = code_for(server.log, name, before=1)
    assert second != first and log_in(server, name, first).status_code == 403
    assert log_in(server, name, second).status_code == 200


def test_a_minute_lies_between_two_codes(visitor: Visitor) -> None:
    name = new_account()
    visitor.data(SEND, account=name)
    answer = visitor.ask("GET", SEND, params={"account": name})
    assert (answer.status_code, answer.json()["data"]["reason"]) == (429, "codes_too_many")
    assert 55 <= answer.json()["data"]["seconds"] == int(answer.headers["retry-after"]) <= 60


def test_five_codes_an_hour(visitor: Visitor) -> None:
    name = new_account()
    for _ in range(5):
        visitor.data(SEND, account=name)
        _a_minute_later(name)
    answer = visitor.ask("GET", SEND, params={"account": name})
    assert answer.status_code == 429 and 3200 < answer.json()["data"]["seconds"] < 3400
    for _ in range(59):
        _a_minute_later(name)
    visitor.data(SEND, account=name)


def _a_minute_later(name: str) -> None:
    key = f"sent:{codes._mark(name)}"
    for member, sent in connect().zrange(key, 0, -1, withscores=True):
        connect().zadd(key, {member: sent - 61_000})


def test_limits_hold_for_fifty_requests_at_once(tmp_path, redis_server: str) -> None:
    with serving(tmp_path, ADDRESS_CODES="7", PROXIES="1") as server:
        one, address = new_account(), {"X-Forwarded-For": "2001:db8::77", **TAG}

        def send(name: str) -> int:
            return httpx.get(server.address + SEND, params={"account": name}, headers=address, timeout=60).status_code

        with ThreadPoolExecutor(50) as pool:
            assert Counter(pool.map(send, [one] * 50)) == {200: 1, 429: 49}
            others = [new_account() for _ in range(50)]
            assert Counter(pool.map(send, others)) == {200: 6, 429: 44}
        assert len(codes_in(server.log, one)) == 1


def test_strangers_guesses_do_not_void_the_code(server: Server, visitor: Visitor) -> None:
    name = new_account()
    visitor.data(SEND, account=name)
    code, stranger = code_for(server.log, name), Visitor(server.address)
    stranger.data(SEND, account=new_account())
    for _ in range(3):
        assert log_in(server, name, other_than(code)).status_code == 403
        assert stranger.ask("GET", LOGIN, params={"account": name, "pwd": other_than(code)}).status_code == 403
    assert log_in(server, name, code).status_code == 403, "all strangers together have five tries"
    assert visitor.ask("GET", LOGIN, params={"account": name, "pwd": code}).status_code == 200


def test_a_code_that_a_stranger_asks_for_takes_no_ones_place(server: Server, visitor: Visitor) -> None:
    name, stranger = new_account(), Visitor(server.address)
    visitor.data(SEND, account=name)
    code = code_for(server.log, name)
    _a_minute_later(name)
    stranger.data(SEND, account=name)
    assert stranger.ask("GET", LOGIN, params={"account": name, "pwd": code}).status_code == 403
    for wrong in (other_than(code), "1", "2", "3"):
        assert visitor.ask("GET", LOGIN, params={"account": name, "pwd": wrong}).status_code == 403
    assert visitor.ask("GET", LOGIN, params={"account": name, "pwd": code}).status_code == 200


def test_a_browser_has_five_tries(server: Server, visitor: Visitor) -> None:
    name = new_account()
    visitor.data(SEND, account=name)
    code = code_for(server.log, name)
    for _ in range(5):
        assert visitor.ask("GET", LOGIN, params={"account": name, "pwd": other_than(code)}).status_code == 403
    assert visitor.ask("GET", LOGIN, params={"account": name, "pwd": code}).status_code == 403


def test_one_address_cannot_guess_the_codes_of_many(tmp_path, redis_server: str) -> None:
    """Five tries of each of a million accounts are five chances in all to be one of them."""
    with serving(tmp_path, ADDRESS_GUESSES="10", PROXIES="1") as server:
        place = f"2001:db8:0:{secrets.randbelow(65536):x}"

        def guess(number: int) -> int:
            return tried(server, new_account(), "123456", f"{place}::{number:x}")

        with ThreadPoolExecutor(30) as pool:
            assert Counter(pool.map(guess, range(30))) == {403: 10, 429: 20}
        name = new_account()
        assert httpx.get(server.address + SEND, params={"account": name}, headers=TAG).status_code == 200
        code = code_for(server.log, name)
        assert tried(server, name, code, f"{place}::1") == 429, "the right one is not looked at either"
        assert tried(server, name, code, "192.0.2.77") == 200


def test_right_codes_are_no_guesses(tmp_path, redis_server: str) -> None:
    with serving(tmp_path, ADDRESS_GUESSES="1", PROXIES="1") as server:
        place = f"2001:db8:1:{secrets.randbelow(65536):x}::1"
        for _ in range(3):
            visitor = Visitor(server.address)
            visitor.http.headers["X-Forwarded-For"] = place
            visitor.sign_in(server.log)


def tried(server: Server, account: str, code: str, address: str) -> int:
    query, headers = {"account": account, "pwd": code}, {"X-Forwarded-For": address, **TAG}
    return httpx.get(server.address + LOGIN, params=query, headers=headers, timeout=60).status_code


@pytest.mark.parametrize(
    ("typed", "name", "shown"),
    [
        (" Ａ.B@ＱＱ.com ", "a.b@qq.com", "a***@qq.com"),
        ("x+tag@mail.example.co.uk", "x+tag@mail.example.co.uk", "x***@mail.example.co.uk"),
        ("张@例子.中国", None, ""),
        ("me@例子.中国", "me@xn--fsqu00a.xn--fiqs8s", "m***@xn--fsqu00a.xn--fiqs8s"),
        ("138 0013 8000", "+8613800138000", "138****8000"),
        ("+86 138-0013-8000", "+8613800138000", "138****8000"),
        ("008613800138000", "+8613800138000", "138****8000"),
        ("１３８００１３８０００", "+8613800138000", "138****8000"),
        ("+1 (415) 555-2671", "+14155552671", "+14****2671"),
        ("0044 20 7946 0958", "+442079460958", "+44****0958"),
        ("12800138000", None, ""),
        ("+8612345", None, ""),
        ("4155552671", None, ""),
        ("a@b", None, ""),
        ("a@b.example\r\nBcc: x@y.example", None, ""),
        ("<a@b.example>", None, ""),
        ('"a b"@b.example', None, ""),
        ("a..b@b.example", None, ""),
        (f"{'a' * 65}@b.example", None, ""),
        ("", None, ""),
    ],
)
def test_names(typed: str, name: str | None, shown: str) -> None:
    if name is None:
        with pytest.raises(Refusal, match="account_invalid"):
            account_name(typed)
    else:
        assert (account_name(typed), masked(name)) == (name, shown)


@pytest.mark.parametrize("call", [SEND, LOGIN])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_an_unusable_account_is_refused(server: Server, call: str, language: str) -> None:
    query = {"account": "nobody", "pwd": "123456"}
    answer = httpx.get(server.address + call, params=query, headers={**TAG, "Accept-Language": language})
    assert (answer.status_code, answer.json()["data"]) == (400, {"reason": "account_invalid"})
    assert ("邮箱" in answer.json()["msg"]) is (language == "zh")


def test_who_has_signed_in_need_not_type_their_account(server: Server, visitor: Visitor) -> None:
    name = new_account()
    visitor.sign_in(server.log, name)
    _a_minute_later(name)
    assert visitor.data(SEND)["sentTo"].endswith(name.partition("@")[2])
    assert len(codes_in(server.log, name)) == 2
    assert Visitor(server.address).ask("GET", SEND).json()["data"]["reason"] == "account_invalid"
