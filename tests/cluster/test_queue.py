"""The queue as a state machine: whatever dies and however late it speaks, every task ends once."""

import secrets

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from cluster import queue
from cluster.queue import Claim
from cluster.task import CLAIMS, Input, Made, Outcome, Status, Task, Trouble

SLOTS = ("one", "two")


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    monkeypatch.setattr(queue, "BLOCK_MS", 1)


def make(lane: str, parts: int = 1, rank: str = "guest", planned: bool = False) -> Task:
    files = tuple(Input(f"uploads/me/g/{number}", f"{number}.pdf", 10, "e") for number in range(parts))
    return Task(
        id=secrets.token_hex(16),
        owner="me",
        tool=16,
        lane=lane,
        rank=rank,
        language="zh",
        options={},
        inputs=files,
        status=Status.CREATE,
        parts=1 if planned else parts,
        planned=planned,
        created=queue.now_ms(),
    )


def good(held: Claim, word: str) -> Outcome:
    return Outcome(Status.SUCCESS, [Made(word, "a.pdf", 1, "pdf", 1, held.part)])


def silence(held: Claim, slot: str) -> None:
    """Make the claim look as old as a dead slot's."""
    queue.connect().xclaim(held.stream, queue.GROUP, slot, 0, [held.message], idle=10**8, justid=True)


class Deliveries(RuleBasedStateMachine):
    """Tasks of several parts, two slots, deaths, late words."""

    claims = Bundle("claims")

    def __init__(self) -> None:
        super().__init__()
        self.lane = "test" + secrets.token_hex(6)
        self.tasks: list[str] = []
        self.ended: dict[str, int] = {}

    @rule(parts=st.integers(1, 3), rank=st.sampled_from(queue.RANKS))
    def put(self, parts, rank):
        task = make(self.lane, parts, rank)
        queue.put(task)
        self.tasks.append(task.id)

    @rule(target=claims, slot=st.sampled_from(SLOTS))
    def claim(self, slot):
        return slot, queue.claim(self.lane, slot)

    @rule(each=claims)
    def tell(self, each):
        if each[1]:
            queue.tell(each[1], 0.5, "working")

    @rule(each=consumes(claims), fine=st.booleans())
    def done(self, each, fine):
        slot, held = each
        if held:
            bad = Outcome(Status.FAIL, trouble=Trouble("damaged_file", {}, held.part))
            self.count(queue.done(held, good(held, f"{slot}{held.fence}") if fine else bad))

    @rule(each=consumes(claims))
    def die(self, each):
        if each[1]:
            silence(each[1], each[0])

    @rule(each=claims)
    def die_but_speak_later(self, each):
        if each[1]:
            silence(each[1], each[0])

    @rule(each=consumes(claims))
    def give_back(self, each):
        if each[1]:
            queue.release(each[1], each[0])

    @invariant()
    def nothing_ends_twice(self):
        assert all(times == 1 for times in self.ended.values())

    def count(self, task):
        if task:
            self.ended[task.id] = self.ended.get(task.id, 0) + 1

    def teardown(self):
        """Let one healthy slot work on: everything accepted must end."""
        self._wake_the_dead()
        for _ in range(queue.depth(self.lane) + len(self.tasks) * CLAIMS):
            held = queue.claim(self.lane, "healthy") if queue.depth(self.lane) else None
            if held:
                self.count(queue.done(held, good(held, "healthy")))
        states = [queue.find(task) for task in self.tasks]
        assert all(task.status.ended and len(task.outcomes) == task.parts for task in states), states
        assert self.ended == dict.fromkeys(self.tasks, 1)
        assert queue.depth(self.lane) == 0

    def _wake_the_dead(self):
        for rank in queue.RANKS:
            stream = queue.lane_stream(self.lane, rank)
            if not queue.connect().exists(stream) or not queue.connect().xinfo_groups(stream):
                continue  # nobody has claimed from it yet
            for each in queue.connect().xpending_range(stream, queue.GROUP, "-", "+", 100):
                silence(Claim("", 0, stream, each["message_id"], 0), each["consumer"])


Deliveries.TestCase.settings = settings(
    max_examples=20, stateful_step_count=15, deadline=None, suppress_health_check=list(HealthCheck)
)
TestDeliveries = Deliveries.TestCase


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


def test_members_go_first_and_guests_are_not_starved():
    lane = secrets.token_hex(4)
    guests, members = [make(lane) for _ in range(3)], [make(lane, rank="member") for _ in range(9)]
    for task in guests + members:
        queue.put(task)
    order = [queue.claim(lane, "one").task for _ in range(12)]
    ranks = ["member" if task in {each.id for each in members} else "guest" for task in order]
    assert ranks[0] == "member"
    assert ranks.index("guest") <= queue.GUEST_TURN
    assert ranks[:8].count("member") >= 5


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
