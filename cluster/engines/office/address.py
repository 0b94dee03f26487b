"""Whether an address in an office file, a page or a vector picture leads out of it."""

import base64
import binascii
import re
from urllib.parse import unquote

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:|[/\\]", re.I)
#: How pictures begin that cannot refer to anything.
_RASTER = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\0", b"MM\0*", b"RIFF")
#: Schemes that name something inside the file.
_INSIDE = ("vnd.sun.star.package:", "wordml:")


def is_outside(address: str, flat: bool) -> bool:
    """Whether an address leads out of the package, or (`flat`) out of the one part."""
    plain = unquote(address).strip()
    if plain.lower().startswith("data:"):
        return not _is_raster(plain)
    if not plain or plain.startswith("#") or plain.lower().startswith(_INSIDE):
        return False
    return flat or bool(_SCHEME.match(plain)) or ".." in plain.split("/")


def _is_raster(address: str) -> bool:
    head = address.partition(",")[2][:64]
    try:
        return base64.b64decode(re.sub(r"\s", "", head)[:40] + "===").startswith(_RASTER)
    except (binascii.Error, ValueError):
        return False
