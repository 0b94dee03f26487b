"""Account names: an e-mail address or a mobile number, brought to one form and shown masked."""

import re
import unicodedata

from api.problems import Refusal

_BETWEEN = re.compile(r"[\s\-().\u00b7]")
_CHINA = re.compile(r"(?:\+?86|0086)?(1[3-9]\d{9})", re.ASCII)
_ABROAD = re.compile(r"(?:\+|00)([1-9]\d{6,14})", re.ASCII)
_LOCAL = re.compile(r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*", re.ASCII)
_DOMAIN = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]", re.ASCII)
#: Characters of an address and of the part before its @, as mail servers take them.
_LONGEST, _LONGEST_LOCAL = 254, 64


def account_name(typed: str) -> str:
    """The one form of what was typed: `a@example.com` or `+8613800000000`. Raises Refusal account_invalid."""
    plain = unicodedata.normalize("NFKC", typed).strip()
    found = _mail(plain.lower()) if "@" in plain else _mobile(plain)
    if found is None:
        raise Refusal("account_invalid")
    return found


def is_mail(name: str) -> bool:
    """Whether the account is an e-mail address; else it is a mobile number."""
    return "@" in name


def masked(name: str) -> str:
    """`a***@example.com`, `138****0000`, `+44****1234`: enough for its owner to know it again."""
    if is_mail(name):
        return f"{name[0]}***@{name.partition('@')[2]}"
    number = name.removeprefix("+86")
    return f"{number[:3]}****{number[-4:]}"


def _mail(plain: str) -> str | None:
    local, _, domain = plain.rpartition("@")
    try:
        host = domain.encode("idna").decode() if not domain.isascii() else domain
    except UnicodeError:
        return None
    fits = len(local) <= _LONGEST_LOCAL and len(local) + len(host) < _LONGEST
    return f"{local}@{host}" if fits and _LOCAL.fullmatch(local) and _DOMAIN.fullmatch(host) else None


def _mobile(plain: str) -> str | None:
    digits = _BETWEEN.sub("", plain)
    if home := _CHINA.fullmatch(digits):
        return f"+86{home[1]}"
    abroad = _ABROAD.fullmatch(digits)
    return f"+{abroad[1]}" if abroad and not abroad[1].startswith("86") else None
