"""The bar that people watch: over every stage it only grows."""

import pytest

from cluster.worker.bar import Bar

COMPRESS = [
    ("working", 0), ("images", 0.07), ("images", 0.93), ("fonts", 0), ("writing", 0),
    ("images", 0.1), ("images", 1), ("fonts", 0), ("writing", 0), ("images", 1), ("writing", 0),
]  # fmt: skip
MERGE = [("working", 0), ("working", 0.5), ("working", 1), ("writing", 1)]
ONE_AFTER_ANOTHER = [("rendering", share / 100) for share in (0, 30, 20, 60, 55, 100)]


@pytest.mark.parametrize("told", [COMPRESS, MERGE, ONE_AFTER_ANOTHER])
def test_it_never_runs_backwards_nor_past_its_end(told):
    bar = Bar()
    shown = [bar.at(share, stage) for stage, share in told]
    assert shown == sorted(shown)
    assert shown[-1] < 1


def test_a_single_stage_fills_it_evenly():
    bar = Bar()
    assert [bar.at(share, "working") for share in (0, 0.5, 1)] == pytest.approx([0, 0.45, 0.9])


def test_a_second_try_still_moves_it():
    bar = Bar()
    shown = [bar.at(share, stage) for stage, share in COMPRESS]
    assert shown[6] - shown[4] > 0.1


def test_news_that_overtake_each_other_do_not_jump():
    bar = Bar()
    bar.at(0.5, "rendering")
    assert bar.at(0.49, "rendering") == bar.at(0.5, "rendering")


def test_a_stage_that_tells_the_whole_goes_on_where_it_is():
    bar = Bar()
    bar.at(0.5, "planning")
    assert bar.at(0.5, "rendering") == pytest.approx(0.45)
    assert bar.at(1, "rendering") == pytest.approx(0.9)
