"""Seal passwords while a task waits: AES-256-GCM under the server's key, bound to the task's id."""

import json
import os
import secrets
from base64 import b64decode, b64encode
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from cluster.settings import settings

#: Index in a task's secrets of its whole options, sealed when they hold a password.
OPTIONS = -1


def seal(text: str, task: str) -> str:
    """`text` sealed for `task`, as ASCII."""
    nonce = secrets.token_bytes(12)
    return b64encode(nonce + _cipher().encrypt(nonce, text.encode(), task.encode())).decode()


def unseal(sealed: str, task: str) -> str:
    """What `seal` sealed. Raises cryptography's InvalidTag for another task or key, ValueError for what is no seal."""
    raw = b64decode(sealed, validate=True)
    return _cipher().decrypt(raw[:12], raw[12:], task.encode()).decode()


def seal_options(
    options: Mapping[str, Any], schema: Mapping[str, Any], task: str
) -> tuple[dict[str, Any], dict[int, str]]:
    """Options without the passwords in them, and what to add to the task's secrets for `open_options`."""
    names = {
        name
        for each in (schema, *schema.get("$defs", {}).values())
        for name, field in each.get("properties", {}).items()
        if field.get("ui", {}).get("widget") == "password"
    }
    plain = _without(options, names)
    if plain == options:
        return dict(options), {}
    return plain, {OPTIONS: seal(json.dumps(options), task)}


def open_options(options: Mapping[str, Any], sealed: Mapping[int, str], task: str) -> Mapping[str, Any]:
    """The whole options of a task whose record holds `options` and the secrets `sealed`."""
    whole: Mapping[str, Any] = json.loads(unseal(sealed[OPTIONS], task)) if OPTIONS in sealed else options
    return whole


def _without(value: Any, names: set[str]) -> Any:
    if isinstance(value, Mapping):
        return {
            name: "" if name in names and isinstance(each, str) else _without(each, names)
            for name, each in value.items()
        }
    return [_without(each, names) for each in value] if isinstance(value, list | tuple) else value


@cache
def server_key(purpose: str) -> bytes:
    """32 bytes for one purpose, derived from PAPERCRANE_SECRET or from a key file in the data folder."""
    return HKDF(SHA256(), 32, None, purpose.encode()).derive(_root_secret())


def _root_secret() -> bytes:
    if settings().secret:
        return settings().secret.encode()
    path = settings().data / "secret"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        mine = path.with_name(f"secret.{secrets.token_hex(8)}")
        handle = os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        os.write(handle, secrets.token_hex(32).encode())
        os.close(handle)
        with suppress(FileExistsError):  # another process was first: its key is the key
            path.hardlink_to(mine)
        mine.unlink()
    return path.read_bytes()


@cache
def _cipher() -> AESGCM:
    return AESGCM(server_key("seal"))
