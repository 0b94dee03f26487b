"""The queue as a state machine: whatever dies, is deleted, or changes its owner, every task ends once."""

import secrets

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from cluster import queue
from cluster.queue import Claim
from cluster.task import Outcome, Status, Trouble
from tests.cluster.queued import good, queued, silence
from tests.examples import examples

SLOTS = ("one", "two")
OWNERS = ("ann", "bob", "cyd")


@pytest.fixture(autouse=True)
def at_once(no_waiting: None) -> None:
    pass


class Deliveries(RuleBasedStateMachine):
    """Tasks of several parts and owners, plans over two lanes, two slots, deaths, late words, deletions, sign-ins."""

    claims = Bundle("claims")

    def __init__(self) -> None:
        super().__init__()
        self.lane = "test" + secrets.token_hex(6)
        self.lanes = (self.lane, self.lane + "b")
        self.shares = [{"first": 1}, {"first": 2, "lane": self.lanes[1]}, {"first": 3}]
        self.tasks: list[str] = []
        self.planned: set[str] = set()
        self.ended: dict[str, int] = {}
        self.owners = {name: name + self.lane for name in OWNERS}

    @rule(parts=st.integers(1, 3), rank=st.sampled_from(queue.RANKS), owner=st.sampled_from(OWNERS), plan=st.booleans())
    def put(self, parts, rank, owner, plan):
        task = queued(self.lane, parts, rank, plan, self.owners[owner]).id
        self.tasks.append(task)
        self.planned |= {task} if plan else set()

    @rule(target=claims, slot=st.sampled_from(SLOTS), lane=st.integers(0, 1))
    def claim(self, slot, lane):
        held = queue.claim(self.lanes[lane], slot)
        assert held is None or held.lane == self.lanes[lane] == self.lane_of(held.task, held.part)
        return (slot, held) if held else multiple()

    @rule(each=claims)
    def tell(self, each):
        queue.tell(each[1], 0.5, "working")

    @rule(each=consumes(claims), fine=st.booleans())
    def done(self, each, fine):
        slot, held = each
        self.count(self.end(held, f"{slot}{held.fence}", fine))

    @rule(each=claims)
    def spread_and_die(self, each):
        slot, held = each
        task = queue.find(held.task)
        if task and task.planned and held.part == 0:
            queue.spread(held, self.shares)
            silence(held, slot)

    @rule(each=consumes(claims))
    def die(self, each):
        silence(each[1], each[0])

    @rule(each=claims)
    def die_but_speak_later(self, each):
        silence(each[1], each[0])

    @rule(each=consumes(claims))
    def give_back(self, each):
        queue.release(each[1], each[0])

    @rule(old=st.sampled_from(OWNERS), new=st.sampled_from(OWNERS), rank=st.sampled_from((None, *queue.RANKS)))
    def sign_in(self, old, new, rank):
        had = queue.of_owner(self.owners[old]), queue.of_owner(self.owners[new])
        moved = queue.adopt(self.owners[old], self.owners[new], rank)
        if old != new:
            assert moved == len(had[0])
            assert queue.of_owner(self.owners[old]) == []
            assert sorted(queue.of_owner(self.owners[new])) == sorted(had[0] + had[1])

    @rule(which=st.integers(0, 30))
    def delete(self, which):
        if which < len(self.tasks):
            gone = self.tasks.pop(which)
            queue.forget(queue.find(gone))
            self.ended.pop(gone, None)

    @invariant()
    def nothing_ends_twice(self):
        assert all(times == 1 for times in self.ended.values())

    @invariant()
    def who_waits_has_one_turn(self):
        for ranked in self.streams():
            prefix = f"{ranked}:of:"
            waiting = {key.removeprefix(prefix) for key in queue.connect().scan_iter(f"{prefix}*", count=1000)}
            turns = queue.connect().lrange(f"{ranked}:owners", 0, -1)
            assert sorted(turns) == sorted(waiting)

    @invariant()
    def those_who_wait_are_counted(self):
        for ranked in self.streams():
            lists = queue.connect().scan_iter(f"{ranked}:of:*", count=1000)
            assert int(queue.connect().get(f"{ranked}:waiting") or 0) == sum(map(queue.connect().llen, lists))

    @invariant()
    def each_part_waits_once_and_in_its_lane(self):
        waiting = []
        for ranked in self.streams():
            for owner in queue.connect().lrange(f"{ranked}:owners", 0, -1):
                for item in queue.connect().lrange(f"{ranked}:of:{owner}", 0, -1):
                    task, part = item.split()[0], int(item.split()[1])
                    assert ranked.split(":")[1] == self.lane_of(task, part)
                    assert queue.connect().hget(f"task:{task}", "owner") == owner
                    waiting.append((task, part))
        assert len(set(waiting)) == len(waiting)

    @invariant()
    def the_place_is_a_place(self):
        for task in self.tasks:
            assert 0 <= queue.place(queue.find(task)) < max(1, *map(queue.depth, self.lanes))

    def streams(self):
        return [queue.lane_stream(lane, rank) for lane in self.lanes for rank in queue.RANKS]

    def lane_of(self, task, part):
        named = self.shares[part - 1].get("lane") if task in self.planned and part else None
        return named or self.lane

    def end(self, held, word, fine=True):
        task = queue.find(held.task)
        if task and task.planned and held.part == 0 and fine:
            queue.spread(held, self.shares)
            return queue.done(held, Outcome(Status.SUCCESS))
        bad = Outcome(Status.FAIL, trouble=Trouble("damaged_file", {}, held.part))
        return queue.done(held, good(held, word) if fine else bad)

    def count(self, task):
        if task:
            self.ended[task.id] = self.ended.get(task.id, 0) + 1

    def teardown(self):
        """Let one healthy slot work on: everything accepted must end."""
        self._wake_the_dead()
        for _ in range(500):
            for lane in self.lanes:
                held = queue.claim(lane, "healthy") if queue.depth(lane) else None
                if held:
                    self.count(self.end(held, "healthy"))
        states = [queue.find(task) for task in self.tasks]
        assert all(task.status.ended and len(task.outcomes) == task.parts for task in states), states
        assert self.ended == dict.fromkeys(self.tasks, 1)
        assert [queue.depth(lane) for lane in self.lanes] == [0, 0]

    def _wake_the_dead(self):
        for stream in self.streams():
            if not queue.connect().exists(stream) or not queue.connect().xinfo_groups(stream):
                continue  # nobody has claimed from it yet
            for each in queue.connect().xpending_range(stream, queue.GROUP, "-", "+", 100):
                silence(Claim("", 0, self.lane, stream, each["message_id"], 0), each["consumer"])


Deliveries.TestCase.settings = settings(
    max_examples=examples(40), stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
)
TestDeliveries = Deliveries.TestCase
