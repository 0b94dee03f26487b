"""What a build of the site asks of its environment."""

import os
import subprocess

import pytest

from tests.stack import ROOT

NODE = ROOT / ".venv" / "bin"
LOAD = "await import('./astro.config.mjs'); console.log('goes on')"


def configured(**environment: str) -> subprocess.CompletedProcess[str]:
    """Loads the build's configuration, which is where a build begins."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PAPERCRANE_")}
    path = f"{NODE}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["node", "--input-type=module", "-e", LOAD],
        cwd=ROOT / "site",
        env=kept | {"PATH": path} | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize("url", ["", "http://example.com", "https://example.com/site"])
def test_a_production_build_stops_without_the_public_origin(url):
    ended = configured(PAPERCRANE_ENV="production", PAPERCRANE_API_PUBLIC_URL=url)
    assert ended.returncode != 0
    assert "PAPERCRANE_API_PUBLIC_URL" in ended.stderr


def test_with_it_a_production_build_goes_on():
    ended = configured(PAPERCRANE_ENV="production", PAPERCRANE_API_PUBLIC_URL="https://example.com")
    assert "goes on" in ended.stdout, ended.stderr
