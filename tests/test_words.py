"""The words that users read: both languages say the same, and every key has its sentence."""

import re
from pathlib import Path

import pytest
import yaml

import api.words
import cluster.words
from api.problems import CODES
from api.words import REFUSALS
from cluster.words import NOTES, PROBLEMS, STAGES, Words


@pytest.mark.parametrize("words", [PROBLEMS, NOTES, STAGES, REFUSALS], ids=["problems", "notes", "stages", "refusals"])
def test_both_languages_say_the_same(words: Words) -> None:
    for key, said in words.items():
        named = [set(re.findall(r"{\w+}", each)) for each in said.values()]
        assert named[0] == named[1], key
        assert re.search("[\u4e00-\u9fff]", said["zh"]) and not re.search("[\u4e00-\u9fff]", said["en"]), key


def test_no_file_has_a_sentence_that_another_lacks() -> None:
    for package in (api.words, cluster.words):
        files = [yaml.safe_load(path.read_text()) for path in sorted(Path(str(package.__file__)).parent.glob("*.yaml"))]
        keys = [{section: list(held) for section, held in each.items()} for each in files]
        assert len(files) == 2 and keys[0] == keys[1]


def test_every_refusal_has_a_code_and_no_twin_among_problems() -> None:
    assert set(CODES) == set(REFUSALS)
    assert not set(REFUSALS) & set(PROBLEMS)
    assert all(code in (3001, *range(400, 600)) for code in CODES.values())
