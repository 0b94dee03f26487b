"""The built site: every file by its exact path, with its caching and its Content-Security-Policy.

Paths are matched to the letter; `/pdfmerge`, `/PdfMerge/` and `/PdfMerge.html` lead to `/PdfMerge`. A sub-site's
host serves its own page at `/` and static assets, nothing else.
"""

import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath

from api.policy import page_policy

#: Types that Python's table lacks or that differ by machine.
TYPES = {
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
HASHED = re.compile(r"^/(_astro|assets)/.+\.[\w-]{8,}\.\w+$")
FOREVER = "public, max-age=31536000, immutable"
#: A browser asks each time; a network before us keeps it a minute, then shows it while it asks anew, or gets no answer.
FRESH = "public, max-age=0, s-maxage=60, stale-while-revalidate=600, stale-if-error=604800"
#: Asked for to learn of another build.
_NEWS = "/builds/latest.json"
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
    #: Lower-case paths of the pages -> their own.
    names: dict[str, str] = field(default_factory=dict)

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

    def moved(self, path: str, sub: str) -> str | None:
        """The page that somebody means who wrote `path` in another case, with a slash or `.html` at its end."""
        plain = path.lower().rstrip("/").removesuffix(".html").removesuffix("/index") or "/"
        # A sub-site has one page, in one case.
        meant = self.names.get(plain) if not sub else "/" if plain == "/" else None
        return meant if meant and meant != path and self.find(meant, sub) else None

    def error(self, status: int, language: str) -> Page | None:
        """The page shown with `status`, in the language of the path where there is one."""
        self._refresh()
        return self.pages.get(f"/en/{status}" if language == "en" else f"/{status}") or self.pages.get(f"/{status}")

    def _refresh(self) -> None:
        stamp = tuple(_changed(self.folder / name) for name in _STAMPS)
        if stamp == self.stamp or (self.pages and not stamp[0]):
            return  # nothing new, or a build that has just begun: the last one serves on
        self.stamp, self.pages, self.static, self.names = stamp, {}, set(), {}
        for file in sorted(self.folder.rglob("*")) if self.folder.is_dir() else []:
            if file.is_file() and not file.name.startswith("."):
                self._add(file)

    def _add(self, file: Path) -> None:
        relative = "/" + file.relative_to(self.folder).as_posix()
        try:
            body = file.read_bytes()
        except OSError:
            return  # another build is just taking its place
        path = _address(relative)
        self.pages[path] = _page(path, relative, body)
        if file.suffix == ".html":
            self.names[path.lower()] = path
        elif not relative.endswith("/_payload.json"):
            self.static.add(path)


def _address(relative: str) -> str:
    if relative.endswith("/index.html"):
        return relative.removesuffix("/index.html") or "/"
    return relative.removesuffix(".html")


def _page(path: str, relative: str, body: bytes) -> Page:
    suffix = PurePosixPath(relative).suffix
    kind = TYPES.get(suffix) or mimetypes.guess_type(relative)[0] or "application/octet-stream"
    cache = FOREVER if HASHED.match(relative) else "no-cache" if relative == _NEWS else FRESH
    # A worker obeys the policy its own script came with: pdf.js fetches character maps and compiles WebAssembly.
    governed = suffix in (".html", ".js", ".mjs")
    policy = page_policy(body.decode("utf-8", "replace") if suffix == ".html" else "") if governed else ""
    etag = hashlib.sha256(body).hexdigest()[:32]
    return Page(relative, body, etag, kind, cache, policy)


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
