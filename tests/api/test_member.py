"""Membership after it was bought: passed on, given back, and who may do that."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from api import settings
from api.member import wallets
from api.member.packages import read
from api.user import codes
from cluster.queue import connect
from tests.api.conftest import ONE_SERVER, Server, Visitor, serving
from tests.api.forked import ran
from tests.api.paying import ORDERS, PACKAGES, REFUNDED, STATUS, TRANSFER, USER, WALLETS, Buyer, buyer, press, rows_of
from tests.signing_in import code_for, codes_in, new_account

SEND = "/api/user/user/sendDynamicPwd"
LOGIN = "/api/user/user/dynamicPwdLogin"
DAY = 86_400_000


@pytest.fixture
def ann(each_server: Server) -> Buyer:
    return buyer(each_server)


def new_code(who: Buyer) -> str:
    """Another one-time password of somebody who has just signed in: the wait between two is over."""
    connect().delete(f"sent:{codes._mark(who.name)}")
    known = len(codes_in(who.server.log, who.name))
    who.browser.data(SEND, account=who.name)
    return code_for(who.server.log, who.name, before=known)


def pass_on(who: Buyer, account: str, code: str = "") -> dict[str, object]:
    answer = who.browser.ask("GET", TRANSFER, params={"account": account, "pwd": code or new_code(who)})
    return dict(answer.json()["data"])


def days_left(who: Buyer) -> float:
    until = who.member()["expiresAt"]
    return (until - time.time() * 1000) / DAY if until else 0.0


RIGHTS = "/api/user/user/getUserRights"


def test_passed_on_to_somebody_new(ann: Buyer) -> None:
    order, other = ann.buy("alipay", "year"), new_account()
    before = ann.member()["expiresAt"]
    assert ann.browser.data(RIGHTS)["rank"] == "member", "which is remembered now"
    answer = pass_on(ann, f" {other.upper()} ")
    assert answer["to"] == f"s***@{other.partition('@')[2]}" and abs(int(str(answer["expiresAt"])) - before) < 1500
    assert ann.member()["expired"] and not ann.member()["active"]
    assert ann.browser.data(RIGHTS)["rank"] == "user", "at once"
    ben = Visitor(ann.server.address)
    member = ben.sign_in(ann.server.log, other)["member"]
    assert member["active"] and member["packageName"] == "年度会员" and member["expiresAt"] == answer["expiresAt"]
    (listed,) = ann.browser.data(ORDERS)["items"]
    assert listed["transferred"] and listed["orderNo"] == order["orderNo"]
    assert ben.data(ORDERS)["total"] == 0, "the order stays its buyer's"
    kinds = rows_of(
        ann.server,
        "SELECT kind FROM membership_event WHERE preorder_id = :p ORDER BY id",
        p=listed["preorderId"],
    )
    assert kinds == [("granted",), ("sent",), ("received",)]


def test_received_time_goes_no_further(ann: Buyer) -> None:
    ann.buy("alipay", "month")
    ben, carl = buyer(ann.server), new_account()
    pass_on(ann, ben.name)
    assert 27 < days_left(ben) <= 31
    assert pass_on(ann, carl)["reason"] == "nothing_to_transfer"
    assert pass_on(ben, carl)["reason"] == "nothing_to_transfer"
    ben.buy("weixin", "quarter")
    assert 115 < days_left(ben) < 125
    pass_on(ben, ann.name)
    assert 27 < days_left(ben) <= 31, "what was received stays"
    assert 88 < days_left(ann) < 93


@ONE_SERVER
def test_who_may_not_pass_on(ann: Buyer) -> None:
    ann.buy()
    code = new_code(ann)
    wrong = f"{(int(code) + 1) % 1_000_000:06d}"
    other = new_account()
    assert pass_on(ann, other, wrong)["reason"] == "code_wrong"
    assert pass_on(ann, "nobody", code)["reason"] == "account_invalid"
    assert pass_on(ann, ann.name.upper(), code)["reason"] == "transfer_to_self"
    assert ann.member()["active"]
    assert pass_on(buyer(ann.server), other, code)["reason"] == "nothing_to_transfer"
    assert pass_on(ann, other, code)["to"], "none of that used the code up"
    visitor = Visitor(ann.server.address)
    assert visitor.ask("GET", TRANSFER, params={"account": other, "pwd": code}).status_code == 401


@pytest.mark.parametrize("wallet", WALLETS)
def test_refunded(ann: Buyer, wallet: str) -> None:
    order = ann.buy(wallet, "month")
    ann.buy("alipay", "quarter")
    before = days_left(ann)
    told = refund(ann.server, order["orderNo"])
    assert told.returncode == 0 and "19.00 yuan" in told.stdout, told.stderr
    assert ann.status(order["orderNo"]) == REFUNDED
    assert 27 < before - days_left(ann) <= 31 and ann.member()["active"]
    assert ann.events(order["orderNo"])[-1] == ("refunded", "")
    again = refund(ann.server, order["orderNo"])
    assert again.returncode == 0 and "before" in again.stdout
    assert 27 < before - days_left(ann) <= 31, "taken back once"


def test_time_is_used_up_oldest_first(ann: Buyer) -> None:
    """After twenty days a month has ten left and the year behind it is whole."""
    month, year = ann.buy("alipay", "month"), ann.buy("weixin", "year")
    bought = days_left(ann)
    statement = "UPDATE membership_event SET expires_at = expires_at - :ms, at = at - :ms WHERE account_id = :id"
    rows_of(ann.server, statement, ms=20 * DAY, id=ann.browser.data(USER)["id"])
    refund(ann.server, month["orderNo"])
    assert 364 < days_left(ann) < 367
    refund(ann.server, year["orderNo"])
    assert ann.member()["expired"] and bought > 390


def test_a_refund_follows_what_was_passed_on(ann: Buyer) -> None:
    order, ben = ann.buy(), buyer(ann.server)
    pass_on(ann, ben.name)
    assert refund(ann.server, order["orderNo"]).returncode == 0
    assert ben.member()["expired"] and not ann.member()["active"]


def test_the_second_payment_goes_back_alone(ann: Buyer) -> None:
    preorder = ann.preorder()["preorderId"]
    orders = [ann.order(wallet, preorder) for wallet in WALLETS]
    for order in orders:
        press(order, "pay")
    until, second = ann.member()["expiresAt"], orders[1]["orderNo"]
    assert second in refund(ann.server, "--due").stdout
    assert refund(ann.server, second).returncode == 0
    assert ann.status(second) == REFUNDED and ann.member()["expiresAt"] == until
    assert second not in refund(ann.server, "--due").stdout


@ONE_SERVER
def test_refunds_that_cannot_be(ann: Buyer) -> None:
    unpaid = ann.order("alipay")["orderNo"]
    for argument, words in (("x", "no order x"), (unpaid, "not paid")):
        told = refund(ann.server, argument)
        assert told.returncode != 0 and words in told.stderr and "Traceback" not in told.stderr


def test_an_erased_account_leaves_its_orders_without_a_name(ann: Buyer) -> None:
    order = ann.buy()
    ann.browser.data("/api/user/user/deleteAccount", pwd=new_code(ann))
    rows = rows_of(ann.server, "SELECT account_id, amount FROM orders WHERE number = :n", n=order["orderNo"])
    assert rows == [(None, 1900)]
    back = Visitor(ann.server.address)
    connect().delete(f"sent:{codes._mark(ann.name)}")
    code_count = len(codes_in(ann.server.log, ann.name))
    back.data(SEND, account=ann.name)
    back.data(LOGIN, account=ann.name, pwd=code_for(ann.server.log, ann.name, before=code_count))
    assert back.data(ORDERS)["total"] == 0 and back.data(STATUS) is None


def refund(server: Server, argument: str) -> "subprocess.CompletedProcess[str]":
    """The operator's command."""
    return ran("api.member.refund", argument, environment=server.environment)


PACKAGE = """
[[package]]
id = "week"
months = 1
price = 500
original_price = 900
[package.zh]
name = "体验"
perks = ["一"]
[package.en]
name = "Trial"
perks = ["one"]
"""


def test_an_operators_own_packages(tmp_path: Path, redis_server: str) -> None:
    file = tmp_path / "packages.toml"
    file.write_text(PACKAGE)
    database = f"sqlite+aiosqlite:///{tmp_path / 'own.db'}"
    with serving(tmp_path, PACKAGES=str(file), DATABASE=database) as server:
        who = buyer(server)
        assert [each["name"] for each in who.browser.data(PACKAGES)["packages"]] == ["体验"]
        assert who.preorder("week")["amount"] == 500


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("price = 500", "price = -1"), "package.1.price"),
        (("price = 500", "price = 5.5"), "package.1.price"),
        (("price = 500", "price = 1000"), "original_price is lower"),
        (('id = "week"', 'id = "a week"'), "package.1.id"),
        (('name = "Trial"', ""), "package.1.en.name"),
        (("months = 1", "months = 1\nyears = 2"), "package.1.years"),
        ((PACKAGE, PACKAGE + PACKAGE), "'week' is used twice"),
        ((PACKAGE, ""), "package"),
        (("[[package]]", "[package"), "not TOML"),
    ],
)
def test_packages_that_are_wrong_are_named_at_the_start(tmp_path: Path, change: tuple[str, str], words: str) -> None:
    file = tmp_path / "packages.toml"
    file.write_text(PACKAGE.replace(*change))
    with pytest.raises(SystemExit, match=r"packages\.toml") as told:
        read(file)
    assert words in str(told.value)


def start(tmp_path: Path, **given: str) -> "subprocess.CompletedProcess[str]":
    """The API with settings under which it must not start."""
    own = {
        **os.environ,
        "PAPERCRANE_DATA": str(tmp_path),
        **{f"PAPERCRANE_{name}": each for name, each in given.items()},
    }
    return ran("api", environment=own)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            {"ENV": "production", "SECRET": "0123456789" * 4},
            ("PAPERCRANE_API_PUBLIC_URL", "PAPERCRANE_API_MAIL"),
        ),
        ({"API_PACKAGES": "none.toml"}, ("none.toml", "cannot be read")),
        (
            {
                "API_ALIPAY_APP_ID": "1",
                "API_ALIPAY_KEY": "none.pem",
                "API_ALIPAY_PUBLIC_KEY": "x",
                "API_PUBLIC_URL": "https://papercrane.example",
            },
            ("PAPERCRANE_API_ALIPAY_KEY: none.pem cannot be read",),
        ),
    ],
)
def test_it_does_not_start_with_money_half_set_up(
    tmp_path: Path, given: dict[str, str], words: tuple[str, ...]
) -> None:
    told = start(tmp_path, **given)
    assert told.returncode == 1 and all(word in told.stderr for word in words), told.stderr
    assert len(told.stderr.strip().splitlines()) == 1, "a sentence, not a trace"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"ALIPAY_APP_ID": "1"}, ("PAPERCRANE_API_ALIPAY_KEY", "PAPERCRANE_API_ALIPAY_PUBLIC_KEY")),
        ({"WEIXIN_PUBLIC_KEY": "x"}, ("WEIXIN_PUBLIC_KEY_ID", "go together")),
        (
            {"ALIPAY_APP_ID": "1", "ALIPAY_KEY": "none.pem", "ALIPAY_PUBLIC_KEY": "x"},
            ("PAPERCRANE_API_PUBLIC_URL",),
        ),
    ],
)
def test_what_a_merchants_account_lacks_is_named(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], words: tuple[str, ...]
) -> None:
    own = settings.read({f"PAPERCRANE_API_{name}": each for name, each in given.items()})
    monkeypatch.setattr(wallets, "settings", lambda: own)
    with pytest.raises(SystemExit) as told:
        wallets.wallets.__wrapped__()
    assert all(word in str(told.value) for word in words)
