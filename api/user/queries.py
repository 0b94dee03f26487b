"""What callers send about users."""

from typing import Annotated, Literal

from pydantic import Field

from api.body import Given

_Account = Annotated[str, Field(min_length=1, max_length=300)]
_Code = Annotated[str, Field(min_length=1, max_length=20, repr=False)]
_Ticket = Annotated[str, Field(min_length=1, max_length=100)]


class SendQuery(Given):
    """`account` may be left out by who has signed in: their own is meant."""

    account: _Account | None = None


class LoginQuery(Given):
    account: _Account
    pwd: _Code


class PasswordQuery(Given):
    pwd: _Code


class TicketQuery(Given):
    qr_id: _Ticket


class ConfirmQuery(TicketQuery):
    step: Literal["scan", "confirm", "refuse"] = "confirm"
