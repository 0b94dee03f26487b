"""Orders and membership under any sequence of events, compared with a model that uses time up day by day.

The model keeps each account's grants as a list, oldest first, and eats from its front; the ledger keeps one
running end. The gateway is the sandbox; its notifications are signed and checked. Time passes by moving
everything that is stored into the past.
"""

import asyncio
import os
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import func, select, text

import api.settings
from api import database
from api.caller import new_id
from api.member import asking, membership, notify, orders, packages, refund, sandbox
from api.member.membership import now_ms
from api.member.records import MembershipEvent, Order
from api.member.wallet import Bill
from api.member.wallets import wallets
from api.problems import Refusal
from api.user import accounts
from cluster.queue import connect
from tests.examples import examples

T = TypeVar("T")
DAY = 86_400_000
#: A begun second counts as whole when it is passed on; and the test itself takes time.
NEAR = 60_000
UNPAID, PAID, CLOSED, REFUNDED = 1, 2, 3, 4
WHO = st.integers(0, 2)
#: Few orders, so that many things happen to each.
FEW = precondition(lambda machine: len(machine.orders) < 8)


@dataclass
class Grant:
    preorder: str
    left: int
    received: bool = False


@dataclass
class Person:
    id: str
    grants: list[Grant] = field(default_factory=list)
    ever: bool = False
    gone: bool = False

    def live(self, passed: int) -> None:
        """Use up `passed` ms, oldest grant first."""
        for grant in self.grants:
            used = min(grant.left, passed)
            grant.left -= used
            passed -= used


@dataclass
class Bought:
    number: str
    wallet: Any
    preorder: str
    person: Person
    status: int = UNPAID
    #: What the gateway has: open, paid, closed, refunded.
    till: str = "open"
    ever_paid: bool = False
    granted: bool = False
    expired: bool = False


class Money(RuleBasedStateMachine):
    runner: asyncio.Runner
    bought = Bundle("bought")

    def __init__(self) -> None:
        super().__init__()
        self.people: list[Person] = []
        self.orders: list[Bought] = []

    def run(self, what: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(what)

    @initialize()
    def three_people(self) -> None:
        for _ in range(3):
            made = self.run(accounts.find_or_create(f"{new_id()}@example.com", "en"))
            self.people.append(Person(made.id))

    @FEW
    @rule(target=bought, who=WHO, package=st.sampled_from(("month", "quarter", "year")), both=st.booleans())
    def buy(self, who: int, package: str, both: bool) -> Any:
        person = self.people[who]
        if person.gone:
            return multiple()
        made = self.run(orders.make_preorder(person.id, packages.package(package)))
        return multiple(*(self._order(made.id, wallet, person) for wallet in ("alipay", "weixin")[: 1 + both]))

    def _order(self, preorder: str, wallet: Any, person: Person) -> Bought:
        channel = {"alipay": "page", "weixin": "native"}[wallet]
        order = self.run(orders.order_for(preorder, wallet, channel))
        bill = Bill(
            order.number, order.amount, "t", channel, order.expires_at, "http://h/n", "http://h/r", "http://h/e"
        )
        self.run(wallets()[wallet].create(bill))
        self.orders.append(Bought(order.number, wallet, preorder, person))
        return self.orders[-1]

    @FEW
    @rule(
        target=bought,
        who=WHO,
        package=st.sampled_from(("month", "quarter")),
        wallet=st.sampled_from(("alipay", "weixin")),
    )
    def buy_and_have(self, who: int, package: str, wallet: str) -> Any:
        """The usual way, so that memberships pile up."""
        person = self.people[who]
        if person.gone:
            return multiple()
        order = self._order(self.run(orders.make_preorder(person.id, packages.package(package))).id, wallet, person)
        self.pay(order)
        self.notified(order, 1)
        return order

    @FEW
    @rule(target=bought, who=WHO)
    def both_wallets_pay(self, who: int) -> Any:
        person = self.people[who]
        if person.gone:
            return multiple()
        preorder = self.run(orders.make_preorder(person.id, packages.package("month"))).id
        pair = [self._order(preorder, wallet, person) for wallet in ("alipay", "weixin")]
        for order in pair:
            self.pay(order)
            self.notified(order, 2)
        return multiple(*pair)

    @rule(order=bought)
    def order_again(self, order: Bought) -> None:
        """The same order, unless it was paid, its price is no longer kept, or nobody is there to pay for."""
        sold = any(each.status in (PAID, REFUNDED) for each in self.orders if each.preorder == order.preorder)
        gone, channel = order.person.gone, {"alipay": "page", "weixin": "native"}[order.wallet]
        try:
            assert self.run(orders.order_for(order.preorder, order.wallet, channel)).number == order.number
            assert not gone and not sold and not order.expired and order.status == UNPAID
        except Refusal as refusal:
            why = "preorder_unknown" if gone else "already_paid" if sold else "preorder_expired"
            assert refusal.reason == why
            assert gone or sold or order.expired or order.status == CLOSED

    @rule(order=bought)
    def pay(self, order: Bought) -> None:
        """At the gateway; we know nothing of it yet."""
        assert sandbox.pay(order.number) == (order.till == "open")
        if order.till == "open":
            order.till, order.ever_paid = "paid", True

    @rule(order=bought)
    def the_gateway_opens_again(self, order: Bought) -> None:
        """Money on its way when the order was closed."""
        if order.till == "closed":
            connect().hset(f"sandbox:{order.number}", "state", "open")
            order.till = "open"

    @rule(order=bought, times=st.integers(1, 4))
    def notified(self, order: Bought, times: int) -> None:
        slip = sandbox.find(order.number)
        if not order.ever_paid or slip is None:
            return
        sent = [sandbox.notification(slip) for _ in range(times)]

        async def deliver() -> list[int]:
            low = [(body, {name.lower(): value for name, value in headers.items()}) for body, headers in sent]
            return [
                each.status for each in await asyncio.gather(*(notify.receive(order.wallet, *each) for each in low))
            ]

        assert self.run(deliver()) == [200] * times
        self._believed(order)

    @rule(order=bought)
    def forged(self, order: Bought) -> None:
        slip = sandbox.find(order.number)
        assert slip
        body, headers = sandbox.notification(slip)
        low = {name.lower(): value for name, value in headers.items()}
        answer = self.run(notify.receive(order.wallet, body.replace(b"SUCCESS", b"FINISHED") + b" ", low))
        assert answer.body != "success" and "SUCCESS" not in answer.body

    @rule(order=bought)
    def asked(self, order: Bought) -> None:
        found = self.run(orders.find_order(order.number))
        assert found
        self.run(asking.ask(found))
        if order.till == "paid":
            self._believed(order)
        elif order.till != "open" or order.expired:
            order.till = "closed" if order.till == "open" else order.till
            order.status = CLOSED if order.status == UNPAID else order.status

    def _believed(self, order: Bought) -> None:
        if order.status in (PAID, REFUNDED):
            return
        sold = any(each.status in (PAID, REFUNDED) for each in self.orders if each.preorder == order.preorder)
        order.status = PAID
        if not sold and not order.person.gone:
            order.granted = order.person.ever = True
            order.person.grants.append(Grant(order.preorder, self._bought_ms(order.preorder)))

    def _bought_ms(self, preorder: str) -> int:
        """What the calendar made of the months; the calendar has tests of its own."""

        async def look() -> MembershipEvent:
            chosen = select(MembershipEvent).where(MembershipEvent.preorder_id == preorder)
            async with database.reading() as session:
                return (await session.execute(chosen)).scalar_one()

        row = self.run(look())
        start = row.expires_at - row.seconds * 1000
        months = {28: 1, 29: 1, 30: 1, 31: 1, 89: 3, 90: 3, 91: 3, 92: 3, 365: 12, 366: 12}[row.seconds // 86400]
        assert membership.add_months(start, months) == row.expires_at
        return row.seconds * 1000

    @rule(minutes=st.sampled_from((10, 31, 60 * 24 * 5, 60 * 24 * 20, 60 * 24 * 45)))
    def time_passes(self, minutes: int) -> None:
        passed = minutes * 60_000
        columns = {
            "membership_event": ("at", "expires_at"),
            "orders": ("created_at", "expires_at", "paid_at"),
            "preorder": ("created_at", "expires_at"),
        }

        async def shift() -> None:
            async with database.writing() as session:
                for table, names in columns.items():
                    changes = ", ".join(f"{name} = {name} - :passed" for name in names)
                    await session.execute(text(f"UPDATE {table} SET {changes}"), {"passed": passed})

        self.run(shift())
        for person in self.people:
            person.live(passed)
        for order in self.orders:
            order.expired = order.expired or minutes > 30 or self._is_over(order)

    def _is_over(self, order: Bought) -> bool:
        found = self.run(orders.find_order(order.number))
        return bool(found and found.expires_at <= now_ms())

    @rule(order=bought)
    def refunded(self, order: Bought) -> None:
        if order.status != PAID:
            with pytest.raises(SystemExit) if order.status != REFUNDED else _nothing():
                self.run(refund.refund(order.number))
            return
        self.run(refund.refund(order.number))
        order.status, order.till = REFUNDED, "refunded"
        if order.granted:
            for person in self.people:
                person.grants = [grant for grant in person.grants if grant.preorder != order.preorder]

    @rule(giver=WHO, taker=WHO)
    def passed_on(self, giver: int, taker: int) -> None:
        one, other = self.people[giver], self.people[taker]
        if giver == taker or one.gone or other.gone:
            return

        async def move() -> None:
            async with database.writing() as session:
                await membership.lock(session, one.id, other.id)
                await membership.pass_on(session, one.id, other.id, now_ms())

        moved = [grant for grant in one.grants if grant.left > NEAR and not grant.received]
        if not moved:
            if not any(grant.left for grant in one.grants if not grant.received):
                with pytest.raises(Refusal, match="nothing_to_transfer"):
                    self.run(move())
            return
        self.run(move())
        one.grants = [grant for grant in one.grants if grant.received or grant not in moved]
        other.grants += [Grant(grant.preorder, grant.left, received=True) for grant in moved]
        other.ever = True

    @precondition(lambda self: len(self.orders) > 5 and not any(person.gone for person in self.people))
    @rule(who=WHO)
    def erased(self, who: int) -> None:
        person = self.people[who]
        if not person.gone:
            self.run(accounts.erase(person.id))
            person.gone, person.grants = True, []

    @invariant()
    def memberships_are_the_models(self) -> None:
        for person in self.people:
            found = self.run(membership.standing(person.id))
            if person.gone or not person.ever:
                assert found.expires_at is None
                continue
            assert found.expires_at is not None
            left = max(0, found.expires_at - now_ms())
            assert abs(left - sum(grant.left for grant in person.grants)) < NEAR, person

    @invariant()
    def orders_are_the_models(self) -> None:
        async def look() -> tuple[dict[str, int], int]:
            async with database.reading() as session:
                numbers = [each.number for each in self.orders]
                rows = await session.execute(select(Order.number, Order.status).where(Order.number.in_(numbers)))
                twice = (
                    select(MembershipEvent.preorder_id)
                    .where(MembershipEvent.kind == "granted")
                    .group_by(MembershipEvent.preorder_id)
                    .having(func.count() > 1)
                )
                return {row.number: row.status for row in rows}, len((await session.execute(twice)).all())

        statuses, twice = self.run(look())
        assert statuses == {each.number: each.status for each in self.orders} and twice == 0


class _nothing:
    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...


@pytest.fixture(params=["sqlite", "postgresql"])
def own_database(request: pytest.FixtureRequest, tmp_path: Any, redis_server: str) -> Iterator[str]:
    """A database for this process alone, and a loop on which it is used."""
    if request.param == "sqlite":
        url = f"sqlite+aiosqlite:///{tmp_path / 'money.db'}"
    else:
        url = request.getfixturevalue("new_postgres")()
    before = os.environ.get("PAPERCRANE_API_DATABASE")
    os.environ["PAPERCRANE_API_DATABASE"] = url
    for cached in (api.settings.settings, database.engine):
        cached.cache_clear()
    database.migrate()
    with asyncio.Runner() as runner:
        Money.runner = runner
        yield request.param
        runner.run(database.close())
    os.environ.pop("PAPERCRANE_API_DATABASE")
    if before:
        os.environ["PAPERCRANE_API_DATABASE"] = before
    api.settings.settings.cache_clear()


def test_any_sequence_of_events(own_database: str) -> None:
    drawn = examples({"sqlite": 30, "postgresql": 6}[own_database])
    chosen = settings(
        max_examples=drawn, stateful_step_count=50, deadline=None, suppress_health_check=list(HealthCheck)
    )
    run_state_machine_as_test(Money, settings=chosen)  # type: ignore[no-untyped-call]
