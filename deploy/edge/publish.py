"""Lay a build of the site out for nginx: squeezed once, old files kept for those who have an old page open."""

import gzip
import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import brotli

from api.site import Page, Site

#: Days for which what only an older build's pages load stays.
KEPT_DAYS = 7
_TWINS = (".br", ".gz")
#: Folders of pages that stay: the running configuration's, and the one before, to which an operator may go back.
_KEPT_PAGES = 2


@dataclass(frozen=True)
class Laid:
    """A build on the edge's disk: its pages by address, their files below `folder`."""

    build: str
    folder: Path
    pages: dict[str, Page]


def publish(site: Path, folder: Path, today: int) -> Laid:
    """Lay the build in `site` out below `folder`; `today` counts days. Raises FileNotFoundError without a build."""
    build = str(json.loads((site / "builds" / "latest.json").read_text())["id"])
    found = Site(site)
    found.find("/", "")
    _keep_files({path: found.pages[path] for path in found.static}, folder, today)
    own = folder / f"pages-{build}"
    pages = {path: page for path, page in found.pages.items() if path not in found.static}
    for page in pages.values():
        _write(own, page)
    _drop_pages(folder, own)
    return Laid(build, own, pages)


def _keep_files(pages: dict[str, Page], folder: Path, today: int) -> None:
    """Write what pages load; drop what no build has had for a week. `left.json`: path -> day its last build ended."""
    files, record = folder / "files", folder / "left.json"
    left: dict[str, int] = json.loads(record.read_text()) if record.exists() else {}
    left = {path: left.get(path, today) for path in _there(files) - pages.keys()}
    for path in [path for path, day in left.items() if today - day > KEPT_DAYS]:
        del left[path]
        for suffix in ("", *_TWINS):
            (files / f"{path[1:]}{suffix}").unlink(missing_ok=True)
    for page in pages.values():
        _write(files, page)
    _replace(record, json.dumps(left, indent=0).encode())


def _there(files: Path) -> set[str]:
    """The paths below `files`, without squeezed twins."""
    found = {f"/{each.relative_to(files)}" for each in files.rglob("*") if each.is_file()}
    return found - {path + twin for path in found for twin in _TWINS}


def _write(folder: Path, page: Page) -> None:
    """The page's file below `folder`, with its squeezed twins."""
    path = folder / page.path[1:]
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != page.body:
        _replace(path, page.body)
        if page.squeezed is not None:
            _replace(_beside(path, ".gz"), gzip.compress(page.body, 9, mtime=0))
            _replace(_beside(path, ".br"), brotli.compress(page.body, mode=brotli.MODE_TEXT))


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _replace(path: Path, body: bytes) -> None:
    """Nobody reads half a file."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_bytes(body)
    draft.replace(path)


def _drop_pages(folder: Path, own: Path) -> None:
    own.touch()
    builds = sorted(folder.glob("pages-*"), key=lambda each: each.stat().st_mtime, reverse=True)
    for old in builds[_KEPT_PAGES:]:
        shutil.rmtree(old)
