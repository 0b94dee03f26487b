"""AWS Signature Version 4: reading and checking a request's, and making our own.

Knows requests only as plain values; which keys exist is asked from the caller of `check`.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import quote, unquote, urlsplit

from cluster.numbers import whole

ALGORITHM = "AWS4-HMAC-SHA256"
UNSIGNED = "UNSIGNED-PAYLOAD"
SKEW = timedelta(minutes=15)
LONGEST = 7 * 86400
_TIME = "%Y%m%dT%H%M%SZ"
_MOMENT = re.compile(r"[0-9]{8}T[0-9]{6}Z")
_AUTHORIZATION = re.compile(
    rf"{ALGORITHM}\s+Credential=(?P<credential>[^,\s]+),\s*SignedHeaders=(?P<headers>[^,\s]+),\s*Signature=(?P<mark>\w+)"
)


class Unsigned(Exception):
    """The signature does not hold; `code` is S3's word for why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


@dataclass(frozen=True)
class Request:
    """What a signature covers. `path` as sent (percent-encoded), `query` decoded, header names in lower case."""

    method: str
    path: str
    query: Sequence[tuple[str, str]]
    headers: Mapping[str, str]

    @property
    def asked(self) -> dict[str, str]:
        return dict(self.query)


@dataclass(frozen=True)
class Scope:
    """`20261121/us-east-1/s3/aws4_request`."""

    date: str
    region: str
    service: str = "s3"

    def __str__(self) -> str:
        return f"{self.date}/{self.region}/{self.service}/aws4_request"


@dataclass(frozen=True)
class Signature:
    """A signature as found in a request, not checked yet."""

    key: str
    scope: Scope
    moment: datetime
    signed: tuple[str, ...]
    mark: str
    token: str
    payload: str
    expires: int | None = None


@dataclass(frozen=True)
class Keys:
    """Whose signature we make."""

    key: str
    secret: str = field(repr=False)
    token: str = field(default="", repr=False)


def read(request: Request) -> Signature:
    """The signature in the query or in the header. Raises Unsigned."""
    try:
        return _from_query(request) if "X-Amz-Signature" in request.asked else _from_header(request)
    except (KeyError, ValueError):
        raise Unsigned("AccessDenied", "The request is not signed, or not completely.") from None


def _from_query(request: Request) -> Signature:
    asked = request.asked
    if asked["X-Amz-Algorithm"] != ALGORITHM:
        raise ValueError
    key, scope = _credential(asked["X-Amz-Credential"])
    return Signature(
        key,
        scope,
        _moment(asked["X-Amz-Date"]),
        tuple(asked["X-Amz-SignedHeaders"].split(";")),
        asked["X-Amz-Signature"],
        asked.get("X-Amz-Security-Token", ""),
        asked.get("X-Amz-Content-Sha256", UNSIGNED),
        whole(asked["X-Amz-Expires"]),
    )


def _from_header(request: Request) -> Signature:
    found = _AUTHORIZATION.fullmatch(request.headers["authorization"].strip())
    if found is None:
        raise ValueError
    key, scope = _credential(found["credential"])
    return Signature(
        key,
        scope,
        _moment(request.headers["x-amz-date"]),
        tuple(found["headers"].split(";")),
        found["mark"],
        request.headers.get("x-amz-security-token", ""),
        request.headers["x-amz-content-sha256"],
    )


def _credential(text: str) -> tuple[str, Scope]:
    key, date, region, service, end = text.rsplit("/", 4)
    if service != "s3" or end != "aws4_request":
        raise ValueError
    return key, Scope(date, region)


def _moment(text: str) -> datetime:
    if not _MOMENT.fullmatch(text):
        raise ValueError
    return datetime.strptime(text, _TIME).replace(tzinfo=UTC)


def check(request: Request, found: Signature, secret: str, now: datetime) -> None:
    """Raises Unsigned unless `found` was made with `secret` and is of this time."""
    _check_time(found, now)
    if "host" not in found.signed:
        raise Unsigned("AccessDenied", "The Host header must be signed.")
    mark = sign(request, found, secret)
    if not hmac.compare_digest(mark.encode(), found.mark.encode()):
        raise Unsigned("SignatureDoesNotMatch", "The signature does not match.")


def _check_time(found: Signature, now: datetime) -> None:
    if found.moment.strftime("%Y%m%d") != found.scope.date:
        raise Unsigned("AccessDenied", "The date of the scope is another.")
    early = found.moment - now > SKEW
    if found.expires is None:
        if early or now - found.moment > SKEW:
            raise Unsigned("RequestTimeTooSkewed", "The clocks differ too much.")
    elif early or not 0 < found.expires <= LONGEST or now > found.moment + timedelta(seconds=found.expires):
        raise Unsigned("AccessDenied", "The request has expired.")


def sign(request: Request, found: Signature, secret: str) -> str:
    """The mark that `secret` makes for `request`."""
    text = "\n".join((ALGORITHM, found.moment.strftime(_TIME), str(found.scope), _sha256(_canonical(request, found))))
    return hmac.new(signing_key(secret, found.scope), text.encode(), hashlib.sha256).hexdigest()


def signing_key(secret: str, scope: Scope) -> bytes:
    """The key of one day, region and service."""
    key = b"AWS4" + secret.encode()
    for part in (scope.date, scope.region, scope.service, "aws4_request"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key


def _canonical(request: Request, found: Signature) -> str:
    pairs = sorted((_encode(name), _encode(value)) for name, value in request.query if name != "X-Amz-Signature")
    headers = "".join(f"{name}:{' '.join(request.headers.get(name, '').split())}\n" for name in found.signed)
    return "\n".join(
        (
            request.method,
            quote(unquote(request.path), safe="/-_.~"),
            "&".join(f"{name}={value}" for name, value in pairs),
            headers,
            ";".join(found.signed),
            found.payload,
        )
    )


def presign(
    keys: Keys, method: str, url: str, *, region: str, seconds: int, now: datetime, query: Mapping[str, str]
) -> str:
    """`url` signed in its query for `seconds`."""
    split = urlsplit(url)
    scope = Scope(now.strftime("%Y%m%d"), region)
    asked = {
        "X-Amz-Algorithm": ALGORITHM,
        "X-Amz-Credential": f"{keys.key}/{scope}",
        "X-Amz-Date": now.strftime(_TIME),
        "X-Amz-Expires": str(seconds),
        "X-Amz-SignedHeaders": "host",
        **query,
    }
    if keys.token:
        asked["X-Amz-Security-Token"] = keys.token
    request = Request(method, split.path, list(asked.items()), {"host": split.netloc})
    found = Signature(keys.key, scope, now.replace(microsecond=0), ("host",), "", "", UNSIGNED, seconds)
    asked["X-Amz-Signature"] = sign(request, found, keys.secret)
    return f"{url}?" + "&".join(f"{_encode(name)}={_encode(value)}" for name, value in asked.items())


def authorize(keys: Keys, url: str, body: bytes, *, region: str, service: str, now: datetime) -> dict[str, str]:
    """Headers that sign a POST of a form to `url`."""
    split, scope = urlsplit(url), Scope(now.strftime("%Y%m%d"), region, service)
    headers = {
        "content-type": "application/x-www-form-urlencoded; charset=utf-8",
        "host": split.netloc,
        "x-amz-date": now.strftime(_TIME),
    }
    names = tuple(sorted(headers))
    request = Request("POST", split.path or "/", (), headers)
    found = Signature(keys.key, scope, now, names, "", "", hashlib.sha256(body).hexdigest())
    mark = sign(request, found, keys.secret)
    credential = f"Credential={keys.key}/{scope}, SignedHeaders={';'.join(names)}, Signature={mark}"
    return headers | {"authorization": f"{ALGORITHM} {credential}"}


def _encode(text: str) -> str:
    return quote(text, safe="-_.~")


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
