"""Bytes of streams."""

import zlib
from typing import Any

from cluster.engines.pdf.libraries import import_pikepdf
from cluster.problem import LimitProblem


def deflate(data: bytes) -> bytes:
    """zlib at its most patient."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 15, 9)
    return packer.compress(data) + packer.flush()


def decoded(stream: Any) -> bytes | None:
    """The stream's bytes without its filters; None where these fail. Raises too_large_when_opened."""
    pikepdf = import_pikepdf()
    try:
        return bytes(stream.read_bytes())
    except UnicodeDecodeError:
        return None  # pikepdf trips over its own words when they quote the stream
    except (pikepdf.PdfError, RuntimeError) as error:
        if "memory limit" in str(error):
            raise LimitProblem("too_large_when_opened") from error
        return None
