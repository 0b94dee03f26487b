"""The edge in a container as compose.yaml describes it: nobody's user, no capability, read-only but for its volume."""

import re
import sys
from pathlib import Path

import httpx

from tests.api.test_edge import small_site
from tests.deploy.test_images import FILE, answers
from tests.deploy.test_sandbox_in_container import host
from tests.stack import free_port, wait_for


def test_it_serves_the_site(tmp_path):
    """nginx lies in /usr/sbin, which the images' PATH had forgotten: the site was laid out, and nobody served it."""
    port, site, edge = str(free_port()), tmp_path / "site", host(tmp_path)
    small_site(site, "one")
    (path,) = re.findall(r"^ENV PATH=(\S+)", FILE.read_text(), re.MULTILINE)
    edge.binds = {**edge.binds, str(site): site}
    edge.command = ["sh", "deploy/edge/run.sh", "--api=127.0.0.1:9", f"--listen={port}"]
    edge.environment = {
        **edge.environment,
        "PATH": path.replace("/opt/papercrane/.venv/bin", str(Path(sys.prefix).resolve() / "bin")),
        "PAPERCRANE_ENV": "development",
        "PAPERCRANE_API_SITE": str(site),
        "PAPERCRANE_API_HOSTS": "127.0.0.1",
    }
    edge.own_network = False
    with edge.running(tmp_path / "edge"):
        wait_for(lambda: answers(f"http://127.0.0.1:{port}/PdfMerge"))
        assert httpx.get(f"http://127.0.0.1:{port}/api/toolkit/tool/getToolGroups").status_code == 503
