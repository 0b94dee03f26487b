"""What a cell's text means to a spreadsheet: a number, a date or text, and how it is shown."""

import re
from dataclasses import dataclass
from datetime import date

#: Excel keeps fifteen digits; longer numbers are names of things.
_DIGITS = 15
_NUMBER = re.compile(
    r"(?P<open>\()?(?P<sign>[-−–+])?\s?(?P<money>[¥￥$€£])?\s?(?P<sign2>[-−])?"
    r"(?P<whole>\d{1,3}(?:,\d{3})+|\d+)(?:\.(?P<part>\d+))?\s?(?P<after>[%％元€]|)(?P<close>\))?"
)
_LEADING = re.compile(r"(?<![\d.,])0+(?=\d)")
_DATE = re.compile(r"(?P<year>(?:19|20)\d\d)(?P<mark>[-/.年])(?P<month>\d{1,2})(?:[-/.]|月)(?P<day>\d{1,2})日?")


@dataclass(frozen=True)
class Value:
    """`value` for the sheet, `form` as Excel writes number formats ("" for text)."""

    value: str | float | int | date
    form: str = ""


def value_of(text: str) -> Value:
    """What `text` means; whatever is not surely a number or a date stays text, as it is."""
    bare = " ".join(text.split())
    return _date(bare) or _number(bare) or Value(text)


def number_of(text: str) -> Value:
    """What `text` means where somebody said that it is a number: zeros that lead it do not matter."""
    bare = " ".join(text.split())
    return value_of(_LEADING.sub("", bare)) if bare else Value(text)


def _date(text: str) -> Value | None:
    found = _DATE.fullmatch(text)
    if not found or (found["mark"] == "年") != ("月" in text):
        return None
    try:
        day = date(int(found["year"]), int(found["month"]), int(found["day"]))
    except ValueError:
        return None
    forms = {"-": "yyyy-mm-dd", "/": "yyyy/m/d", ".": "yyyy.mm.dd", "年": 'yyyy"年"m"月"d"日"'}
    return Value(day, forms[found["mark"]])


def _number(text: str) -> Value | None:
    found = _NUMBER.fullmatch(text)
    if not found or bool(found["open"]) != bool(found["close"]):
        return None
    whole, part = found["whole"].replace(",", ""), found["part"] or ""
    if len(whole + part) > _DIGITS or (len(whole) > 1 and whole[0] == "0"):
        return None
    negative = bool(found["open"] or found["sign"] in ("-", "−", "–") or found["sign2"])
    value: float | int = float(f"{whole}.{part}") if part else int(whole)
    value = -value if negative else value
    if found["after"] in ("%", "％"):
        return Value(round(value / 100, len(part) + 4), _decimals("0", part) + "%")
    return Value(value, _form(found, part))


def _form(found: re.Match[str], part: str) -> str:
    plain = _decimals("#,##0" if "," in found["whole"] else "0", part)
    if found["money"]:
        plain = f'"{found["money"]}"{plain}'
    if found["after"]:
        plain = f'{plain}"{found["after"]}"'
    return f"{plain};({plain})" if found["open"] else plain


def _decimals(form: str, part: str) -> str:
    return f"{form}.{'0' * len(part)}" if part else form


def harmless(text: str) -> str:
    """Text that no spreadsheet takes for a formula when it reads it from a plain file."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") and not value_of(text).form else text
