"""The only reader of the environment in api; every variable begins with PAPERCRANE_API_."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Literal

from cluster.numbers import whole
from cluster.settings import with_files

ROOT = Path(__file__).resolve().parent.parent
MIB = 1 << 20
Rank = Literal["visitor", "user", "member"]
PREFIX = "PAPERCRANE_API_"
#: Hosts beginning so are a site of their own: one tool, nothing else.
SUB_SITES = ("pdf", "compress", "merge", "pdf2word")


@dataclass(frozen=True)
class Rights:
    """What one rank may do. None means unlimited.

    documents: results of one task; tries: tasks a day; bytes: of one file; pages: of one document;
    downloads: of one result; queue: the rank of its parts in a lane.
    """

    documents: int
    tries: int | None
    bytes: int
    pages: int
    downloads: int | None
    queue: Literal["guest", "member"]


@dataclass(frozen=True)
class Settings:
    """What an operator may set; the defaults serve one machine's own browser.

    hosts: public host names (a sub-site's prefix may stand before each); other hosts get 421.
    cors: origins of other sites that may call, exactly as browsers write them.
    site: the built site. cookie_domain: empty binds the cookies to the host that set them.
    proxies: how many proxies before us write X-Forwarded-For (0: none is believed).
    address_tries: free tries a day from one client address; address_grants: grants to
    upload an hour to it; address_bytes, address_files: what they may hold together (members are not bound by these).
    address_codes, address_guesses, address_tickets, address_visitors: one-time passwords sent, wrong ones typed,
    sign-in QR codes and anonymous identities an hour for one client address. An address is an IPv6 client's /64.
    address_streams: live event streams of a client address in one process. address_connections: its open
    connections (not behind proxies, which are every client's address and count for themselves).
    mail: server for one-time passwords, `smtps://user:password@host` or `smtp://…`; mail_from: its sender.
    text: gateway for text messages, `https://:token@host/path`.
    sts_role, sts_endpoint: with the S3 store, whom upload credentials are asked from.
    database: SQLAlchemy's URL (empty: SQLite in the data folder).
    metrics_token: who sends it as bearer may read /metrics from elsewhere than this machine.
    packages: the file of membership packages. public_url: scheme and host of the site, under which people and
    gateways reach us (needed with merchant keys); the site's build reads it, too. pay_late: seconds after which
    an unpaid order is asked for at its gateway.
    alipay_*, weixin_*: a merchant's account; *_key and *_public_key are files. Without any of them the
    wallet is a sandbox. weixin_public_key (with its id) or, without, the platform's certificates.
    weixin_secret: the official account's, for paying inside WeChat (empty: its pages pay there as elsewhere);
    weixin_accounts: where its codes are exchanged.
    visitor, user, member: one limit each by PAPERCRANE_API_<RANK>_<LIMIT>, `unlimited` where it may be.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "[::1]")
    cors: tuple[str, ...] = ()
    site: Path = ROOT / "site" / "dist"
    cookie_domain: str = ""
    proxies: int = 0
    address_tries: int = 30
    address_grants: int = 300
    address_bytes: int = 64 << 30
    address_files: int = 6000
    address_codes: int = 30
    address_guesses: int = 50
    address_tickets: int = 300
    address_visitors: int = 2000
    address_streams: int = 500
    address_connections: int = 1000
    mail: str = field(default="", repr=False)
    mail_from: str = ""
    text: str = field(default="", repr=False)
    sts_role: str = ""
    sts_endpoint: str = ""
    database: str = field(default="", repr=False)
    metrics_token: str = field(default="", repr=False)
    packages: Path = ROOT / "api" / "member" / "packages.toml"
    public_url: str = ""
    pay_late: int = 60
    alipay_app_id: str = ""
    alipay_seller_id: str = ""
    alipay_key: str = ""
    alipay_public_key: str = ""
    alipay_gateway: str = "https://openapi.alipay.com/gateway.do"
    weixin_app_id: str = ""
    weixin_mchid: str = ""
    weixin_serial: str = ""
    weixin_key: str = ""
    weixin_api_key: str = field(default="", repr=False)
    weixin_public_key: str = ""
    weixin_public_key_id: str = ""
    weixin_gateway: str = "https://api.mch.weixin.qq.com"
    weixin_secret: str = field(default="", repr=False)
    weixin_accounts: str = "https://api.weixin.qq.com"
    visitor: Rights = field(default=Rights(1, 3, 100 * MIB, 2000, 5, "guest"))
    user: Rights = field(default=Rights(1, 5, 200 * MIB, 2000, 5, "guest"))
    member: Rights = field(default=Rights(50, None, 4096 * MIB, 20_000, None, "member"))

    def rights(self, rank: Rank) -> Rights:
        """The limits of `rank`."""
        return {"visitor": self.visitor, "user": self.user, "member": self.member}[rank]


def read(given: Mapping[str, str]) -> Settings:
    """Settings from PAPERCRANE_API_<NAME>; a value that does not fit names its variable."""
    environment = with_files(given)
    values: dict[str, object] = {}
    for name, default in vars(Settings()).items():
        variable = PREFIX + name.upper()
        if isinstance(default, Rights):
            values[name] = _rights(environment, variable, default)
        elif variable in environment:
            values[name] = _convert(variable, environment[variable], default)
    return Settings(**values)  # type: ignore[arg-type]


def _rights(environment: Mapping[str, str], variable: str, default: Rights) -> Rights:
    changed: dict[str, int | None] = {}
    for limit in fields(Rights):
        name = f"{variable}_{limit.name.upper()}"
        if limit.name != "queue" and name in environment:
            changed[limit.name] = _limit(name, environment[name], optional=limit.name in ("tries", "downloads"))
    return replace(default, **changed)  # type: ignore[arg-type]


def _limit(variable: str, text: str, *, optional: bool) -> int | None:
    if optional and text == "unlimited":
        return None
    try:
        return whole(text)
    except ValueError:
        words = "a whole number" + " or unlimited" * optional
        raise SystemExit(f"{variable}={text!r} does not fit; expected {words}") from None


def _convert(variable: str, text: str, default: object) -> object:
    if isinstance(default, tuple):
        return tuple(part.strip() for part in text.split(",") if part.strip())
    try:
        return whole(text) if isinstance(default, int) else Path(text) if isinstance(default, Path) else text
    except ValueError:
        raise SystemExit(f"{variable}={text!r} does not fit; expected a whole number, e.g. {default}") from None


@cache
def settings() -> Settings:
    """This process's settings."""
    return read(os.environ)
