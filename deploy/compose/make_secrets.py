"""`python3 deploy/compose/make_secrets.py FOLDER`: write each secret into a file of its own; those that are there stay.

Only the folder's owner may enter it on this machine; in a container each file is
mounted by itself, where its user must be able to read it. Needs nothing but Python.
"""

import secrets
import sys
from collections.abc import Mapping
from pathlib import Path


def files(there: Mapping[str, str]) -> dict[str, str]:
    """Name and content of every secret; `there` are those that an earlier run wrote."""
    postgres, redis = (there.get(name) or secrets.token_urlsafe(32) for name in ("postgres", "redis_password"))
    made = {
        "secret": secrets.token_hex(32),  # what every key of ours is derived from
        "ray_token": secrets.token_hex(32),  # what a node shows to join the cluster
        "redis_password": redis,
        "redis_url": f"redis://:{redis}@redis:6379/0",
        "redis_conf": f"requirepass {redis}\nmasterauth {redis}\n",
        "postgres": postgres,
        "database_url": f"postgresql+asyncpg://papercrane:{postgres}@postgres/papercrane",
        "s3_key": secrets.token_hex(10),
        "s3_secret": secrets.token_urlsafe(40),
        "metrics_token": secrets.token_urlsafe(32),
        "grafana": secrets.token_urlsafe(16),
        "mail": "",  # smtps://user:password@host: what sends one-time passwords
    }
    return made | {name: text for name, text in there.items() if name in made}


def main(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    there = {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}
    for name, text in files(there).items():
        if name not in there:
            (folder / name).write_text(text)
            (folder / name).chmod(0o444)
    (folder / "mail").chmod(0o644)
    print(f"{folder}: put the address of your mail server into `mail`; keep a copy of the rest as secret as it is")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python3 deploy/compose/make_secrets.py FOLDER")
    main(Path(sys.argv[1]))
