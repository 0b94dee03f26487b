"""Downloads: presigned links to results, and several results as one zip made while it is sent."""

import hashlib
import hmac
import io
import time
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from typing_extensions import TypedDict

from api.caller import Caller
from api.calls import Streamed
from api.file.grants import reader
from api.file.names import attachment, clean_name, unique_names
from api.file.sigv4 import Keys, presign
from api.file.uploads import s3_endpoint
from api.problems import Refusal
from api.task.owned import owned_task
from api.user.rights import take_download
from cluster import queue
from cluster.catalogue import TOOLS
from cluster.kinds import KINDS
from cluster.seal import server_key
from cluster.settings import settings
from cluster.store import Store, store
from cluster.task import Made, Status, Task
from cluster.words import Language

#: Seconds that a link lives.
LIFE = 600
ZIP_PATH = "/download/results.zip"
#: zipfile knows no date before this; results carry no date of their own.
_DATE = (1980, 1, 1, 0, 0, 0)


class DownloadInfo(TypedDict):
    """Answer of getDownloadInfo; `size` of a zip is that of its files together."""

    url: str
    name: str
    size: int
    expiresAt: int


def download_info(caller: Caller, task_id: str, index: int | None, language: Language, origin: str) -> DownloadInfo:
    """A link to one result, or to a zip of all. Raises Refusal."""
    task = owned_task(caller, task_id)
    outputs = task.outputs if task.status is Status.SUCCESS else []
    if not outputs or (index or 0) >= len(outputs):
        raise Refusal("result_unknown")
    one = index if index is not None else 0 if len(outputs) == 1 else None
    _check_kept([outputs[one]] if one is not None else outputs)
    take_download(caller, task.id, "zip" if one is None else str(one))
    if one is None:
        return _zip_info(task, language, origin)
    return _info(result_url(outputs[one], origin), outputs[one].name, outputs[one].size)


def result_url(made: Made, origin: str) -> str:
    """A presigned GET of one stored result that saves it under its name."""
    chosen = settings()
    keys, endpoint = reader(), f"{origin}/s3"
    if chosen.store == "s3":
        keys, endpoint = Keys(chosen.s3_key, chosen.s3_secret), s3_endpoint()
    url = f"{endpoint}/{chosen.s3_bucket}/{quote(made.key, safe='/-_.~')}"
    kind = KINDS[made.kind].mime if made.kind in KINDS else "application/octet-stream"
    query = {"response-content-disposition": attachment(made.name), "response-content-type": kind}
    now = datetime.now(UTC)
    return presign(keys, "GET", url, region=chosen.s3_region, seconds=LIFE, now=now, query=query)


def open_zip(task_id: str, until: int, language: Language, mark: str) -> Streamed:
    """The zip of a signed link. Raises Refusal."""
    if until < time.time() or not hmac.compare_digest(_mark(task_id, until, language), mark):
        raise Refusal("link_expired")
    task = queue.find(task_id)
    if task is None or task.status is not Status.SUCCESS:
        raise Refusal("task_unknown")
    headers = {"Content-Disposition": attachment(zip_name(task, language)), "Cache-Control": "private, no-store"}
    return Streamed("application/zip", zipped(task.outputs, store()), headers)


def zipped(outputs: list[Made], kept: Store) -> Iterator[bytes]:
    """A zip of the outputs, stored not squeezed, in pieces; memory stays one piece."""
    sink = _Sink()
    names = unique_names([clean_name(made.name) for made in outputs])
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for made, name in zip(outputs, names, strict=True):
            info = zipfile.ZipInfo(name, _DATE)
            info.external_attr = 0o644 << 16
            with archive.open(info, "w", force_zip64=True) as entry:
                for chunk in kept.read(made.key):
                    entry.write(chunk)
                    yield from sink.take()
    yield from sink.take()


def zip_name(task: Task, language: Language) -> str:
    """`合同_压缩.zip`, after the first input."""
    tool = TOOLS[task.tool]
    return clean_name(f"{PurePath(task.inputs[0].name).stem}_{tool.suffix[language == 'en']}.zip")


def _zip_info(task: Task, language: Language, origin: str) -> DownloadInfo:
    until = int(time.time()) + LIFE
    mark = _mark(task.id, until, language)
    url = f"{origin}{ZIP_PATH}?taskId={task.id}&until={until}&language={language}&mark={mark}"
    return _info(url, zip_name(task, language), sum(made.size for made in task.outputs))


def _info(url: str, name: str, size: int) -> DownloadInfo:
    return {"url": url, "name": name, "size": size, "expiresAt": int((time.time() + LIFE) * 1000)}


def _check_kept(outputs: list[Made]) -> None:
    if any(store().stat(made.key) is None for made in outputs):
        raise Refusal("result_unknown")


def _mark(task: str, until: int, language: str) -> str:
    return hmac.new(server_key("zip links"), f"{task}.{until}.{language}".encode(), hashlib.sha256).hexdigest()


class _Sink(io.RawIOBase):
    """A stream that cannot seek, so that zipfile writes straight on; what it wrote is taken out at once."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.parts.append(bytes(data))
        return len(data)

    def take(self) -> list[bytes]:
        taken, self.parts = [part for part in self.parts if part], []
        return taken
