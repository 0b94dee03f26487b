"""The built site: every file by its exact path, with its caching and its Content-Security-Policy.

Paths are matched to the letter: `/pdfmerge` and `/PdfMerge/` do not exist. A sub-site's host serves
its own page at `/` and static assets, nothing else.
"""

import base64
import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from cluster.settings import settings as cluster_settings

#: Types that Python's table lacks or that differ by machine.
_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
    ".bcmap": "application/octet-stream",
}
_SQUEEZABLE = (".html", ".js", ".mjs", ".css", ".json", ".svg", ".txt", ".xml", ".wasm", ".webmanifest")
#: Names with a hash of their content, by Astro.
_HASHED = re.compile(r"^/(_astro|assets)/.+\.[\w-]{8,}\.\w+$")
_SCRIPT = re.compile(r"<script\b(?P<attributes>[^>]*)>(?P<text>.*?)</script>", re.DOTALL | re.IGNORECASE)
_NOT_CODE = re.compile(r"""\bsrc\s*=|type\s*=\s*["']?application/(ld\+)?json""", re.IGNORECASE)
#: Changed by every build, the last ones at its very end.
_STAMPS = ("index.html", "404.html", "builds/latest.json", "sitemap-index.xml")


@dataclass(frozen=True)
class Page:
    """One file of the site as it is sent."""

    path: str
    body: bytes
    etag: str
    content_type: str
    cache: str
    policy: str = ""

    @cached_property
    def squeezed(self) -> bytes | None:
        """The gzip of the body where that is worth it."""
        worth = PurePosixPath(self.path).suffix in _SQUEEZABLE and len(self.body) > 512
        return gzip.compress(self.body, 6, mtime=0) if worth else None


@dataclass
class Site:
    """The files of one build; read again when another build has taken its place."""

    folder: Path
    stamp: tuple[int, ...] = ()
    pages: dict[str, Page] = field(default_factory=dict)
    static: set[str] = field(default_factory=set)

    def find(self, path: str, sub: str) -> Page | None:
        """The file at exactly `path`; `sub` is the sub-site's host prefix or empty."""
        self._refresh()
        if not sub:
            return None if path.startswith(("/sub/", "/404", "/500")) else self.pages.get(path)
        if path in ("/", "/_payload.json"):
            return self.pages.get(f"/sub/{sub}{path}".rstrip("/"))
        if path.startswith(f"/sub/{sub}/"):
            return self.pages.get(path)
        return self.pages.get(path) if path in self.static else None

    def error(self, status: int, language: str) -> Page | None:
        """The page shown with `status`, in the language of the path where there is one."""
        self._refresh()
        return self.pages.get(f"/en/{status}" if language == "en" else f"/{status}") or self.pages.get(f"/{status}")

    def _refresh(self) -> None:
        stamp = tuple(_changed(self.folder / name) for name in _STAMPS)
        if stamp == self.stamp or (self.pages and not stamp[0]):
            return  # nothing new, or a build that has just begun: the last one serves on
        self.stamp, self.pages, self.static = stamp, {}, set()
        for file in sorted(self.folder.rglob("*")) if self.folder.is_dir() else []:
            if file.is_file():
                self._add(file)

    def _add(self, file: Path) -> None:
        relative = "/" + file.relative_to(self.folder).as_posix()
        try:
            body = file.read_bytes()
        except OSError:
            return  # another build is just taking its place
        path = _address(relative)
        self.pages[path] = _page(path, relative, body)
        if file.suffix != ".html" and not relative.endswith("/_payload.json"):
            self.static.add(path)


def _address(relative: str) -> str:
    if relative.endswith("/index.html"):
        return relative.removesuffix("/index.html") or "/"
    return relative.removesuffix(".html")


def _page(path: str, relative: str, body: bytes) -> Page:
    suffix = PurePosixPath(relative).suffix
    kind = _TYPES.get(suffix) or mimetypes.guess_type(relative)[0] or "application/octet-stream"
    cache = "public, max-age=31536000, immutable" if _HASHED.match(relative) else "public, max-age=0, must-revalidate"
    # A worker obeys the policy its own script came with: pdf.js fetches character maps and compiles WebAssembly.
    governed = suffix in (".html", ".js", ".mjs")
    policy = content_policy(body.decode("utf-8", "replace") if suffix == ".html" else "") if governed else ""
    etag = hashlib.sha256(body).hexdigest()[:32]
    return Page(relative, body, etag, kind, cache, policy)


def content_policy(text: str) -> str:
    """The policy of one page: its own inline scripts by hash, no others."""
    scripts = (found for found in _SCRIPT.finditer(text) if not _NOT_CODE.search(found["attributes"]))
    hashes = sorted({f"'sha256-{_sha256(found['text'])}'" for found in scripts if found["text"]})
    chosen = cluster_settings()
    store = chosen.s3_endpoint or f"https://s3.{chosen.s3_region}.amazonaws.com" if chosen.store == "s3" else ""
    connect = " ".join(filter(None, ("'self'", _origin(store))))
    return "; ".join(
        (
            "default-src 'self'",
            # pdf.js decodes pictures in WebAssembly.
            " ".join(("script-src 'self' 'wasm-unsafe-eval'", *hashes)),
            # Islands set sizes and places by style attributes.
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data: blob:",
            "worker-src 'self' blob:",
            f"connect-src {connect}",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


def _origin(url: str) -> str:
    split = urlsplit(url)
    return f"{split.scheme}://{split.netloc}" if split.netloc else ""


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
