"""Content-Security-Policy of the pages we serve: their own files, and what stands inside them by its hash."""

import base64
import hashlib
import re
from urllib.parse import urlsplit

from cluster.settings import settings

_SCRIPT = re.compile(r"<script\b(?P<attributes>[^>]*)>(?P<text>.*?)</script>", re.DOTALL | re.IGNORECASE)
_STYLE = re.compile(r"<style\b(?P<attributes>[^>]*)>(?P<text>.*?)</style>", re.DOTALL | re.IGNORECASE)
_NOT_CODE = re.compile(r"""\bsrc\s*=|type\s*=\s*["']?application/(ld\+)?json""", re.IGNORECASE)


def page_policy(text: str) -> str:
    """The policy of one page of the site, from its HTML (empty: of a script, which a worker may be)."""
    return "; ".join(
        (
            "default-src 'self'",
            # pdf.js decodes pictures in WebAssembly.
            " ".join(("script-src 'self' 'wasm-unsafe-eval'", *_hashes(_SCRIPT, text))),
            # React and pdf.js set styles by the object model, which needs no leave.
            " ".join(("style-src 'self'", *_hashes(_STYLE, text))),
            "img-src 'self' data: blob:",
            "font-src 'self' data: blob:",
            "worker-src 'self' blob:",
            " ".join(filter(None, ("connect-src 'self'", _store()))),
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


def plain_policy(text: str) -> str:
    """The policy of a page that holds its own style and nothing else."""
    return "; ".join(("default-src 'none'", " ".join(("style-src", *_hashes(_STYLE, text))), "frame-ancestors 'none'"))


def _hashes(tag: re.Pattern[str], text: str) -> list[str]:
    inside = (found["text"] for found in tag.finditer(text) if not _NOT_CODE.search(found["attributes"]))
    return sorted({f"'sha256-{_sha256(each)}'" for each in inside if each})


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _store() -> str:
    """The origin that uploads go to, where it is not ours."""
    chosen = settings()
    if chosen.store != "s3":
        return ""
    url = urlsplit(chosen.s3_endpoint or f"https://s3.{chosen.s3_region}.amazonaws.com")
    return f"{url.scheme}://{url.netloc}" if url.netloc else ""
