"""The only reader of the environment in cluster; every variable begins with PAPERCRANE_.

Any of them may be given as a file: PAPERCRANE_SECRET_FILE=/run/secrets/secret.
"""

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from cluster.numbers import whole

ROOT = Path(__file__).resolve().parent.parent
#: Characters of a secret that cannot be tried out.
LEAST_SECRET = 32
#: Engines that may read pictures.
OCR = "rapid", "easy", "auto"
#: Ends a variable that names the file in which its setting is.
_FILE = "_FILE"


@dataclass(frozen=True)
class Settings:
    """What an operator may set; the defaults run everything on one machine.

    production: PAPERCRANE_ENV, `development` (the default) or `production`; any other word stops the start.
    secret: what every key of ours is derived from; empty, a file in the data folder holds one, but not in production,
    where several machines and a new disk must agree on it.
    data: everything we keep (store, redis, sql, scratch); redis: URL.
    sentinels: `host:port,host:port` of the Sentinels that know Redis' master by the name `master`; host and port of the
    URL then say nothing (empty: there are none). sentinel_user, sentinel_password: who we are to them.
    store: `folder` or `s3`; s3_*: bucket, endpoint (empty: AWS), region, key and secret.
    lease: seconds after which a silent slot's work is taken over.
    keep: seconds a task and its files live after it ended (and an unused upload).
    recycle: parts after which a sandbox is replaced (soffice and glibc keep what they once took).
    reserve: bytes that stay free under `data`; below, uploads and new tasks are refused (cluster.room).
    0: 1 GiB, or a tenth of a smaller disk.
    queue_factor: parts that may wait in a lane for each of its slots; of one owner only his share of them counts.
    queue_own: parts of one owner that may wait in a lane; who has none waiting may bring one batch of any size.
    cgroup: a control group (v2, or v1's pids) that is ours, below which each slot gets its own (empty:
    cluster.worker.quota watches alone).
    elastic: slots of a lane for which Ray's autoscaler may be asked, beyond those of machines that stay; 0: there is
    no autoscaler. linger: seconds for which a lane keeps them after it last needed them.
    ocr: `rapid`, `easy` or `auto`, EasyOCR where it runs on a GPU (cluster.engines.ocr.engines); easyocr_models: a
    folder with weights of EasyOCR's, beside those that installed packages carry.
    hands: the folder of handwriting faces, each in its npm package's (cluster.hands).
    timestamp_url: a time-stamp server (RFC 3161), of which certificate signatures get their time; empty: none.
    node: what this machine is called when it is drained (empty: its host name).
    """

    production: bool = False
    data: Path = ROOT / "data"
    redis: str = "redis://127.0.0.1:6380/0"
    sentinels: str = ""
    master: str = "papercrane"
    sentinel_user: str = ""
    sentinel_password: str = field(default="", repr=False)
    store: str = "folder"
    s3_bucket: str = "papercrane"
    s3_endpoint: str = ""
    s3_region: str = "us-east-1"
    s3_key: str = ""
    s3_secret: str = field(default="", repr=False)
    secret: str = field(default="", repr=False)
    ray: str = "auto"
    lease: int = 10
    keep: int = 12 * 3600
    recycle: int = 50
    queue_factor: int = 20
    reserve: int = 0
    queue_own: int = 100
    elastic: int = 0
    linger: int = 300
    allow_weak_sandbox: bool = False
    ocr: str = "rapid"
    easyocr_models: str = ""
    cgroup: str = ""
    hands: Path = ROOT / "site" / "node_modules" / "@fontsource"
    timestamp_url: str = ""
    node: str = field(default_factory=socket.gethostname)

    @property
    def scratch(self) -> Path:
        return self.data / "scratch"


def read(given: Mapping[str, str]) -> Settings:
    """Settings from PAPERCRANE_<NAME>; a value that does not fit names its variable."""
    environment = with_files(given)
    values: dict[str, object] = {"production": _is_production(environment.get("PAPERCRANE_ENV", "development"))}
    for name, default in vars(Settings()).items():
        variable = f"PAPERCRANE_{name.upper()}"
        if name != "production" and variable in environment:
            values[name] = _convert(variable, environment[variable], default)
    chosen = Settings(**values)  # type: ignore[arg-type]
    if chosen.ocr not in OCR:
        raise SystemExit(f"PAPERCRANE_OCR={chosen.ocr!r} does not fit; expected {', '.join(OCR)}")
    if chosen.production and len(chosen.secret) < LEAST_SECRET:
        raise SystemExit(
            f"PAPERCRANE_ENV=production needs PAPERCRANE_SECRET, at least {LEAST_SECRET} random characters, "
            "e.g. from `openssl rand -hex 32`."
        )
    return chosen


def with_files(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables, each PAPERCRANE_<NAME>_FILE replaced by what its file holds: for secrets, since who may look at a
    process may read its environment. Raises SystemExit where the file cannot be read or both ways are taken.
    """
    values = dict(environment)
    for variable in [each for each in environment if each.startswith("PAPERCRANE_") and each.endswith(_FILE)]:
        name, path = variable.removesuffix(_FILE), Path(values.pop(variable))
        if name in environment:
            raise SystemExit(f"{name} and {variable} are both set; keep one of them")
        try:
            values[name] = path.read_text("utf-8").strip()
        except (OSError, UnicodeError) as error:
            raise SystemExit(f"{variable}={str(path)!r} cannot be read: {type(error).__name__}") from None
    return values


def _is_production(word: str) -> bool:
    # A misspelt word must not open what production closes.
    if word not in ("development", "production"):
        raise SystemExit(f"PAPERCRANE_ENV={word!r} does not fit; expected development or production")
    return word == "production"


def _convert(variable: str, text: str, default: object) -> object:
    try:
        if isinstance(default, bool):
            return {"1": True, "true": True, "0": False, "false": False, "": False}[text.lower()]
        return whole(text) if isinstance(default, int) else Path(text) if isinstance(default, Path) else text
    except (ValueError, KeyError):
        raise SystemExit(
            f"{variable}={text!r} does not fit; expected {type(default).__name__}, e.g. {default}"
        ) from None


@cache
def settings() -> Settings:
    """This process's settings."""
    return read(os.environ)
