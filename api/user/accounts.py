"""Accounts: who signs in. The id is also the owner of the account's tasks and files."""

import secrets

from sqlalchemy import BigInteger, String, delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, mapped_column

from api.caller import new_id
from api.database import Base, reading, scrub, writing
from cluster.queue import now_ms
from cluster.words import Language


class Account(Base):
    """One person. `name` is the e-mail address or mobile number, normalised; `created_at` in ms."""

    __tablename__ = "account"

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    name: Mapped[str] = mapped_column(String(254), unique=True)
    nickname: Mapped[str] = mapped_column(String(40))
    created_at: Mapped[int] = mapped_column(BigInteger)


async def by_id(account: str) -> Account | None:
    async with reading() as session:
        return await session.get(Account, account)


async def by_name(name: str) -> Account | None:
    async with reading() as session:
        return (await session.execute(select(Account).where(Account.name == name))).scalar_one_or_none()


async def find_or_create(name: str, language: Language) -> Account:
    """The account of this (normalised) name; it begins to exist when it is first needed."""
    found = await by_name(name)
    if found:
        return found
    made = Account(id=new_id(), name=name, nickname=_nickname(language), created_at=now_ms())
    try:
        async with writing() as session:
            session.add(made)
    except IntegrityError:
        # Another request made it a moment before; without one this is a fault.
        found = await by_name(name)
        if found is None:
            raise
        return found
    return made


async def erase(account: str) -> None:
    """Delete the row; orders and ledgers keep theirs without the name."""
    async with writing() as session:
        await session.execute(delete(Account).where(Account.id == account))
    await scrub()


def _nickname(language: Language) -> str:
    number = secrets.randbelow(9000) + 1000
    return f"纸鹤{number}" if language == "zh" else f"Crane {number}"
