"""The images: what their Containerfile copies is there; built and started where an operator asks for it.

Building takes minutes and needs a base: `PAPERCRANE_TEST_BASE=debian:bookworm-slim pytest tests/deploy/test_images.py`
as root with buildah and runc; PAPERCRANE_TEST_BUILD has more arguments for buildah (mirrors, certificates).
"""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from importlib import metadata
from pathlib import Path

import httpx
import pytest
from packaging.requirements import Requirement

from tests.api.forked import plain
from tests.deploy.container import Container
from tests.deploy.test_sandbox_in_container import PROBE
from tests.make_office import docx, paragraph
from tests.stack import ROOT, Person, free_port, wait_for

FILE = ROOT / "deploy" / "Containerfile"
HOME = "https://papercrane.example"
WORD_TO_PDF, SUCCESS = 6, 3
#: What a package needs changes between them: an image may hold an older Python than this machine.
PYTHONS = [{"python_version": each[:4], "python_full_version": each} for each in ("3.11.0", "3.12.0", "3.13.0")]


def test_what_it_copies_is_there_and_not_ignored():
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    kept = {line[1:] for line in ignored if line.startswith("!")}
    assert "*" in ignored
    stages = {"ground", "packages", "site", "heavy", "light", "code", "base", "api", "worker", "edge"}
    text = FILE.read_text()
    assert set(re.findall(r"^FROM \S+ AS (\w+)$", text, re.MULTILINE)) == stages
    for line in re.findall(r"^COPY (.*)$", text, re.MULTILINE):
        *sources, _ = line.split()
        if sources[0].startswith("--from="):
            assert sources[0].removeprefix("--from=") in stages
            continue
        for source in sources:
            assert (ROOT / source).exists() and source.split("/")[0] in kept, source
            assert not any(fnmatch(source, each) for each in ignored if each not in ("*",)), source


def test_it_installs_only_what_the_setup_knows_and_runs_as_nobody():
    text = FILE.read_text()
    parts = set(re.findall(r"sh deploy/setup.sh (\w+)", text))
    assert parts == {"api", "packages", "site", "worker", "edge"}
    known = re.search(r"usage: sh deploy/setup.sh ([\w|]+)", (ROOT / "deploy" / "setup.sh").read_text())
    assert known and parts <= set(known[1].split("|"))
    for stage in ("api", "worker", "edge"):
        (body,) = re.findall(rf"^FROM base AS {stage}\n(.*?)(?=^FROM|\Z)", text, re.MULTILINE | re.DOTALL)
        assert "USER 10001:10001" in body and "HEALTHCHECK" in body
    assert "--no-install-recommends" in text and "--require-hashes" in (ROOT / "deploy" / "setup.sh").read_text()
    assert re.search(r"^ARG BASE=debian:\w+-slim$", text, re.MULTILINE)


def test_the_api_s_packages_are_of_the_lock_and_bring_what_they_need():
    """That they are enough for what the API does is kept by each of its tests: tests/api/forked.py."""
    names = {plain(name) for name in (ROOT / "deploy/api-packages.txt").read_text().split()}
    lock = (ROOT / "deploy/requirements.lock").read_text()
    assert names <= {plain(name) for name in re.findall(r"^([\w.-]+)==", lock, re.MULTILINE)}
    needed = {
        plain(wanted.name)
        for package in metadata.distributions()
        if plain(package.name) in names
        for wanted in map(Requirement, package.requires or ())
        for python in PYTHONS
        if wanted.marker is None or wanted.marker.evaluate({"extra": "", **python})
    }
    assert needed <= names


@pytest.fixture(scope="module")
def image() -> Iterator[Callable[[str], Path]]:
    """Build a target; the folder with its files."""
    base = os.environ.get("PAPERCRANE_TEST_BASE")
    if not base:
        pytest.skip("building the images takes minutes: set PAPERCRANE_TEST_BASE to a base image to try it")
    if shutil.which("buildah") is None:
        pytest.skip("buildah is not installed")
    own, made = {**os.environ, "STORAGE_DRIVER": "vfs", "BUILDAH_ISOLATION": "chroot"}, []

    def buildah(*arguments: str) -> str:
        ran = subprocess.run(["buildah", *arguments], cwd=ROOT, env=own, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr[-3000:]
        return ran.stdout.strip()

    def build(target: str) -> Path:
        arguments = ["--build-arg", f"BASE={base}", "--build-arg", f"PAPERCRANE_API_PUBLIC_URL={HOME}"]
        arguments += ["--build-arg", f"PUBLIC_SOURCE_URL={HOME}/source.tar.gz"]
        arguments += shlex.split(os.environ.get("PAPERCRANE_TEST_BUILD", ""))
        tag = f"papercrane-{target}"
        buildah("bud", "--layers", "--format=docker", "-f", str(FILE), "--target", target, "-t", tag, *arguments, ".")
        made.append(buildah("from", tag))
        return Path(buildah("mount", made[-1]))

    yield build
    for name in made:
        buildah("rm", name)


def container(root: Path, *command: str, data: Path | None = None, **environment: str) -> Container:
    usual = {
        "PATH": re.findall(r"^ENV PATH=(\S+)", FILE.read_text(), re.MULTILINE)[0],
        "PYTHONPATH": "/opt/papercrane",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PAPERCRANE_DATA": "/data/papercrane",
        "HOME": "/tmp",
    }
    return Container(
        root, ["tini", "--", *command], usual | environment, "/opt/papercrane", own_network=False, data=data
    )


def test_the_api_starts(image, redis_server, tmp_path):
    port = str(free_port())
    told = {"PAPERCRANE_REDIS": redis_server, "PAPERCRANE_API_PORT": port}
    root = image("api")
    assert not list(root.glob("opt/papercrane/.venv/bin/n*ode")) and not (root / "opt/papercrane/site/src").exists()
    assert not list(root.glob("opt/papercrane/.venv/lib/*/site-packages/pymupdf")), "what makes documents is a worker's"
    with container(root, "python", "-m", "api", **told).running(tmp_path / "api") as name:
        probe = ["runc", "exec", name, "python", "-m", "deploy.healthy", f"http://127.0.0.1:{port}/healthz"]
        wait_for(lambda: subprocess.run(probe, capture_output=True, check=False).returncode == 0)
        assert "纸鹤" in httpx.get(f"http://127.0.0.1:{port}/").text


def test_the_workers_sandbox_works(image, tmp_path):
    root = image("worker")
    production = {"PAPERCRANE_ENV": "production", "PAPERCRANE_SECRET": "s" * 40}
    probe = PROBE.replace('"heavy"', '"office"')  # with LibreOffice warm inside
    ran = container(root, "python", "-c", probe, **production).run(tmp_path / "worker")
    assert ran.stdout == "a sandbox works\n", ran.stderr
    share = root / "opt/papercrane/.venv/share/libreoffice"
    assert list(share.rglob("*.ui")), "the windows of LibreOffice are missing"


def test_a_document_goes_through_all_of_them(image, redis_server, tmp_path):
    data, port, behind = volume(tmp_path / "data"), str(free_port()), str(free_port())
    told = {"PAPERCRANE_REDIS": redis_server, "PAPERCRANE_SECRET": "s" * 40, "PAPERCRANE_API_PORT": behind}
    slots = {"PAPERCRANE_SLOTS": "office=1", "PAPERCRANE_TOKEN": "/data/token", "PAPERCRANE_RAY_PORT": str(free_port())}
    api = container(image("api"), "python", "-m", "api", data=data, PAPERCRANE_API_PROXIES="1", **told)
    worker = container(image("worker"), "python", "-m", "deploy.up", "worker", data=data, **told, **slots)
    squeeze = ["sh", "deploy/edge/run.sh", f"--api=127.0.0.1:{behind}", f"--listen={port}"]
    edge = container(image("edge"), *squeeze, PAPERCRANE_API_HOSTS="127.0.0.1")
    with (
        api.running(tmp_path / "api"),
        worker.running(tmp_path / "worker"),
        edge.running(tmp_path / "edge"),
    ):
        wait_for(lambda: answers(f"http://127.0.0.1:{behind}/readyz"), 180)
        wait_for(lambda: answers(f"http://127.0.0.1:{port}/PdfMerge"), 280)
        person = Person(f"http://127.0.0.1:{port}")
        made = person.create(WORD_TO_PDF, person.upload(docx(tmp_path / "a.docx", paragraph("纸鹤 letter"))))
        assert person.follow(made["data"]["taskId"])["status"] == SUCCESS


def volume(folder: Path) -> Path:
    """What API and slots share, as the images' user owns it, with Ray's token."""
    folder.mkdir(mode=0o700)
    (folder / "token").write_text("5" * 64)
    for each in (folder, folder / "token"):
        os.chown(each, 10001, 10001)
    return folder


def test_the_edge_serves_the_site(image, tmp_path):
    port = str(free_port())
    command = ["sh", "deploy/edge/run.sh", "--api=127.0.0.1:9", f"--listen={port}"]
    with container(image("edge"), *command, PAPERCRANE_API_HOSTS="127.0.0.1").running(tmp_path / "edge"):
        wait_for(lambda: answers(f"http://127.0.0.1:{port}/PdfMerge"), 280)  # the site is squeezed first
        assert httpx.get(f"http://127.0.0.1:{port}/api/toolkit/tool/getToolGroups").status_code == 503


def answers(address: str) -> bool:
    try:
        return httpx.get(address).status_code == 200
    except httpx.HTTPError:
        return False
