"""Fair shares: who waits beside somebody's big batch, as a guest beside members, or signs in meanwhile."""

import secrets
import threading
from collections import Counter
from dataclasses import replace

import pytest

from cluster import queue
from cluster.task import Outcome, Status
from tests.cluster.queued import claimed, good, make, owners_of, queued, silence, unique

pytestmark = pytest.mark.usefixtures("no_waiting")


def test_one_document_does_not_wait_for_somebodys_twenty():
    lane = secrets.token_hex(4)
    queued(lane, parts=20, owner="a")
    queued(lane, owner="b")
    assert owners_of(lane, 21) == "ab" + "a" * 19


def test_who_comes_while_a_batch_runs_is_next():
    lane = secrets.token_hex(4)
    queued(lane, parts=20, owner="a")
    assert owners_of(lane, 3) == "aaa"
    queued(lane, owner="b")
    assert owners_of(lane, 2) == "ba"


def test_a_plans_shares_take_turns_with_others():
    lane = secrets.token_hex(4)
    queued(lane, planned=True, owner="a")
    plan = claimed(lane)
    queue.spread(plan, [{"first": number} for number in range(40)])
    queue.done(plan, Outcome(Status.SUCCESS))
    queued(lane, parts=3, owner="b")
    assert owners_of(lane, 8) == "bababaaa"


def test_three_owners_get_equal_shares():
    lane = secrets.token_hex(4)
    for owner, tasks, parts in (("a", 1, 30), ("b", 15, 2), ("c", 30, 1)):
        for _ in range(tasks):
            queued(lane, parts, owner=owner)
    assert Counter(owners_of(lane, 30)) == {"a": 10, "b": 10, "c": 10}


def test_steady_newcomers_do_not_starve_a_batch():
    lane = secrets.token_hex(4)
    queued(lane, parts=10, owner="a")
    for number in range(9):
        queued(lane, owner=f"n{number}")
        assert sorted(owners_of(lane, 2)) == ["a", "n"]


def test_a_lane_is_filled_by_many_not_by_one():
    """16 places: of each owner two parts count, as owners take turns; so the ninth owner is sent away."""
    lane, room = secrets.token_hex(4), queue.Room(own=60, lane=16)
    for number in range(8):
        assert queue.put(make(lane, parts=50, owner=f"o{number}"), room)
    with pytest.raises(queue.Full) as full:
        queue.put(make(lane, owner="late"), room)
    assert not full.value.own
    assert queue.put(make(lane, parts=10, owner="o1"), room), "who waits already delays nobody"
    with pytest.raises(queue.Full) as full:
        queue.put(make(lane, owner="o1"), room)
    assert full.value.own
    while queue.waiting(lane, "guest")[0] > 400:  # what runs counts, too
        claimed(lane)
    with pytest.raises(queue.Full):
        queue.put(make(lane, owner="late"), room)


def test_a_put_costs_the_same_however_many_wait():
    lane, room = secrets.token_hex(4), queue.Room(own=60, lane=1_000)
    costs = []
    for number in range(200):
        before = looked_at()
        assert queue.put(make(lane, owner=f"o{number}"), room)
        costs.append(looked_at() - before)
    assert len(set(costs)) == 1


def looked_at() -> int:
    """How many lists Redis has told the length of."""
    return int(queue.connect().info("commandstats").get("cmdstat_llen", {"calls": 0})["calls"])


def test_what_a_release_before_did_not_count_is_found_out():
    """Lanes that its slots and APIs used beside ours: never is a lane full that is not, and at last it is counted."""
    lane, room = secrets.token_hex(4), queue.Room(own=60, lane=16)
    counter = f"{queue.lane_stream(lane, 'guest')}:waiting"
    for miscounted in (-3, 0, 99):
        assert queue.put(make(lane, owner="a"), room) and queue.put(make(lane, owner="b"), room)
        queue.connect().set(counter, miscounted)
        assert queue.put(make(lane, owner="c"), room)
        assert owners_of(lane, 3) == "abc"
        assert queue.put(make(lane, owner="d"), room) and queue.connect().get(counter) == "1"
        assert owners_of(lane, 1) == "d"


def test_a_refused_task_leaves_nothing():
    lane, (owner,) = secrets.token_hex(4), unique("full")
    room = queue.Room(own=1, lane=16)
    assert queue.put(make(lane, parts=3, owner=owner), room)
    late = make(lane, owner=owner)
    with pytest.raises(queue.Full):
        queue.put(late, room)
    assert queue.find(late.id) is None and len(queue.of_owner(owner)) == 1 and queue.depth(lane) == 3
    assert queue.put(late) and not queue.put(late, room), "its id is there already"


@pytest.mark.parametrize("members", [1, 4])
def test_every_fourth_claim_is_a_guests(members: int):
    lane = secrets.token_hex(4)
    for number in range(members):
        queued(lane, parts=24 // members, rank="member", owner=f"m{number}")
    queued(lane, parts=20, owner="g")
    assert owners_of(lane, 16) == "mmmg" * 4


def test_idle_slots_asking_do_not_use_up_turns():
    lane = secrets.token_hex(4)
    assert [queue.claim(lane, "one") for _ in range(2)] == [None, None]
    queued(lane, parts=4, rank="member", owner="m")
    queued(lane, owner="g")
    assert owners_of(lane, 5) == "mmmgm"


@pytest.mark.parametrize("claims", range(6))
def test_the_place_tells_exactly_how_many_go_before(claims: int):
    """Guests and members, batches and single documents, whatever has been claimed before."""
    lane = secrets.token_hex(4)
    tasks = [
        queued(lane, parts, rank=rank, owner=owner)
        for owner, rank, parts in [
            ("a", "guest", 4),
            ("b", "guest", 1),
            ("m", "member", 5),
            ("a", "guest", 2),
            ("n", "member", 2),
            ("c", "guest", 3),
            ("m", "member", 1),
        ]
    ]
    owners_of(lane, claims)
    waiting = [task for task in tasks if queue.find(task.id).status is Status.BE_QUEUING]
    told = {task.id: queue.place(queue.find(task.id)) for task in waiting}
    seen: dict[str, int] = {}
    for number in range(queue.depth(lane)):
        seen.setdefault(claimed(lane).task, number)
    assert told == {task.id: seen[task.id] for task in waiting}


def test_a_visitors_tasks_become_the_accounts():
    lane, (old, new) = secrets.token_hex(4), unique("visitor", "account")
    over = queued(lane, owner=old)
    queue.done(held := claimed(lane), good(held))
    runs = queued(lane, owner=old)
    held = claimed(lane)
    waits = queued(lane, owner=old)
    mine = queued(lane, owner=new)
    results = queue.find(over.id).results
    assert queue.adopt(old, new) == 3
    assert queue.of_owner(old) == []
    assert set(queue.of_owner(new)) == {over.id, runs.id, waits.id, mine.id}
    assert {queue.find(task).owner for task in queue.of_owner(new)} == {new}
    assert queue.find(over.id).results == results
    assert queue.renew(held, "one")
    assert queue.done(held, good(held)).owner == new
    assert [claimed(lane).task for _ in range(2)] == [mine.id, waits.id]


def test_signing_in_as_a_member_goes_first():
    lane, (old, new) = secrets.token_hex(4), unique("visitor", "account")
    queued(lane, parts=3, owner="g")
    mine = queued(lane, parts=2, owner=old)
    assert queue.place(queue.find(mine.id)) == 1
    queue.adopt(old, new, "member")
    assert queue.place(queue.find(mine.id)) == 0
    queue.release(claimed(lane), "one")
    assert {claimed(lane).task for _ in range(2)} == {mine.id}


def test_signing_in_tells_whoever_watches():
    lane, (old, new) = secrets.token_hex(4), unique("visitor", "account")
    task = queued(lane, owner=old)
    with queue.connect().pubsub() as channel:
        channel.subscribe(f"events:{task.id}")
        assert channel.get_message(timeout=5)["type"] == "subscribe"
        queue.adopt(old, new)
        assert channel.get_message(timeout=5)["data"] == "adopt"


def test_signing_in_while_slots_work_loses_nothing():
    """Four slots empty the lane, of which every third claim dies, while the owner changes again and again."""
    lane, owners = secrets.token_hex(4), unique("a", "b")
    tasks = [queued(lane, parts=5, owner=owners[0]).id for _ in range(20)]
    ended: list[str] = []
    moved: list[int] = []
    turns = [threading.Thread(target=empty, args=(lane, f"slot{number}", ended, moved)) for number in range(4)]
    for turn in turns:
        turn.start()
    while any(turn.is_alive() for turn in turns):
        moved.append(queue.adopt(*owners[:: 1 if len(moved) % 2 == 0 else -1]))
    assert sorted(ended) == sorted(tasks)
    assert set(moved) == {len(tasks)}
    assert {task for owner in owners for task in queue.of_owner(owner)} == set(tasks)
    assert queue.depth(lane) == 0


def empty(lane: str, slot: str, ended: list[str], moved: list[int]) -> None:
    """Work as a slot does until nothing waits or runs; a fast one waits now and then for the owner to change."""
    while queue.depth(lane):
        if len(ended) // 4 > len(moved):
            continue
        held = queue.claim(lane, slot)
        if held and held.fence == 1 and held.part % 3 == 1:
            queue.release(held, slot)
        elif held and (task := queue.done(held, good(held, slot))):
            ended.append(task.id)


def test_a_slot_of_an_older_release_leaves_what_it_does_not_know():
    """New work waits for a new slot; the old one's own goes on meanwhile, and every owner has his turn."""
    (lane,) = unique("mixed")
    new = replace(make(lane, owner="a"), tool=99)
    queue.put(new)
    queue.put(make(lane, parts=2, owner="b"))
    queue.put(make(lane, parts=2, owner="c"))
    order = [queue.find(queue.claim(lane, "old", [16]).task).owner for _ in range(4)]
    assert order == ["b", "c", "b", "c"]
    assert queue.claim(lane, "old", [16]) is None
    assert queue.claim(lane, "new", [16, 99]).task == new.id


def test_what_a_newer_slot_left_is_given_back_by_an_older_one():
    (lane,) = unique("left")
    new = replace(make(lane), tool=99)
    queue.put(new)
    held = queue.claim(lane, "new", [16, 99])
    silence(held, "new")
    assert queue.claim(lane, "old", [16]) is None
    again = queue.claim(lane, "newer", [16, 99])
    assert (again.task, again.fence) == (new.id, 2)
    assert queue.done(again, good(again)).status is Status.SUCCESS
