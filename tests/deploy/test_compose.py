"""compose.yaml, its env and its secrets: of the published shape, complete, and closed as far as each part can be."""

import json
import os
import re
import stat
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import fields
from pathlib import Path

import jsonschema
import pytest
import redis
import yaml

from api.settings import PREFIX, Rights
from api.settings import Settings as ApiSettings
from api.settings import read as api_read
from cluster.settings import Settings, read
from tests.stack import ROOT, free_port, wait_for

FOLDER = ROOT / "deploy" / "compose"
OURS = ("edge", "api-a", "api-b", "worker", "join")
#: Read by deploy.node, or by Compose itself.
_MACHINE = {"PAPERCRANE_NODE_IP", "PAPERCRANE_RAY_PORT", "PAPERCRANE_SLOTS", "PAPERCRANE_TOKEN"}
_COMPOSE = {"PAPERCRANE_STORE_HOST", "PAPERCRANE_HEAD"} | {f"PAPERCRANE_{x}_IMAGE" for x in ("API", "WORKER", "EDGE")}


@pytest.fixture(scope="module")
def compose():
    return yaml.safe_load((FOLDER / "compose.yaml").read_text())


def settings_there_are() -> set[str]:
    cluster = {"PAPERCRANE_ENV"} | {f"PAPERCRANE_{name.upper()}" for name in vars(Settings()) if name != "production"}
    found = set()
    for name, default in vars(ApiSettings()).items():
        limits = [f"_{each.name.upper()}" for each in fields(Rights) if each.name != "queue"]
        found |= {f"{PREFIX}{name.upper()}{limit}" for limit in (limits if isinstance(default, Rights) else [""])}
    return cluster | found


def lines_of_env() -> dict[str, tuple[str, bool]]:
    """Variable -> its value, and whether the line stands (else it tells the default)."""
    found = re.findall(r"^(#?)([A-Z0-9_]+)=(.*)$", (FOLDER / "env.example").read_text(), re.MULTILINE)
    assert len({name for _, name, _ in found}) == len(found), "a setting stands twice"
    return {name: (value, not mark) for mark, name, value in found}


def test_it_has_the_published_shape(compose):
    schema = json.loads((ROOT / "tests" / "deploy" / "schemas" / "compose-spec.json").read_text())
    jsonschema.Draft201909Validator(schema).validate(compose)


def test_every_setting_stands_in_env_and_no_other():
    named = {name for name in lines_of_env() if name.startswith("PAPERCRANE_")}
    assert named - _MACHINE - _COMPOSE == settings_there_are()
    assert named >= _MACHINE | _COMPOSE


def test_what_env_tells_as_default_is_the_default():
    told = {name: value for name, (value, stands) in lines_of_env().items() if not stands and value}
    own = {"PAPERCRANE_DATA", "PAPERCRANE_API_SITE", "PAPERCRANE_API_PACKAGES"}  # of the image, below the checkout
    told = {name: value for name, value in told.items() if name not in own}
    assert read(told) == Settings()
    assert api_read(told) == ApiSettings()


def test_env_as_it_stands_is_read(tmp_path):
    given = {name: value for name, (value, stands) in lines_of_env().items() if stands}
    (tmp_path / "secret").write_text("s" * 40)
    chosen = read(given | {"PAPERCRANE_SECRET_FILE": str(tmp_path / "secret")})
    assert (chosen.production, chosen.store) == (True, "s3")
    assert chosen.s3_endpoint == f"https://{given['PAPERCRANE_STORE_HOST']}"
    assert api_read(given).proxies == 1


def test_compose_uses_only_variables_that_env_tells(compose):
    text = (FOLDER / "compose.yaml").read_text()
    assert set(re.findall(r"\$\{([A-Z0-9_]+)", text)) <= lines_of_env().keys()


def test_no_secret_is_in_an_environment(compose):
    for name, service in compose["services"].items():
        for variable, value in (service.get("environment") or {}).items():
            secret = re.search("SECRET|PASSWORD|TOKEN|KEY|_URL$|DATABASE|MAIL", variable)
            assert not secret or value.startswith("/run/secrets/"), (name, variable)
            if str(value).startswith("/run/secrets/"):
                assert value.removeprefix("/run/secrets/") in service["secrets"], (name, variable)
        assert set(service.get("secrets", [])) <= compose["secrets"].keys(), name


def test_ours_have_no_capability_and_write_nowhere_but_their_volume(compose):
    for name in OURS:
        service = compose["services"][name]
        assert service["cap_drop"] == ["ALL"] and service["read_only"], name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert not service.get("privileged") and "cap_add" not in service, name
        assert [volume.rpartition(":")[2] for volume in service["volumes"]] == ["/data"], name
    assert "USER 10001" in (ROOT / "deploy" / "Containerfile").read_text()


def test_what_it_mounts_is_there(compose):
    for name, service in compose["services"].items():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert (FOLDER / source).exists() if source.startswith(".") else source in compose["volumes"], (
                name,
                volume,
            )
    assert (FOLDER / "sandbox-seccomp.json").exists()


def test_secrets_are_made_once_for_their_owner(compose, tmp_path):
    folder = tmp_path / "secrets"
    command = [sys.executable, FOLDER / "make_secrets.py", folder]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    made = {path.name: path.read_text() for path in folder.iterdir()}
    assert made.keys() == compose["secrets"].keys() - {"tls_certificate", "tls_key"}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert made["redis_password"] in made["redis_url"] and made["postgres"] in made["database_url"]
    (folder / "grafana").unlink()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    again = {path.name: path.read_text() for path in folder.iterdir()}
    assert {name: text for name, text in again.items() if name != "grafana"} == {
        name: text for name, text in made.items() if name != "grafana"
    }


def test_redis_its_replica_and_a_sentinel_find_each_other(tmp_path):
    """The scripts of their containers, with the folders that these would have."""
    ports = [free_port() for _ in range(3)]
    master, replica, sentinel = ports
    secrets = tmp_path / "secrets"
    subprocess.run([sys.executable, FOLDER / "make_secrets.py", secrets], check=True, stdout=subprocess.DEVNULL)
    password = (secrets / "redis_password").read_text()
    usual = {"PATH": os.environ["PATH"], "REDIS_ANNOUNCE": "127.0.0.1", "REDIS_REPLICAS": "1"}
    watched = f"127.0.0.1 {master}"
    parts = [
        ("redis.sh", {"REDIS_PORT": str(master)}),
        ("redis.sh", {"REDIS_PORT": str(replica), "REDIS_FOLLOW": watched}),
        ("sentinel.sh", {"SENTINEL_PORT": str(sentinel), "REDIS_MASTER": watched, "SENTINEL_QUORUM": "1"}),
    ]
    with ExitStack() as stack:
        for port, (script, more) in zip(ports, parts, strict=True):
            data = tmp_path / str(port)
            data.mkdir()
            text = (FOLDER / script).read_text().replace("/run/secrets", str(secrets)).replace("/data", str(data))
            process = subprocess.Popen(["sh", "-c", text], env=usual | more, stdout=subprocess.DEVNULL)
            stack.enter_context(process)
            stack.callback(process.kill)
            wait_for(lambda port=port: answers(port, password))
        told = stack.enter_context(redis.Redis(port=sentinel, password=password, decode_responses=True))
        wait_for(lambda: [each["port"] for each in told.sentinel_slaves("papercrane")] == [replica])
        main = stack.enter_context(redis.Redis(port=master, password=password))
        wait_for(lambda: main.info("replication").get("min_slaves_good_slaves") == 1)
        assert main.set("kept", "by two")
        with pytest.raises(redis.AuthenticationError), redis.Redis(port=sentinel) as nobody:
            nobody.sentinel_masters()


def answers(port: int, password: str) -> bool:
    try:
        with redis.Redis(port=port, password=password) as asked:
            return bool(asked.ping())
    except redis.RedisError:
        return False


def test_git_never_sees_the_secrets():
    ignored = subprocess.run(["git", "check-ignore", "deploy/compose/secrets/secret", "deploy/compose/env"], cwd=ROOT)
    assert ignored.returncode == 0 or not Path(ROOT / ".git").exists()
