"""Accounts in a browser: signed in by the dialog as a person does, or brought along from the API."""

import cv2
import numpy as np
import zxingcpp
from playwright.sync_api import Locator, Page, expect

from tests.signing_in import code_for, codes_in, new_account
from tests.site.conftest import Visitor
from tests.stack import Person, Stack, wait_for


def sign_in_by_dialog(visitor: Visitor, stack: Stack) -> str:
    """Fill in the open sign-in dialog; the account."""
    account = new_account()
    before = len(codes_in(stack.log, account))
    visitor.see("account-field").fill(account)
    visitor.see("send-code").click()
    visitor.see("code-field").fill(code_for(stack.log, account, before=before))
    expect(visitor.see("sign-in-dialog")).to_have_count(0)
    return account


def arrive_as(visitor: Visitor, person: Person) -> None:
    """The browser holds this person's tokens, as after an earlier sign-in."""
    cookies = [
        {"name": each.name, "value": each.value or "", "url": person.address} for each in person.http.cookies.jar
    ]
    visitor.page.context.add_cookies(cookies)
    visitor.page.context.add_init_script("localStorage.setItem('account', 'user')")


def person_of(page: Page, address: str) -> Person:
    """Whoever is in the browser, speaking to the API."""
    person = Person(address)
    for each in page.context.cookies(address):
        person.http.cookies.set(each["name"], each["value"])
    return person


def scanned(code: Locator) -> str:
    """What a phone's camera reads in the picture."""
    expect(code).to_be_visible()
    code.evaluate("picture => picture.decode()")
    return wait_for(lambda: read(code), 20)


def read(code: Locator) -> str:
    """One look at it, "" when nothing is recognised."""
    picture = cv2.imdecode(np.frombuffer(code.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    found = zxingcpp.read_barcode(picture)
    return found.text if found else ""
