"""Keys and certificates as people have them: PKCS#12 files, made for a test."""

import datetime
from functools import cache
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, NoEncryption, pkcs12
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

PASSWORD = "口令-secret-1"


@cache
def key(kind: str = "rsa") -> Any:
    """One key of each kind for all tests."""
    return rsa.generate_private_key(65537, 2048) if kind == "rsa" else ec.generate_private_key(ec.SECP256R1())


@cache
def certificate(name: str = "张三 Zhang San", kind: str = "rsa", begins: int = -1, ends: int = 300) -> x509.Certificate:
    """Self-signed, valid from and to so many days from today."""
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    usage = x509.KeyUsage(True, True, False, False, False, False, False, False, False)
    made = x509.CertificateBuilder(subject, subject, key(kind).public_key(), x509.random_serial_number())
    made = made.not_valid_before(now + datetime.timedelta(begins)).not_valid_after(now + datetime.timedelta(ends))
    made = made.add_extension(usage, critical=True)
    if name == "Clock":
        stamping = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING])
        made = made.add_extension(stamping, critical=True)
    return made.sign(key(kind), hashes.SHA256())


def p12(path: Path, password: str = PASSWORD, **more: Any) -> Path:
    """A key and its certificate."""
    lock = BestAvailableEncryption(password.encode()) if password else NoEncryption()
    kind = more.get("kind", "rsa")
    path.write_bytes(pkcs12.serialize_key_and_certificates(b"mine", key(kind), certificate(**more), None, lock))
    return path
