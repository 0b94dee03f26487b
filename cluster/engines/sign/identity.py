"""A person's key and certificate from a PKCS#12 file: in memory only, for one part."""

import datetime
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cluster.problem import InputProblem

#: Bytes; a key with a long chain has a tenth of it.
_LARGEST = 1 << 20


@dataclass(frozen=True)
class Identity:
    """Who signs: the name as others will read it, and pyHanko's signer."""

    name: str
    signer: Any = field(repr=False)


def read_identity(path: Path, password: str) -> Identity:
    """The identity in a PKCS#12 file.

    Raises certificate_unreadable (no such file, no key in it), certificate_password, certificate_expired: without the
    file's name, which is none that people gave it.
    """
    from cryptography.hazmat.primitives.serialization import pkcs12
    from pyhanko.sign.signers import SimpleSigner

    data = path.read_bytes() if path.stat().st_size <= _LARGEST else b""
    try:
        phrase = _phrase(data, password)
        _, certificate, _ = pkcs12.load_key_and_certificates(data, phrase)
        if certificate is None:
            raise InputProblem("certificate_unreadable")
        signer = SimpleSigner.load_pkcs12_data(data, [], phrase)
    except (ValueError, TypeError, AttributeError, NotImplementedError) as error:
        raise InputProblem("certificate_unreadable") from error
    _check_dates(certificate)
    return Identity(_name(certificate), signer)


def _phrase(data: bytes, password: str) -> bytes | None:
    """The password as the file takes it: none and an empty one are two things."""
    from cryptography.hazmat.primitives.serialization import pkcs12

    _check_shape(data)
    for phrase in [password.encode()] if password else [None, b""]:
        try:
            pkcs12.load_key_and_certificates(data, phrase)
            return phrase
        except ValueError:
            continue
    raise InputProblem("certificate_password")


def _check_shape(data: bytes) -> None:
    """cryptography has one error for a wrong password and for what is no PKCS#12 at all."""
    from asn1crypto import pkcs12

    try:
        content = pkcs12.Pfx.load(data, strict=True)
        known = content["version"].native == "v3" and bool(content["auth_safe"]["content_type"].native)
    except (ValueError, TypeError, KeyError):
        known = False
    if not known:
        raise InputProblem("certificate_unreadable")


def _check_dates(certificate: Any) -> None:
    begins, ends = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    if not begins <= datetime.datetime.now(datetime.UTC) <= ends:
        raise InputProblem("certificate_expired", detail=f"{begins.date()} – {ends.date()}")


def _name(certificate: Any) -> str:
    from cryptography.x509.oid import NameOID

    for kind in (NameOID.COMMON_NAME, NameOID.ORGANIZATION_NAME, NameOID.EMAIL_ADDRESS):
        if found := certificate.subject.get_attributes_for_oid(kind):
            return str(found[0].value)[:100]
    return "?"
