"""What tests of payment share: a signed-in buyer, and the cashier page used as a browser uses it."""

import asyncio
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from tests.api.conftest import Server, Visitor
from tests.signing_in import new_account

UNPAID, PAID, CLOSED, REFUNDED = 1, 2, 3, 4
WALLETS = ("alipay", "weixin")
PACKAGES = "/api/member/memberpackage/getMemberPackage"
PREORDER = "/api/member/preorder/createPreorder"
PRICE = "/api/member/preorder/getPreorder"
ORDER = {"alipay": "/api/member/order/createAlipayOrder", "weixin": "/api/member/order/createWeixinOrder"}
CHANNEL = {"alipay": "page", "weixin": "native"}
STATUS = "/api/member/pay/checkPayStatus"
ORDERS = "/api/member/order/getUserOrders"
TRANSFER = "/api/member/member/transfer"
USER = "/api/user/user/getUser"
NOTIFY = {"alipay": "/api/member/pay/alipayNotify", "weixin": "/api/member/pay/weixinNotify"}


@dataclass
class Buyer:
    """Somebody who has signed in at `server`."""

    server: Server
    browser: Visitor
    name: str = ""

    def preorder(self, package: str = "month") -> dict[str, Any]:
        return dict(self.browser.data(PREORDER, packageId=package))

    def order(self, wallet: str, preorder: str = "", **more: str) -> dict[str, Any]:
        preorder = preorder or self.preorder()["preorderId"]
        return dict(self.browser.data(ORDER[wallet], **{"preorderId": preorder, "channel": CHANNEL[wallet], **more}))

    def status(self, number: str) -> int:
        return int(self.browser.data(STATUS, orderNo=number)["status"])

    def member(self) -> dict[str, Any]:
        return dict(self.browser.data(USER)["member"])

    def buy(self, wallet: str = "alipay", package: str = "month") -> dict[str, Any]:
        """Pay for a package in the sandbox; the order."""
        order = self.order(wallet, self.preorder(package)["preorderId"])
        press(order, "pay")
        assert self.status(order["orderNo"]) == PAID
        return order

    def events(self, number: str) -> list[tuple[str, str]]:
        """What was recorded about an order's money, in order: kind and reason."""
        rows = rows_of(
            self.server, "SELECT kind, reason FROM money_event WHERE order_number = :n ORDER BY id", n=number
        )
        return [(kind, reason) for kind, reason in rows]

    def grants(self, preorder: str) -> int:
        found = rows_of(
            self.server,
            "SELECT count(*) FROM membership_event WHERE preorder_id = :p AND kind = 'granted'",
            p=preorder,
        )
        return int(found[0][0])


def buyer(server: Server) -> Buyer:
    """A new account at `server`, signed in."""
    browser, name = Visitor(server.address), new_account()
    browser.sign_in(server.log, name)
    return Buyer(server, browser, name)


def press(order: dict[str, Any], deed: str, language: str = "zh") -> httpx.Response:
    """Open an order's cashier page and press one of its buttons, without any script; where the payer is sent."""
    address = order["payUrl"] or order["codeUrl"]
    page = httpx.get(address, headers={"Accept-Language": language})
    assert page.status_code == 200, page.text
    (action,) = re.findall(r"<form method=post action=(\S+?)>", page.text)
    (hidden,) = re.findall(r'name=orderNo value="([^"]+)"', page.text)
    assert f"name=deed value={deed} " in page.text
    return httpx.post(httpx.URL(address).join(action), data={"orderNo": hidden, "deed": deed}, timeout=30)


def place(answer: httpx.Response) -> tuple[str, dict[str, str]]:
    """Path and query of where a redirect leads."""
    assert answer.status_code == 303, answer.text
    parts = urlsplit(answer.headers["location"])
    return parts.path, dict(parse_qsl(parts.query))


def rows_of(server: Server, statement: str, **values: Any) -> list[Any]:
    """Rows of the server's own database; a statement that changes some gives none."""

    async def ask() -> list[Any]:
        engine = create_async_engine(database_of(server))
        async with engine.begin() as connection:
            found = await connection.execute(text(statement), values)
            rows = [tuple(row) for row in found] if found.returns_rows else []
        await engine.dispose()
        return rows

    with asyncio.Runner() as runner:
        return runner.run(ask())


def database_of(server: Server) -> str:
    """The server's database, as SQLAlchemy writes it."""
    own = server.environment.get("PAPERCRANE_API_DATABASE")
    return own or f"sqlite+aiosqlite:///{server.environment['PAPERCRANE_DATA']}/papercrane.db"
