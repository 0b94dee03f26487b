"""Membership's ledger by itself: months on China's calendar, and what remains of which grant."""

from datetime import datetime

import pytest

from api.member.membership import CHINA, add_months


def ms(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=CHINA).timestamp() * 1000)


@pytest.mark.parametrize(
    ("start", "months", "end"),
    [
        ("2026-11-21T15:00:00", 1, "2026-12-21T15:00:00"),
        ("2026-01-31T00:00:00", 1, "2026-02-28T00:00:00"),
        ("2028-01-31T23:59:59", 1, "2028-02-29T23:59:59"),
        ("2026-11-30T12:00:00", 3, "2027-02-28T12:00:00"),
        ("2026-12-31T12:00:00", 12, "2027-12-31T12:00:00"),
        ("2028-02-29T01:00:00", 12, "2029-02-28T01:00:00"),
        # In China it is the first of March already, in Greenwich still February.
        ("2027-03-01T07:00:00", 1, "2027-04-01T07:00:00"),
    ],
)
def test_months_are_calendar_months_in_china(start: str, months: int, end: str) -> None:
    assert add_months(ms(start), months) == ms(end)
    assert add_months(ms(start) + 123, months) == ms(end) + 123
