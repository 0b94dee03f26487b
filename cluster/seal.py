"""Seal passwords while a task waits: AES-256-GCM under the server's key, bound to the task's id."""

import os
import secrets
from base64 import b64decode, b64encode
from contextlib import suppress
from functools import cache

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from cluster.settings import settings


def seal(text: str, task: str) -> str:
    """`text` sealed for `task`, as ASCII."""
    nonce = secrets.token_bytes(12)
    return b64encode(nonce + _cipher().encrypt(nonce, text.encode(), task.encode())).decode()


def unseal(sealed: str, task: str) -> str:
    """What `seal` sealed. Raises cryptography's InvalidTag for another task or key."""
    raw = b64decode(sealed)
    return _cipher().decrypt(raw[:12], raw[12:], task.encode()).decode()


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
