"""Membership: a ledger of what accounts were granted, passed on and gave back.

Months are calendar months in China. Time is used up oldest grant first, so what remains belongs to the newest.
Functions that take a session append rows; their caller has locked the accounts (`lock`).
"""

import time
from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from typing_extensions import TypedDict

from api.database import reading
from api.member import packages
from api.member.lately import changes, remember
from api.member.records import MembershipEvent, Preorder
from api.problems import Refusal
from api.user.accounts import Account
from cluster.words import Language

CHINA = timezone(timedelta(hours=8))


@dataclass(frozen=True)
class Standing:
    """How an account stands now; `expires_at` in ms, None when it never was a member."""

    expires_at: int | None = None
    package: str | None = None

    @property
    def active(self) -> bool:
        return self.expires_at is not None and self.expires_at > now_ms()

    @property
    def expired(self) -> bool:
        return self.expires_at is not None and not self.active


class MemberView(TypedDict):
    """A standing on the wire: `expiresAt` in ms and `packageName` are null for who never was a member."""

    active: bool
    expired: bool
    expiresAt: int | None
    packageName: str | None


@dataclass(frozen=True)
class Rest:
    """What remains of one grant: whole seconds, a begun one counted. `received`: it came from another account."""

    preorder: str
    package: str
    seconds: int
    received: bool


async def standing(account: str) -> Standing:
    """The account's standing: its newest row tells."""
    async with reading() as session:
        newest = await _newest(session, account)
    return Standing(newest.expires_at, newest.package) if newest else Standing()


async def lately(account: str, told: str | None) -> Standing:
    """The same, seconds ago at most. `told` is what Redis remembers (api.member.lately), None when it does not."""
    if told:
        end, _, package = told.partition(" ")
        return Standing(int(end) if end else None, package or None)
    found = await standing(account)
    if told is None:
        await remember(account, f"{found.expires_at or ''} {found.package or ''}")
    return found


def member_view(found: Standing, language: Language) -> MemberView:
    """How a membership stands, for its owner."""
    return {
        "active": found.active,
        "expired": found.expired,
        "expiresAt": found.expires_at,
        "packageName": packages.name(found.package, language) if found.package else None,
    }


async def lock(session: AsyncSession, *accounts: str | None) -> set[str]:
    """Lock these accounts until the transaction ends; those that exist. Always first, in one order."""
    names = sorted(each for each in accounts if each)
    # Not against new rows that only name the account: whoever adds one may hold what we want next.
    chosen = select(Account.id).where(Account.id.in_(names)).order_by(Account.id).with_for_update(key_share=True)
    return set((await session.execute(chosen)).scalars())


async def grant(session: AsyncSession, account: str, preorder: Preorder, now: int) -> None:
    """Append the preorder's months to the account's membership."""
    start = max(now, await _end(session, account))
    seconds = (add_months(start, preorder.months) - start) // 1000
    await _add(session, account, "granted", Rest(preorder.id, preorder.package, seconds, received=False), now)


async def take_back(session: AsyncSession, preorder: str, now: int) -> None:
    """Take what remains of the preorder's grant from who holds it now, also when nothing does."""
    holder = await holder_of(session, preorder)
    if holder is None:
        return
    found = [each for each in await remaining(session, holder, now) if each.preorder == preorder]
    for each in found:
        gone = Rest(each.preorder, each.package, -each.seconds, each.received)
        await _add(session, holder, "refunded", gone, now)


async def pass_on(session: AsyncSession, sender: str, receiver: str, now: int) -> int:
    """Move what remains of the sender's own grants; when the receiver's membership then ends (ms).

    Raises Refusal when nothing remains of them: what was received once is not passed on again.
    """
    moved = passable(await remaining(session, sender, now))
    if not moved:
        raise Refusal("nothing_to_transfer")
    for each in moved:
        await _add(session, sender, "sent", Rest(each.preorder, each.package, -each.seconds, received=False), now)
        await _add(session, receiver, "received", each, now)
    return await _end(session, receiver)


def passable(rests: list[Rest]) -> list[Rest]:
    """Those that may be passed on."""
    return [each for each in rests if each.seconds > 0 and not each.received]


async def remaining(session: AsyncSession, account: str, now: int) -> list[Rest]:
    """What remains of every grant that the account holds, oldest first."""
    chosen = select(MembershipEvent).where(MembershipEvent.account_id == account).order_by(MembershipEvent.id)
    rows = list((await session.execute(chosen)).scalars())
    gone = {row.preorder_id for row in rows if row.kind in ("sent", "refunded")}
    left, found = max(0, (rows[-1].expires_at if rows else 0) - now), []
    for row in reversed(rows):
        if row.preorder_id not in gone:
            taken = min(left, row.seconds * 1000)
            left -= taken
            found.append(Rest(row.preorder_id, row.package, -(-taken // 1000), row.kind == "received"))
    return found[::-1]


async def holder_of(session: AsyncSession, preorder: str) -> str | None:
    """The account that holds the preorder's grant, None when nobody does any more."""
    chosen = (
        select(MembershipEvent.account_id)
        .where(MembershipEvent.preorder_id == preorder, MembershipEvent.kind.in_(("granted", "received")))
        .order_by(MembershipEvent.id.desc())
        .limit(1)
    )
    return (await session.execute(chosen)).scalar_one_or_none()


def add_months(start: int, months: int) -> int:
    """`start` (ms) so many calendar months later in China; the 31st becomes a shorter month's last day."""
    day = datetime.fromtimestamp(start // 1000, UTC).astimezone(CHINA)
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    last = monthrange(year, month + 1)[1]
    later = day.replace(year=year, month=month + 1, day=min(day.day, last))
    return int(later.timestamp()) * 1000 + start % 1000


def now_ms() -> int:
    return time.time_ns() // 1_000_000


async def _newest(session: AsyncSession, account: str) -> MembershipEvent | None:
    chosen = (
        select(MembershipEvent)
        .where(MembershipEvent.account_id == account)
        .order_by(MembershipEvent.id.desc())
        .limit(1)
    )
    return (await session.execute(chosen)).scalar_one_or_none()


async def _end(session: AsyncSession, account: str) -> int:
    newest = await _newest(session, account)
    return newest.expires_at if newest else 0


async def _add(session: AsyncSession, account: str, kind: str, change: Rest, now: int) -> None:
    end = await _end(session, account)
    start = max(end, now) if change.seconds > 0 else end
    changes(session, account)
    session.add(
        MembershipEvent(
            account_id=account,
            preorder_id=change.preorder,
            kind=kind,
            package=change.package,
            seconds=change.seconds,
            expires_at=start + change.seconds * 1000,
            at=now,
        )
    )
    await session.flush()
