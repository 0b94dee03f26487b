"""A phone as a pad for a browser elsewhere, and signatures that accounts keep."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from api.sign import pads, saved
from cluster.queue import connect
from tests.api.conftest import Server, Visitor
from tests.api.members import database_of
from tests.signing_in import code_for, new_account

GET, CHECK, DRAW = "/api/sign/pad/getPad", "/api/sign/pad/checkPad", "/api/sign/pad/drawPad"
LIST, KEEP, DROP = (f"/api/sign/saved/{name}Signature{tail}" for name, tail in
                    (("get", "s"), ("save", ""), ("delete", "")))  # fmt: skip
INK = {"strokes": [[0, 0, 3, 1, 2, 3, 4, 5, 6], [1.5, 2, 4]], "width": 10, "height": 8}
LOOK = {**INK, "kind": "drawn", "role": "signature", "colour": "#14213d"}


def drawn(phone: Visitor, pad: str, ink: Any = None, done: bool = False) -> str:
    answer = phone.ask("POST", DRAW, json={"padId": pad, "ink": ink, "done": done}).json()["data"]
    return str(answer.get("status", answer.get("reason")))


def look(browser: Visitor, pad: str) -> tuple[str, Any]:
    told = browser.data(CHECK, padId=pad)
    return told["status"], told["ink"]


def test_strokes_come_to_the_browser_that_asked_once(server: Server, visitor: Visitor) -> None:
    shown, phone = visitor.data(GET), Visitor(server.address)
    pad = shown["padId"]
    assert shown["url"] == f"{server.address}/SignPad?padId={pad}" and shown["svg"].startswith("<svg")
    assert 290_000 < shown["expiresAt"] - time.time() * 1000 <= 300_000
    assert look(visitor, pad) == ("WAITING", None)
    assert drawn(phone, pad) == "OPEN" and look(visitor, pad) == ("OPEN", None)
    assert drawn(phone, pad, INK) == "OPEN" and look(visitor, pad) == ("OPEN", INK)
    assert drawn(Visitor(server.address), pad, INK) == "qr_unknown", "another phone"
    assert Visitor(server.address).grant() and drawn(phone, pad, INK, done=True) == "DONE"
    with ThreadPoolExecutor(10) as pool:
        told = list(pool.map(lambda _: look(visitor, pad), range(10)))
    assert [each for each in told if each != ("EXPIRED", None)] == [("DONE", INK)]
    assert drawn(phone, pad, INK) == "EXPIRED", "single use"
    assert "1.5" not in str(connect().hgetall(f"pad:{pad}"))


def test_strokes_are_sealed_and_a_pad_ends(visitor: Visitor, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    pad, phone = visitor.data(GET)["padId"], Visitor(server.address)
    drawn(phone, pad, INK)
    assert "strokes" not in str(connect().hgetall(f"pad:{pad}")) and connect().ttl(f"pad:{pad}") <= pads.KEPT
    connect().hincrby(f"pad:{pad}", "created", -pads.LIFE * 1000)
    assert drawn(phone, pad, INK) == "EXPIRED" and look(visitor, pad) == ("EXPIRED", None)


@pytest.mark.parametrize(
    "ink", [{**INK, "strokes": []}, {**INK, "width": 0}, {**INK, "strokes": [[1]]}, {"strokes": 1}]
)
def test_what_is_no_ink_is_refused(visitor: Visitor, ink: Any) -> None:
    answer = visitor.ask("POST", DRAW, json={"padId": visitor.data(GET)["padId"], "ink": ink})
    assert answer.status_code == 400 and answer.json()["data"]["reason"] == "field_invalid"


def test_signatures_are_kept_sealed_listed_and_deleted(server: Server) -> None:
    person, other = Visitor(server.address), Visitor(server.address)
    person.sign_in(server.log)
    other.sign_in(server.log)
    first = person.ask("POST", KEEP, json={"look": LOOK}).json()["data"]
    typed = {"kind": "typed", "role": "initials", "text": "张", "face": "long-cang", "colour": "#000000"}
    second = person.ask("POST", KEEP, json={"look": typed}).json()["data"]
    assert [each["look"] for each in person.data(LIST)["items"]] == [typed, LOOK]
    assert other.data(LIST) == {"items": []}
    assert other.ask("GET", DROP, params={"signatureId": first["id"]}).json()["data"]["reason"] == "signature_unknown"
    person.data(DROP, signatureId=first["id"])
    assert [each["id"] for each in person.data(LIST)["items"]] == [second["id"]]
    files = [path.read_bytes() for path in Path(server.environment["PAPERCRANE_DATA"]).glob("papercrane.db*")]
    assert files and not any(b"long-cang" in data or "张".encode() in data for data in files)


def test_an_account_keeps_a_number_of_them_which_go_with_it(server: Server) -> None:
    person, account = Visitor(server.address), new_account()
    owner = person.sign_in(server.log, account)
    answers = [person.ask("POST", KEEP, json={"look": LOOK}) for _ in range(saved.MOST + 1)]
    assert [each.status_code for each in answers[-2:]] == [200, 403]
    assert answers[-1].json()["data"]["reason"] == "signatures_full"
    (row,) = database_of(server, "SELECT count(*) FROM saved_signature WHERE account_id = :id", id=owner["id"])
    assert row == (saved.MOST,)
    connect().delete(*connect().keys("sent:*"))
    person.data("/api/user/user/sendDynamicPwd")
    person.data("/api/user/user/deleteAccount", pwd=code_for(server.log, account, before=1))
    (row,) = database_of(server, "SELECT count(*) FROM saved_signature WHERE account_id = :id", id=owner["id"])
    assert row == (0,)
