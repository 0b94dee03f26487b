"""Locked office files are opened before LibreOffice sees them: what is inside passes the same checks as any file.

    source = unlocked(work.source, work.scratch("unlocked"))

msoffcrypto-tool tells a locked file from a broken one. ODF's own passwords are left to LibreOffice.
"""

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from cluster.files import Source
from cluster.kinds import DOC, OOXML_LOCKED, PPT, XLS, kind_of
from cluster.problem import InputProblem, PasswordProblem

#: Excel and its kin lock with this one where a file shall be protected without a question (ECMA-376, 2.3).
_DEFAULT = "VelvetSweatshop"
#: What each of the keys under a password is for, as the standard numbers it.
_VERIFIER, _VERIFIER_HASH, _KEY = "fea7d2763b4b9e79", "d7aa0f6d3061344e", "146e0be7abacd0d6"
#: What reads the binary kinds that tell a lock by their records.
_OLD = {XLS: "xls97.Xls97File", PPT: "ppt97.Ppt97File"}
_ENCRYPTED, _OBFUSCATED = 0x0100, 0x8000


def unlocked(source: Source, folder: Path) -> Source:
    """`source` itself when it is not locked, else its plain copy below `folder`, with the kind it really has.

    Raises password_required, password_wrong, damaged_file, not_supported_type (locked by a rights server).
    """
    if source.kind is OOXML_LOCKED:
        return _opened(source, folder, _read_ooxml)
    if source.kind in _OLD and _is_locked(source):
        return _opened(source, folder, partial(_read_old, _OLD[source.kind]))
    if source.kind is DOC and (flags := _doc_flags(source.path)) & _ENCRYPTED:
        if not flags & _OBFUSCATED:
            return _opened(source, folder, partial(_read_old, "doc97.Doc97File"))
        if not source.password:  # this oldest lock is LibreOffice's to open
            raise PasswordProblem("password_required", file=source.name)
    return source


def _opened(source: Source, folder: Path, read: Callable[[Any, str, Any], None]) -> Source:
    from msoffcrypto.exceptions import DecryptionError, InvalidKeyError

    folder.mkdir(parents=True, exist_ok=True)
    path = folder / source.path.name
    try:
        with source.path.open("rb") as locked, path.open("w+b") as plain:
            read(locked, source.password or _DEFAULT, plain)
    except InvalidKeyError as error:
        raise PasswordProblem("password_wrong" if source.password else "password_required", file=source.name) from error
    except DecryptionError as error:
        raise InputProblem("not_supported_type", file=source.name, found=source.kind.key) from error
    except (MemoryError, RecursionError):
        raise
    except Exception as error:  # the library meets broken headers with whatever Python raises there
        raise InputProblem("damaged_file", file=source.name) from error
    kind = kind_of(path)
    if kind is None:
        raise InputProblem("damaged_file", file=source.name)
    return replace(source, path=path, kind=kind, size=path.stat().st_size, password=None)


def _read_ooxml(locked: Any, password: str, plain: Any) -> None:
    from msoffcrypto.format.ooxml import OOXMLFile

    file = OOXMLFile(locked)
    if file.type == "agile":
        file.load_key(secret_key=_agile_key(file.info, password))
    else:
        file.load_key(password=password, verify_password=True)
    file.decrypt(plain)


def _agile_key(info: dict[str, Any], password: str) -> bytes:
    """The package's key (MS-OFFCRYPTO 2.3.4.11 to 13). Raises InvalidKeyError.

    The library's own way fails for hashes shorter than the key, and for the right password under SHA-1.
    """
    from msoffcrypto.exceptions import InvalidKeyError

    made = partial(hashlib.new, info["passwordHashAlgorithm"].lower())
    salt, size = info["passwordSalt"], info["passwordKeyBits"] // 8
    hashed = made(salt + password.encode("utf-16-le")).digest()
    for each in range(info["spinValue"]):
        hashed = made(each.to_bytes(4, "little") + hashed).digest()

    def opened(purpose: str, value: bytes) -> bytes:
        key = made(hashed + bytes.fromhex(purpose)).digest()[:size].ljust(size, b"\x36")
        return _aes_cbc(key, salt[:16], value)

    verifier = opened(_VERIFIER, info["encryptedVerifierHashInput"])
    said = opened(_VERIFIER_HASH, info["encryptedVerifierHashValue"])
    right = made(verifier[: len(salt)]).digest()
    if not hmac.compare_digest(right, said[: len(right)]):
        raise InvalidKeyError
    return opened(_KEY, info["encryptedKeyValue"])[:size]


def _aes_cbc(key: bytes, start: bytes, data: bytes) -> bytes:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    reader = Cipher(algorithms.AES(key), modes.CBC(start.ljust(16, b"\x36"))).decryptor()
    return reader.update(data) + reader.finalize()


def _read_old(reader: str, locked: Any, password: str, plain: Any) -> None:
    file = _reader(reader)(locked)
    file.load_key(password=password)
    file.decrypt(plain)


def _reader(name: str) -> Any:
    """A class of msoffcrypto's by its module and name."""
    module, _, kind = name.partition(".")
    return getattr(import_module(f"msoffcrypto.format.{module}"), kind)


def _is_locked(source: Source) -> bool:
    """Whether a binary spreadsheet or presentation is under a password; what is broken is LibreOffice's to judge."""
    try:
        with source.path.open("rb") as stream:
            return bool(_reader(_OLD[source.kind])(stream).is_encrypted())
    except Exception:  # the library meets what it does not know with whatever Python raises there
        return False


def _doc_flags(path: Path) -> int:
    """The flags in the FIB, which opens the stream WordDocument; 0 where there is none to read."""
    import olefile

    try:
        with olefile.OleFileIO(path) as ole, ole.openstream("WordDocument") as stream:
            return int.from_bytes(stream.read(12)[10:12], "little")
    except Exception:  # not a container (Word 2), or a broken one: LibreOffice judges it
        return 0
