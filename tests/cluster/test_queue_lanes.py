"""Shares of one plan that run in different lanes: each waits its turn where it runs, whoever else waits there."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster import queue
from cluster.store import store
from cluster.task import Input, Outcome, Status, Task
from cluster.worker.perform import perform
from cluster.worker.sandbox import Sandbox
from tests.cluster.boxed import boxed
from tests.cluster.queued import claimed, good, make, owners_of, queued, unique

pytestmark = pytest.mark.usefixtures("no_waiting")


def spread(lane: str, *lanes: str, owner: str = "a", **more: str) -> Task:
    """A planned task of which the plan is over; a share for each of `lanes`."""
    task = queued(lane, planned=True, owner=owner, **more)
    plan = claimed(lane)
    queue.spread(plan, [{"first": number, "lane": each} for number, each in enumerate(lanes)])
    queue.done(plan, Outcome(Status.SUCCESS))
    return task


def test_a_share_is_claimed_in_the_lane_it_names():
    own, other = unique("own", "other")
    task = spread(own, "", other, own, other)
    assert [claimed(own).part for _ in range(2)] == [1, 3]
    assert [claimed(other).part for _ in range(2)] == [2, 4]
    assert (queue.claim(own, "one"), queue.claim(other, "one")) == (None, None)
    assert queue.find(task.id).share_of(2)["lane"] == other


def test_the_last_share_ends_the_task_whatever_its_lane():
    own, other = unique("own", "other")
    spread(own, own, other)
    held = claimed(other)
    assert queue.done(held, good(held)) is None
    held = claimed(own)
    assert queue.done(held, good(held)).status is Status.SUCCESS


def test_a_share_whose_process_died_goes_back_to_its_lane():
    own, other = unique("own", "other")
    task = spread(own, other)
    held = claimed(other)
    queue.release(held, "one")
    assert queue.place(queue.find(task.id)) == 0
    assert (queue.claim(own, "one"), claimed(other).fence) == (None, 2)


def test_shares_take_turns_with_those_who_wait_in_their_lane():
    own, other = unique("own", "other")
    spread(own, *[other] * 20)
    queued(other, parts=3, owner="b")
    queued(own, owner="c")
    assert owners_of(other, 8) == "abababaa"
    assert owners_of(own, 1) == "c"


@pytest.mark.parametrize(("in_own", "in_other"), [("bc", "b"), ("b", "bc"), ("bcd", "bc")])
def test_the_place_is_that_of_the_lane_where_it_comes_first(in_own: str, in_other: str):
    """Parts that came back are at the front of their owner's list, but their owner had the last turn."""
    own, other = unique("own", "other")
    task = spread(own, own, other)
    for lane, owners in ((own, in_own), (other, in_other)):
        held = claimed(lane)
        for owner in owners:
            queued(lane, owner=owner)
        queue.release(held, "one")
    assert queue.place(queue.find(task.id)) == min(len(in_own), len(in_other))


def test_waiting_shares_fill_the_bounds_of_their_own_lane():
    own, other = unique("own", "other")
    (owner,) = unique("owner")
    spread(own, *[other] * 30, owner=owner)
    room = queue.Room(own=20, lane=1000)
    with pytest.raises(queue.Full) as full:
        queue.put(make(other, owner=owner), room)
    assert full.value.own
    assert queue.put(make(own, owner=owner), room)
    tight = queue.Room(own=1000, lane=8)
    queued(other, parts=8, owner="b")
    with pytest.raises(queue.Full) as full:
        queue.put(make(other, parts=9, owner="c"), queue.Room(own=1000, lane=2))
    assert not full.value.own
    assert queue.put(make(own, owner="c"), tight)


def test_a_deleted_task_waits_nowhere():
    own, other = unique("own", "other")
    task = spread(own, own, other)
    queue.forget(task)
    assert (queue.depth(own), queue.depth(other)) == (0, 0)


def test_who_signs_in_takes_the_shares_of_all_lanes_along():
    own, other = unique("own", "other")
    visitor, account = unique("visitor", "account")
    task = spread(own, own, other, owner=visitor)
    assert queue.adopt(visitor, account, "member") == 1
    for lane in (own, other):
        held = claimed(lane)
        assert (held.task, held.stream) == (task.id, queue.lane_stream(lane, "member"))


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    with boxed(tmp_path_factory.mktemp("job"), "tests.cluster.misbehave") as made:
        yield made


def planned(box: Sandbox, tmp_path: Path, *lanes: str) -> Task:
    """The task after its plan, which wants a share in each of `lanes`, ran in a sandbox."""
    (tmp_path / "a.txt").write_text("some words")
    kept = store().put(f"uploads/x/y/{secrets.token_hex(8)}", tmp_path / "a.txt")
    task = Task(
        id=secrets.token_hex(20),
        owner="x",
        tool=9002,
        lane=secrets.token_hex(4),
        rank="guest",
        language="en",
        options={"do": "environment", "arguments": list(lanes)},
        inputs=(Input(kept.key, "a.txt", kept.size, kept.etag),),
        status=Status.BE_QUEUING,
        parts=1,
        planned=True,
        created=queue.now_ms(),
    )
    queue.put(task)
    perform(claimed(task.lane), "one", box)
    return queue.find(task.id)


def test_a_plan_in_the_sandbox_sends_its_share_to_another_lane(box, tmp_path):
    task = planned(box, tmp_path, "", "ocr")
    for lane in (task.lane, "ocr"):
        held = claimed(lane)
        assert held.task == task.id
        perform(held, "one", box)
    ended = queue.find(task.id)
    assert (ended.status, len(ended.outputs)) == (Status.SUCCESS, 2)


def test_a_plan_cannot_make_lanes_up(box, tmp_path):
    ended = planned(box, tmp_path, "", "no lane of ours")
    assert (ended.status, ended.trouble.reason) == (Status.ABNORMAL, "internal")
