"""The eyes of the tests: each must see what is there, and see the difference when it is not."""

from pathlib import Path

import numpy
import pytest
from PIL import Image

from tests import look, make


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make.rich(tmp_path_factory.mktemp("look") / "rich.pdf", 6)


def test_text_of_each_page_is_its_own(rich: Path) -> None:
    texts = look.texts_of(rich)
    assert [make.marker(number) in text for number, text in enumerate(texts, 1)] == [True] * 6
    assert make.marker(2) not in look.text_of(rich, 1)


def test_chinese_text_is_read_and_drawn(tmp_path: Path) -> None:
    path = make.chinese(tmp_path / "zh.pdf", 2)
    assert "第 2 页 机密 ①€—…龘" in look.text_of(path, 2)
    assert look.ink(look.render(path)) > 0.005
    assert look.fonts_of(path, 1) == {"ABCDEF+NotoSansCJKsc-Regular-Identity-H"}


def test_looks_like_tells_pages_apart(rich: Path, tmp_path: Path) -> None:
    assert look.looks_like(rich, rich, 1) == pytest.approx(1.0)
    assert look.looks_like(rich, make.blank(tmp_path / "blank.pdf"), 1) < 0.97
    assert look.looks_like(rich, make.blank(tmp_path / "small.pdf", size=(100, 100)), 1) == 0.0
    assert look.ssim(Image.new("RGB", (50, 50), "white"), Image.effect_noise((50, 50), 90).convert("RGB")) < 0.5


@pytest.mark.parametrize("mode", ["RGB", "L"])
@pytest.mark.parametrize("sigma", [2, 60])
def test_likeness_is_what_scikit_image_tells(mode: str, sigma: int) -> None:
    from skimage.metrics import structural_similarity

    red, green, blue = (Image.effect_noise((90, 60), sigma) for _ in "RGB")
    grey = Image.merge("RGB", [red] * 3)
    one, other = (
        (grey, Image.merge("RGB", [green] * 3)) if mode == "L" else (grey, Image.merge("RGB", [red, green, blue]))
    )
    told = structural_similarity(*(numpy.asarray(each) for each in (one, other)), channel_axis=2)
    assert look.ssim(one, other) == pytest.approx(told, abs=1e-6) and told < 0.99


def test_bookmarks_links_and_destinations(rich: Path) -> None:
    assert look.outline_of(rich)[:3] == [
        look.Entry("Chapter 1", 1, 0),
        look.Entry("Section 1", 2, 1),
        look.Entry("Chapter 2", 3, 0),
    ]
    mine = [link for link in look.links_of(rich) if link.page == 6]
    assert mine == [
        look.Link(6, 1, None),
        look.Link(6, 1, None),
        look.Link(6, None, "https://example.org/6"),
    ]
    assert look.destinations_of(rich) == {f"place-{number}": number for number in range(1, 7)}


def test_fields_notes_attachments_labels_title_tags(rich: Path) -> None:
    assert look.fields_of(rich)["field-3"] == "value-3"
    assert (3, "field-3") in look.widgets_of(rich)
    assert look.notes_of(rich) == [(number, f"note-{number}") for number in range(1, 7)]
    assert look.attachments_of(rich) == {"1.txt": b"attached text"}
    assert look.labels_of(rich) == ["i", "ii", "1", "2", "3", "4"]
    assert look.title_of(rich) == "报告 Report"
    assert look.tagged_pages(rich) == [1, 2, 3, 4, 5, 6]


def test_pictures_and_their_packing(tmp_path: Path) -> None:
    (found,) = look.images_of(make.scan(tmp_path / "scan.pdf", 1))
    assert found[2:] == (8, "DCTDecode")
    assert look.images_of(make.scan(tmp_path / "bits.pdf", 1, bits=1))[0][2] == 1


def test_all_bytes_digs_into_streams_and_strings(rich: Path, tmp_path: Path) -> None:
    held = look.all_bytes(rich)
    for hidden in (make.marker(4).encode(), b"note-4", b"value-4", b"attached text", "报告".encode(), b"Section 2"):
        assert hidden in held
    assert make.marker(4).encode() not in look.all_bytes(make.text(tmp_path / "other.pdf", 3))


def test_locked_documents_open_with_their_password_only(tmp_path: Path) -> None:
    plain = make.text(tmp_path / "plain.pdf")
    for method in ("aes256", "aes128", "rc4"):
        locked = make.encrypted(tmp_path / f"{method}.pdf", plain, method=method)
        assert make.marker(1) in look.text_of(locked, 1, "secret")
        with pytest.raises(Exception, match="assword"):
            look.text_of(locked, 1)


def test_geometry_pages_show_their_words(tmp_path: Path) -> None:
    path = make.geometry(tmp_path / "geometry.pdf")
    assert look.page_count(path) == 20
    assert all(look.ink(look.render(path, number)) > 0.002 for number in (1, 6, 12, 14, 20))
    assert look.render(path, 5).size == (300, 460)
    assert look.render(path, 6).size == (460, 300)
