"""Sending one-time passwords: by mail, by text message, or (embedded default) into the server's log."""

from collections.abc import Mapping
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import Protocol
from urllib.parse import SplitResult, unquote, urlsplit

import aiosmtplib
import httpx
import structlog

from api.problems import Refusal
from api.settings import settings
from api.user.codes import CODE_LIFE
from api.user.names import is_mail, masked
from cluster.settings import settings as cluster_settings
from cluster.words import Language

#: Seconds that a gateway may take.
_PATIENCE = 15
_LOOPBACK = ("localhost", "127.0.0.1", "::1")

log = structlog.get_logger()


class Undelivered(Exception):
    """The gateway did not take the message. Its text is the gateway's and stays with us."""


class Sender(Protocol):
    """One way to an account's owner."""

    async def send(self, name: str, code: str, language: Language) -> None:
        """Deliver `code` to the mailbox or number `name`. Raises Undelivered."""
        ...


class Smtp:
    """A mail server: `smtps://user:password@host:465`; `smtp://…:587` becomes TLS before it says a password."""

    def __init__(self, server: SplitResult) -> None:
        self.server = server

    async def send(self, name: str, code: str, language: Language) -> None:
        server = self.server
        secure = server.scheme == "smtps"
        must = bool(server.username) and server.hostname not in _LOOPBACK
        try:
            await aiosmtplib.send(
                mail(name, code, language),
                hostname=server.hostname,
                port=server.port or (465 if secure else 587),
                username=unquote(server.username) if server.username else None,
                password=unquote(server.password) if server.password else None,
                use_tls=secure,
                start_tls=None if secure or not must else True,
                timeout=_PATIENCE,
            )
        except (aiosmtplib.SMTPException, OSError) as error:
            raise Undelivered(type(error).__name__) from None


class HttpGateway:
    """A gateway for text messages: POST {to, code, text} as JSON; the URL's password is sent as bearer token."""

    def __init__(self, server: SplitResult) -> None:
        self.token = unquote(server.password or "")
        self.url = server._replace(netloc=server.netloc.rpartition("@")[2]).geturl()

    async def send(self, name: str, code: str, language: Language) -> None:
        body = {"to": name, "code": code, "text": _LINES[language].format(code=code, minutes=CODE_LIFE // 60)}
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        try:
            async with httpx.AsyncClient(timeout=_PATIENCE) as client:
                (await client.post(self.url, json=body, headers=headers)).raise_for_status()
        except (httpx.HTTPError, OSError) as error:
            raise Undelivered(type(error).__name__) from None


class ServerLog:
    """The embedded default: whoever runs the server reads the code there. Never in production."""

    async def send(self, name: str, code: str, language: Language) -> None:
        log.info("one_time_password", account=masked(name), code=code)


#: The scheme of the setting -> what speaks it. A provider of text messages adds its own here.
MAIL: Mapping[str, type[Smtp]] = {"smtp": Smtp, "smtps": Smtp}
TEXT: Mapping[str, type[HttpGateway]] = {"http": HttpGateway, "https": HttpGateway}


def sender_of(name: str) -> Sender:
    """The way to `name`. Raises Refusal gateway_unavailable when the operator set none."""
    chosen = settings()
    url = chosen.mail if is_mail(name) else chosen.text
    if url:
        server = urlsplit(url)
        return MAIL[server.scheme](server) if is_mail(name) else TEXT[server.scheme](server)
    if chosen.mail or chosen.text or cluster_settings().production:
        raise Refusal("gateway_unavailable", retry=60)
    return ServerLog()


async def deliver(name: str, code: str, language: Language) -> None:
    """Send `code`. Raises Undelivered, Refusal."""
    await sender_of(name).send(name, code, language)


def check_settings() -> None:
    """Say at the start how codes travel. Raises SystemExit for a gateway that nobody here speaks."""
    for variable, url, known in (("MAIL", settings().mail, MAIL), ("TEXT", settings().text, TEXT)):
        if url and (urlsplit(url).scheme not in known or not urlsplit(url).hostname):
            raise SystemExit(f"PAPERCRANE_API_{variable} does not fit; expected {' or '.join(known)}://host")
    if not (settings().mail or settings().text):
        log.info("codes_are_written_to_this_log", set="PAPERCRANE_API_MAIL or PAPERCRANE_API_TEXT")


def mail(name: str, code: str, language: Language) -> EmailMessage:
    """The mail in the reader's language."""
    message = EmailMessage()
    message["From"] = settings().mail_from or f"Papercrane <no-reply@{settings().hosts[0].strip('[]')}>"
    message["To"] = name
    message["Subject"] = _SUBJECTS[language].format(code=code)
    message["Date"] = formatdate(usegmt=True)
    message["Message-ID"] = make_msgid(domain=message["From"].addresses[0].domain)
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(f"{_LINES[language].format(code=code, minutes=CODE_LIFE // 60)}\n\n{_ENDS[language]}\n")
    return message


_SUBJECTS: Mapping[Language, str] = {"zh": "{code} 是您的纸鹤验证码", "en": "{code} is your Papercrane code"}
_LINES: Mapping[Language, str] = {
    "zh": "【纸鹤】验证码 {code}，{minutes} 分钟内有效，只能使用一次。请勿告诉任何人。",
    "en": "Papercrane code {code}. It is good for {minutes} minutes and works once. Tell nobody.",
}
_ENDS: Mapping[Language, str] = {
    "zh": "如果不是您本人操作，请忽略这封邮件。",
    "en": "If you did not ask for it, please ignore this mail.",
}
