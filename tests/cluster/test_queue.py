"""The queue step by step: fences, poison, ranks, places, plans, batches, forgetting."""

import json
import secrets
import threading
import time
from dataclasses import replace

import pytest

from cluster import queue
from cluster.task import CLAIMS, Input, Outcome, Status, Trouble
from tests.cluster.queued import claimed, good, make, queued, silence
from tests.stack import wait_for

pytestmark = pytest.mark.usefixtures("no_waiting")


def test_a_late_word_is_refused():
    lane = secrets.token_hex(4)
    task = make(lane)
    queue.put(task)
    late = queue.claim(lane, "one")
    silence(late, "one")
    queue.claim(lane, "two")
    queue.tell(late, 0.9, "writing")
    assert queue.done(late, good(late, "late")) is None
    assert queue.find(task.id).outcomes == {}
    assert queue.find(task.id).progress == 0


def test_the_fourth_claim_is_poison():
    lane = secrets.token_hex(4)
    queue.put(make(lane))
    for _ in range(CLAIMS):
        held = queue.claim(lane, "one")
        assert not queue.poisoned(held)
        queue.release(held, "one")
    assert queue.poisoned(queue.claim(lane, "one"))


def test_a_released_task_is_seen_waiting_again():
    lane = secrets.token_hex(4)
    task = make(lane)
    queue.put(task)
    held = queue.claim(lane, "one")
    assert queue.find(task.id).status is Status.PROCESSING
    queue.release(held, "one")
    assert queue.find(task.id).status is Status.BE_QUEUING


def test_the_place_in_the_queue_counts_who_is_before():
    lane = secrets.token_hex(4)
    tasks = [make(lane) for _ in range(4)]
    for task in tasks:
        queue.put(task)
    assert [queue.place(queue.find(task.id)) for task in tasks] == [0, 1, 2, 3]
    queue.claim(lane, "one")
    assert [queue.place(queue.find(task.id)) for task in tasks] == [0, 0, 1, 2]


def test_a_plan_spreads_into_shares_and_all_must_succeed():
    lane = secrets.token_hex(4)
    task = make(lane, planned=True)
    queue.put(task)
    plan = queue.claim(lane, "one")
    queue.spread(plan, [{"first": 1}, {"first": 5}])
    assert queue.done(plan, Outcome(Status.SUCCESS)) is None
    one, two = queue.claim(lane, "one"), queue.claim(lane, "one")
    assert queue.find(task.id).shares == ({"first": 1}, {"first": 5})
    queue.done(one, good(one, "one"))
    assert queue.find(task.id).progress == 0.5
    ended = queue.done(two, Outcome(Status.FAIL, trouble=Trouble("damaged_file")))
    assert ended.status is Status.FAIL
    assert ended.trouble.reason == "damaged_file"


def test_one_bad_file_does_not_spoil_the_others():
    lane = secrets.token_hex(4)
    queue.put(make(lane, parts=2))
    one, two = queue.claim(lane, "one"), queue.claim(lane, "one")
    queue.done(one, Outcome(Status.FAIL, trouble=Trouble("damaged_file", {}, 0)))
    ended = queue.done(two, good(two, "two"))
    assert ended.status is Status.SUCCESS
    assert ended.outcomes[0].trouble.reason == "damaged_file"
    assert len(ended.outputs) == 1


def test_forgetting_a_task_ends_its_claim():
    lane = secrets.token_hex(4)
    task = make(lane)
    queue.put(task)
    held = queue.claim(lane, "one")
    assert queue.renew(held, "one")
    queue.forget(queue.find(task.id))
    assert not queue.renew(held, "one")
    assert queue.done(held, good(held, "x")) is None


def test_deleting_a_queued_task_takes_its_parts_out_of_the_lane():
    lane = secrets.token_hex(4)
    gone, stays = queued(lane, parts=3), queued(lane)
    queue.forget(queue.find(gone.id))
    assert queue.depth(lane) == 1
    assert claimed(lane).task == stays.id


def test_two_parts_given_back_at_once_both_come_again():
    lane = secrets.token_hex(4)
    task = queued(lane, parts=2)
    one, two = claimed(lane, "one"), claimed(lane, "two")
    queue.release(one, "one")
    queue.release(two, "two")
    assert {claimed(lane).part, claimed(lane).part} == {0, 1}
    assert queue.find(task.id).status is Status.PROCESSING


def test_a_late_slot_does_not_take_the_part_from_its_successor():
    """The late one speaks, then the successor dies too: a third slot must still find the part."""
    lane = secrets.token_hex(4)
    queued(lane)
    late = claimed(lane, "one")
    silence(late, "one")
    successor = claimed(lane, "two")
    queue.done(late, good(late))
    queue.release(late, "one")
    assert queue.renew(successor, "two")
    assert not queue.renew(late, "one")
    silence(successor, "two")
    third = claimed(lane, "three")
    assert third.fence == 3
    assert queue.done(third, good(third)).status is Status.SUCCESS


def test_a_part_given_back_comes_before_its_owners_other_parts():
    lane = secrets.token_hex(4)
    queued(lane, parts=3)
    queue.release(claimed(lane), "one")
    assert [claimed(lane).part for _ in range(3)] == [0, 1, 2]


def test_the_age_of_what_waits():
    lane = secrets.token_hex(4)
    assert queue.waiting(lane, "guest") == (0, 0)
    first = queued(lane, owner="a", parts=2)
    queued(lane, owner="b")
    assert queue.waiting(lane, "guest") == (3, first.created)
    assert queue.waiting(lane, "member") == (0, 0)
    claimed(lane)
    assert queue.running(lane, "guest") == 1
    assert queue.depth(lane) == 3


def test_an_idle_slot_wakes_when_work_comes(monkeypatch):
    """Well before the time is over after which it looks again by itself."""
    monkeypatch.setattr(queue, "BLOCK_MS", 4000)
    lane, found = secrets.token_hex(4), []
    slot = threading.Thread(target=lambda: found.append(queue.claim(lane, "one")))
    slot.start()
    wait_for(asleep)
    began = time.monotonic()
    task = queued(lane)
    slot.join()
    assert found[0].task == task.id
    assert time.monotonic() - began < 2


def asleep() -> bool:
    """Whether a slot waits in Redis for a lane's bell."""
    return any(each["cmd"] == "blpop" and "b" in each["flags"] for each in queue.connect().client_list())


def test_words_rest_sealed_and_older_records_are_read() -> None:
    """An installation that is brought up to date goes on with the tasks that it had."""
    mark = secrets.token_hex(8)
    task = replace(
        make("seal" + mark), options={"text": f"机密 {mark}"}, inputs=(Input("uploads/a/b/c", f"{mark}.pdf", 1, "e"),)
    )
    queue.put(task)
    held = claimed(task.lane)
    queue.done(held, Outcome(Status.FAIL, trouble=Trouble("damaged_file", {"file": f"{mark}.pdf"}, 0)))
    raw = queue.connect().hgetall(f"task:{task.id}")
    assert mark not in str({name: value for name, value in raw.items() if name != "lane"})
    found = queue.find(task.id)
    assert found and found.trouble and found.trouble.facts == {"file": f"{mark}.pdf"}
    plain = {"options": json.dumps({"text": "old"}), "inputs": json.dumps([vars(task.inputs[0])])}
    queue.connect().hset(f"task:{task.id}", mapping=plain)
    older = queue.find(task.id)
    assert older and (older.options, older.inputs) == ({"text": "old"}, task.inputs)
