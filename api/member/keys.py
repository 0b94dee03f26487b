"""Keys of merchants and gateways: RSA keys from files, signatures with SHA-256."""

from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_private_key,
    load_der_public_key,
    load_pem_private_key,
    load_pem_public_key,
)
from cryptography.x509 import load_pem_x509_certificate


def private_key(variable: str, path: str) -> RSAPrivateKey:
    """The private key in a file, as PEM or bare base64. Raises SystemExit that names the variable."""
    text = _text(variable, path)
    try:
        pem = text.startswith("-----")
        key = load_pem_private_key(text.encode(), None) if pem else load_der_private_key(b64decode(text), None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, RSAPrivateKey):
        raise SystemExit(f"{variable}: {path} holds no RSA private key without a password.")
    return key


def public_key(variable: str, path: str) -> RSAPublicKey:
    """The public key in a file: PEM, bare base64, or in a certificate. Raises SystemExit that names the variable."""
    text = _text(variable, path)
    try:
        key = _public(text)
    except (ValueError, TypeError):
        raise SystemExit(f"{variable}: {path} holds no RSA public key.") from None
    if not isinstance(key, RSAPublicKey):
        raise SystemExit(f"{variable}: {path} holds no RSA public key.")
    return key


def sign(key: RSAPrivateKey, text: bytes) -> str:
    """RSA-SHA256 over `text`, in base64."""
    return b64encode(key.sign(text, PKCS1v15(), SHA256())).decode()


def verified(key: RSAPublicKey, text: bytes, signature: str) -> bool:
    """Whether `signature` (base64) is the key's own over `text`."""
    try:
        key.verify(b64decode(signature, validate=True), text, PKCS1v15(), SHA256())
    except (InvalidSignature, Base64Error, ValueError):
        return False
    return True


def private_pem(key: RSAPrivateKey) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def public_pem(key: RSAPublicKey) -> str:
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def _public(text: str) -> object:
    if text.startswith("-----BEGIN CERT"):
        return load_pem_x509_certificate(text.encode()).public_key()
    return load_pem_public_key(text.encode()) if text.startswith("-----") else load_der_public_key(b64decode(text))


def _text(variable: str, path: str) -> str:
    try:
        return Path(path).read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        raise SystemExit(f"{variable}: {path} cannot be read.") from None
