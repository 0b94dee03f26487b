"""Accounts: who signs in. The id is also the owner of the account's tasks and files."""

from sqlalchemy import BigInteger, String
from sqlalchemy.orm import Mapped, mapped_column

from api.database import Base


class Account(Base):
    """One person. `name` is the e-mail address or mobile number, normalised; `created_at` in ms."""

    __tablename__ = "account"

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    name: Mapped[str] = mapped_column(String(254), unique=True)
    nickname: Mapped[str] = mapped_column(String(40))
    created_at: Mapped[int] = mapped_column(BigInteger)
