"""Rights by rank: they follow the membership at once, and say when it has ended."""

import secrets
from pathlib import Path

import pytest

from api.caller import Caller
from api.member.lately import LIFE
from api.user.rights import Tries
from cluster import queue
from cluster.task import Status
from tests.api.conftest import PDF, Server, Visitor, end_task
from tests.api.members import end_membership, make_member
from tests.api.trying import left, take

RIGHTS = "/api/user/user/getUserRights"
DOWNLOAD = "/api/file/download/getDownloadInfo"
MIB = 1 << 20
pytestmark = pytest.mark.usefixtures("one_day")


def test_rights_follow_the_membership_at_once(each_server: Server, someone: Visitor) -> None:
    assert someone.data(RIGHTS)["rank"] == "visitor"
    account = someone.sign_in(each_server.log)["id"]
    assert someone.data(RIGHTS, toolId=16) == {
        "allowed": True,
        "restriction": None,
        "remainingTries": 5,
        "maxDocuments": 1,
        "maxFileSize": 200 * MIB,
        "maxPages": 2000,
        "rank": "user",
    }
    make_member(each_server, account, days=1)
    assert someone.data(RIGHTS) == {
        "allowed": True,
        "restriction": None,
        "remainingTries": None,
        "maxDocuments": 50,
        "maxFileSize": 4096 * MIB,
        "maxPages": 20_000,
        "rank": "member",
    }
    assert someone.data("/api/user/user/getUser")["member"]["active"] is True
    end_membership(each_server, account)
    rights = someone.data(RIGHTS)
    assert (rights["rank"], rights["remainingTries"], rights["maxDocuments"]) == ("user", 5, 1)
    member = someone.data("/api/user/user/getUser")["member"]
    assert (member["active"], member["expired"]) == (False, True)


def test_a_standing_is_remembered_for_seconds(server: Server, visitor: Visitor) -> None:
    account = visitor.sign_in(server.log)["id"]
    assert visitor.data(RIGHTS)["rank"] == "user"
    key = f"standing:{account}"
    # What Redis says is believed: the database was not asked.
    queue.connect().set(key, f"{2**42} month", keepttl=True)
    assert visitor.data(RIGHTS)["rank"] == "member"
    assert 0 < queue.connect().ttl(key) <= LIFE
    queue.connect().set(key, "", ex=LIFE)
    assert visitor.data(RIGHTS)["rank"] == "user"
    assert queue.connect().get(key) == "", "who read before a change keeps nothing after it"


def test_a_member_does_what_others_may_not(server: Server, visitor: Visitor, tmp_path: Path) -> None:
    make_member(server, visitor.sign_in(server.log)["id"], days=1)
    key = visitor.upload()
    tasks = [visitor.task(key, visitor.upload()) for _ in range(7)]
    assert {found.rank for task in tasks if (found := queue.find(task))} == {"member"}
    assert {found.limits["pages"] for task in tasks if (found := queue.find(task))} == {20_000}
    assert visitor.grant(files=1, bytes=3000 * MIB)["maxBytes"] == 3000 * MIB
    single = visitor.task(key)
    end_task(single, tmp_path, ("a.pdf", PDF))
    for _ in range(8):
        visitor.data(DOWNLOAD, taskId=single)
    assert visitor.create(*[key] * 51).json()["data"]["reason"] == "too_many_documents"


def test_who_has_signed_in_waits_with_the_guests(server: Server, visitor: Visitor, tmp_path: Path) -> None:
    visitor.sign_in(server.log)
    task = visitor.task()
    found = queue.find(task)
    assert found and found.rank == "guest"
    end_task(task, tmp_path, ("a.pdf", PDF))
    for _ in range(5):
        visitor.data(DOWNLOAD, taskId=task)
    answer = visitor.ask("GET", DOWNLOAD, params={"taskId": task})
    assert (answer.status_code, answer.json()["code"]) == (403, 3001)
    assert answer.json()["data"] == {"reason": "download_limit", "limit": 5}


def test_an_ended_membership_is_restriction_three(server: Server, visitor: Visitor) -> None:
    make_member(server, visitor.sign_in(server.log)["id"], days=-1)
    key = visitor.upload()
    many = visitor.create(key, visitor.upload())
    assert (many.status_code, many.json()["code"]) == (403, 403)
    assert many.json()["data"] == {"reason": "membership_expired", "restriction": 3, "limit": 1}
    for _ in range(5):
        visitor.task(key)
    assert visitor.create(key).json()["data"] == {"reason": "membership_expired", "restriction": 3}
    rights = visitor.data(RIGHTS)
    assert (rights["allowed"], rights["restriction"], rights["remainingTries"]) == (False, 3, 0)


def test_a_members_tasks_go_on_when_the_membership_ends(server: Server, visitor: Visitor) -> None:
    account = visitor.sign_in(server.log)["id"]
    make_member(server, account, days=1)
    task = visitor.task(visitor.upload(), visitor.upload())
    end_membership(server, account)
    assert visitor.view(task)["status"] == 99
    assert visitor.data(RIGHTS)["remainingTries"] == 5, "what a member did takes no free try"


def test_a_visitors_waiting_task_goes_first_once_a_member_signs_in(server: Server, visitor: Visitor) -> None:
    member, name = Visitor(server.address), f"someone@{secrets.token_hex(6)}.example"
    make_member(server, member.sign_in(server.log, name)["id"], days=1)
    task = visitor.task()
    queue.connect().delete(*queue.connect().keys("sent:*"))
    visitor.sign_in(server.log, name)
    found = queue.find(task)
    assert found and found.rank == "member"


def test_an_accounts_fault_of_ours_is_given_back(server: Server, visitor: Visitor, tmp_path: Path) -> None:
    key = visitor.upload()
    early = visitor.task(key)
    visitor.sign_in(server.log)
    late = visitor.task(key)
    assert visitor.data(RIGHTS)["remainingTries"] == 3
    for task in (early, late):
        end_task(task, tmp_path, status=Status.ABNORMAL)
    assert visitor.data(RIGHTS)["remainingTries"] == 5


def test_an_address_bounds_visitors_not_accounts() -> None:
    address = secrets.token_hex(8)
    for _ in range(30):
        take(Tries.today(Caller(secrets.token_hex(8), "visitor", address)))
    with pytest.raises(queue.Spent):
        take(Tries.today(Caller(secrets.token_hex(8), "visitor", address)))
    account = Tries.today(Caller(secrets.token_hex(8), "user", address))
    take(account)
    assert left(account) == 4
