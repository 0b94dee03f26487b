"""deploy/README.md can be followed: each block says what tried it, and all that it names is there."""

import importlib.util
import re

import pytest

from deploy.up import ROLES
from tests.deploy.test_compose import FOLDER, lines_of_env
from tests.stack import ROOT

TEXT = (ROOT / "deploy" / "README.md").read_text()
BLOCKS = re.findall(r"^```sh\n(.*?)^```\n\n(.*?)(?:\n\n|\Z)", TEXT, re.MULTILINE | re.DOTALL)


def test_there_are_blocks_and_none_is_left_out():
    assert len(BLOCKS) == TEXT.count("```sh") > 8


@pytest.mark.parametrize(("commands", "after"), BLOCKS, ids=[each[0].splitlines()[0][:40] for each in BLOCKS])
def test_each_block_says_what_tried_it(commands, after):
    assert after.startswith(("Tried: ", "Not tried here: ")), after
    tests = re.findall(r"`((?:tests|deploy)/\S+)`", after)
    assert tests or after.startswith("Not tried here: ")
    assert all((ROOT / each).exists() for each in tests)
    for file in re.findall(r"(?:^|[ =])(deploy/[\w./-]+)", commands, re.MULTILINE):
        made = file.startswith(("deploy/compose/secrets", "deploy/compose/env", "deploy/kubernetes/onprem/secrets"))
        assert made or (ROOT / file).exists(), file
    for module in re.findall(r"-m ([\w.]+)", commands):
        assert module == "deploy.edge" or importlib.util.find_spec(module), module
    assert set(re.findall(r"-m deploy\.up (\w+)", commands)) <= ROLES.keys()
    assert set(re.findall(r"--target (\w+)", commands)) <= {"api", "worker", "edge"}


def test_every_setting_it_names_is_one():
    named = set(re.findall(r"PAPERCRANE_[A-Z0-9_]*[A-Z0-9]", TEXT))
    known = lines_of_env().keys()
    families = ("PAPERCRANE_API_ALIPAY", "PAPERCRANE_S3", "PAPERCRANE_API_STS")
    assert {each for each in named if each not in known and not each.startswith(families)} == set()


def test_its_anchors_are_there():
    heads = {re.sub(r"\W+", "-", each.lower()) for each in re.findall(r"^## (.*)$", TEXT, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([\w-]+)\)", TEXT)) <= heads
    assert (FOLDER / "env.example").exists()
