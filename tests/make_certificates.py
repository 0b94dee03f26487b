"""Keys and certificates as people have them: PKCS#12 files, made for a test."""

import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pikepdf
from asn1crypto import x509 as loaded
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, NoEncryption, pkcs12
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko_certvalidator import ValidationContext

from tests import make

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


def waiting(path: Path, **entries: Any) -> Path:
    """Two fields that wait for a signature on turned pages; the second, with more entries, below another's name."""
    make.geometry(path)
    with make.edit(path) as pdf:
        fields = []
        for number, name in ((6, "甲方"), (11, "seal")):
            page = pdf.pages[number - 1].obj
            left, bottom = (float(each) for each in list(page.get("/CropBox", page.MediaBox))[:2])
            kinds = {"Type": pikepdf.Name.Annot, "Subtype": pikepdf.Name.Widget, "FT": pikepdf.Name.Sig}
            box = [left + 20, bottom + 30, left + 120, bottom + 90]
            made = pdf.make_indirect(pikepdf.Dictionary(**kinds, T=pikepdf.String(name), F=4, P=page, Rect=box))
            page.Annots = pikepdf.Array([made])
            fields.append(made)
        above = pdf.make_indirect(pikepdf.Dictionary(T=pikepdf.String("乙方"), Kids=[fields[1]]))
        fields[1].Parent = above
        for key, value in entries.items():
            fields[1][f"/{key}"] = value
        pdf.Root.AcroForm = pikepdf.Dictionary(Fields=[fields[0], above], SigFlags=1)
    return path


def statuses(path: Path, password: str = "") -> list[Any]:
    """What pyHanko says of each signature, trusting the test's own certificates."""
    roots = [
        loaded.Certificate.load(certificate(name).public_bytes(Encoding.DER)) for name in ("张三 Zhang San", "李四")
    ]
    context = ValidationContext(trust_roots=roots)
    with path.open("rb") as stream:
        reader = PdfFileReader(stream)
        if password:
            reader.decrypt(password)
        return [validate_pdf_signature(each, context) for each in reader.embedded_signatures]
