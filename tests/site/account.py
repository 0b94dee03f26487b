"""Steps of people with accounts: signing in through the page, and a browser that holds a session already."""

import sqlite3
import time

import httpx
import redis
from playwright.sync_api import expect

from tests.signing_in import code_for, codes_in
from tests.stack import Person

DAY = 86_400_000


def ask_for_code(visitor, stack, account):
    """Fill in the account and have a code sent; the code."""
    before = len(codes_in(stack.log, account))
    visitor.see("account-field").fill(account)
    visitor.see("send-code").click()
    expect(visitor.see("code-sent")).to_contain_text("***")
    return code_for(stack.log, account, before=before)


def sign_in(visitor, stack, account, path="/About"):
    """Sign in through the page at `path`."""
    visitor.open(path).see("sign-in").click()
    visitor.see("code-field").fill(ask_for_code(visitor, stack, account))
    expect(visitor.see("account-button")).to_be_visible()


def masked(account):
    return f"{account[0]}***@{account.partition('@')[2]}"


def member(stack, account):
    """Somebody who bought a year of membership; their API session."""
    person = Person(stack.address)
    person.sign_in(stack.log, account)
    preorder = person.get("/api/member/preorder/createPreorder", packageId="year")["preorderId"]
    order = person.get("/api/member/order/createAlipayOrder", preorderId=preorder, channel="page")
    httpx.post(f"{stack.address}/sandbox/cashier", data={"orderNo": order["orderNo"], "deed": "pay"})
    assert person.get("/api/user/user/getUser")["member"]["active"]
    return person


def let_expire(stack, user):
    """A year goes by for one account."""
    with sqlite3.connect(stack.data / "papercrane.db", timeout=20) as database:
        past = round(time.time() * 1000) - DAY
        changed = database.execute("UPDATE membership_event SET expires_at = ? WHERE account_id = ?", (past, user))
        assert changed.rowcount == 1


def a_minute_later(stack):
    """The wait between two codes is over for everybody."""
    with redis.from_url(stack.environment["PAPERCRANE_REDIS"]) as server:
        server.delete(*server.keys("sent:*"))


def bring(visitor, person, path):
    """Open `path` in a browser that holds the person's session."""
    cookies = [{"name": each.name, "value": each.value, "url": visitor.address} for each in person.http.cookies.jar]
    visitor.page.context.add_cookies(cookies)
    visitor.open("/About").page.evaluate("localStorage.setItem('account', 'user')")
    visitor.open(path)
