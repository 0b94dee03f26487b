"""Locks of PDFs: which password fits, whether only restrictions hold, and the lock that a result gets."""

import secrets
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic_core import PydanticCustomError

from cluster.engines.pdf.libraries import import_pikepdf
from cluster.files import Source
from cluster.passwords import prepared

if TYPE_CHECKING:
    import pikepdf


def fitting(source: Source) -> Source:
    """The source with its password as the standard prepares it, where only that one opens it."""
    try:
        other = prepared(source.password or "")
    except PydanticCustomError:
        return source
    if other == (source.password or "") or opens(source.path, source.password or ""):
        return source
    return replace(source, password=other) if opens(source.path, other) else source


def opens(path: Path, password: str) -> bool:
    """Whether this password opens the document; damage is not its fault."""
    pikepdf = import_pikepdf()
    try:
        with pikepdf.open(path, password=password, access_mode=pikepdf.AccessMode.stream):
            return True
    except pikepdf.PasswordError:
        return False
    except (pikepdf.PdfError, UnicodeDecodeError):
        return True


def lock_of(password: str, owner: str, allowed: Collection[str], *, metadata: bool) -> "pikepdf.Encryption":
    """AES-256 (R6). `allowed` are keys of cluster.fields.PERMISSIONS; without an owner password nobody knows it.

    Reading aloud is always allowed, as PDF 2.0 wants it.
    """
    from pikepdf import Encryption, Permissions

    allow = Permissions(
        accessibility=True,
        extract="copy" in allowed,
        modify_annotation="annotate" in allowed,
        modify_assembly="assemble" in allowed,
        modify_form="fill" in allowed,
        modify_other="edit" in allowed,
        print_lowres="print" in allowed or "print_fine" in allowed,
        print_highres="print_fine" in allowed,
    )
    return Encryption(
        user=password, owner=owner or secrets.token_urlsafe(32), R=6, aes=True, metadata=metadata, allow=allow
    )
