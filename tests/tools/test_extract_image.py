"""Extract image: stored bytes where they show the same, right colours else; masks, inline pictures, names."""

import io
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy
import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf
from PIL import Image, ImageChops, ImageCms

from cluster.kinds import kind_of
from tests import make, make_broken
from tests.make_pictures import drawing, jpeg, masked, photograph, pictures, raw, xobject
from tests.running import Ran, run_tool

SIZE = (60, 40)


def taken(folder: Path, path: Path, **options: object) -> Ran:
    ran = run_tool("extract_image", folder / "taken", [path], **{"smallest": 1, **options})
    assert ran.problem is None, ran.problem
    return ran


def of(folder: Path, *makers: Callable[[Pdf], Any], **options: object) -> list[Image.Image]:
    """The pictures that come out of a document of these."""
    ran = taken(folder, pictures(folder / "合同.pdf", *makers), **options)
    return [Image.open(output.path) for output in ran.outputs]


def photographs(path: Path, *seeds: int) -> Path:
    """A JPEG a page."""
    return pictures(path, *(lambda pdf, seed=seed: jpeg(pdf, photograph(SIZE, seed)) for seed in seeds))


def same(one: Image.Image, two: Image.Image, drift: int = 0) -> bool:
    difference = ImageChops.difference(one.convert("RGB"), two.convert("RGB"))
    return one.size == two.size and max(high for _, high in difference.getextrema()) <= drift


def small() -> Image.Image:
    return photograph(SIZE)


def test_stored_bytes_are_untouched_and_names_tell_the_page(tmp_path: Path) -> None:
    path = photographs(tmp_path / "合同.pdf", 2, 3, 2)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        held = [page.Resources.XObject.Im0.read_raw_bytes() for page in pdf.pages]
        pdf.pages[2].Resources.XObject["/Again"] = pdf.pages[0].Resources.XObject.Im0
        pdf.pages[2].contents_add(b"/Again Do")
        pdf.save(path)
    ran = taken(tmp_path, path)
    assert [output.name for output in ran.outputs] == ["合同_第1页_1.jpg", "合同_第2页_1.jpg"]
    assert [output.path.read_bytes() for output in ran.outputs] == held[:2]
    assert ran.noted("pictures_taken") == {"count": 2} and ran.noted("pictures_twice") == {"count": 1}
    english = taken(tmp_path / "en", path, pages="2", language="en")
    assert [output.name for output in english.outputs] == ["合同_page2_1.jpg"]


def test_samples_come_out_exactly(tmp_path: Path) -> None:
    sources = [small(), drawing(SIZE), small().convert("L"), small().convert("1"), small().quantize(16)]
    made = of(tmp_path, *(lambda pdf, image=image: raw(pdf, image) for image in sources))
    assert [image.mode for image in made] == ["RGB", "RGB", "L", "1", "RGB"]
    assert all(same(*pair) for pair in zip(made, sources, strict=True))


@pytest.mark.parametrize("form", ["original", "png"])
def test_samples_of_sixteen_bits_stay_deep(tmp_path: Path, form: str) -> None:
    """Every value of 0 to 65535 once, grey and in colour."""
    grey = numpy.arange(1 << 16, dtype=">u2").reshape(256, 256)
    colour = numpy.stack([grey, grey[::-1], grey.T], axis=2).astype(">u2")
    made = [(grey.tobytes(), Name.DeviceGray), (colour.tobytes(), Name.DeviceRGB)]
    makers = [lambda pdf, one=each: xobject(pdf, one[0], (256, 256), one[1], bits=16) for each in made]
    ran = taken(tmp_path, pictures(tmp_path / "a.pdf", *makers), format=form)
    read = [cv2.imread(str(each.path), cv2.IMREAD_UNCHANGED) for each in ran.outputs]
    assert numpy.array_equal(read[0], grey) and numpy.array_equal(read[1][:, :, ::-1], colour)


def test_a_vast_picture_is_left_out_and_no_damage(tmp_path: Path) -> None:
    """Or one with a vast mask: 200 million pixels in 25 KB."""

    def vast(pdf: Pdf) -> Any:
        made = raw(pdf, small())
        made.SMask = xobject(pdf, bytes(25_000_000), (20_000, 10_000), Name.DeviceGray, bits=1)
        return made

    both = pictures(tmp_path / "a.pdf", vast, lambda pdf: raw(pdf, small()))
    assert taken(tmp_path, both).noted("pictures_large") == {"count": 1}
    ran = run_tool("extract_image", tmp_path / "none", [pictures(tmp_path / "b.pdf", vast)])
    assert ran.problem and ran.problem.reason == "too_large_when_opened"


def separation(pdf: Pdf) -> Any:
    """A spot colour: full is 100 % magenta."""
    tint = pdf.make_stream(b"{ 0 exch 0 0 }", FunctionType=4, Domain=[0, 1], Range=[0, 1] * 4)
    return xobject(pdf, bytes(range(256)), (16, 16), Array([Name.Separation, Name("/Pink"), Name.DeviceCMYK, tint]))


def lab(pdf: Pdf) -> Any:
    """L* 53, a* 80, b* 67: red."""
    space = Array([Name.Lab, Dictionary(WhitePoint=[0.9505, 1, 1.089], Range=[-128, 127, -128, 127])])
    return xobject(pdf, bytes((136, 208, 195)) * 256, (16, 16), space)


def inverted(pdf: Pdf) -> Any:
    made = raw(pdf, Image.new("L", (16, 16), 40))
    made.Decode = [1, 0]
    return made


def stencil(pdf: Pdf) -> Any:
    """Its left half is painted."""
    made = xobject(pdf, b"\x00\xff" * 16, (16, 16), Name.DeviceGray, bits=1)
    del made["/ColorSpace"]
    made.ImageMask = True
    return made


def keyed(pdf: Pdf) -> Any:
    """Black is transparent."""
    image = Image.new("L", (16, 16), 200)
    image.paste(0, (0, 0, 8, 16))
    made = raw(pdf, image)
    made.Mask = [0, 0]
    return made


def test_every_colour_space_and_mask_is_right(tmp_path: Path) -> None:
    spot, red, flipped, painted, key = of(tmp_path, separation, lab, inverted, stencil, keyed)
    low, high = spot.convert("RGB").getpixel((0, 0)), spot.convert("RGB").getpixel((15, 15))
    assert min(low) > 250 and high[0] > 200 and high[1] < 60
    assert all(abs(a - b) < 20 for a, b in zip(red.convert("RGB").getpixel((8, 8)), (255, 0, 0), strict=True))
    assert flipped.convert("L").getpixel((8, 8)) == 215
    assert (painted.mode, painted.getpixel((2, 2)), painted.getpixel((12, 2))) == ("1", 0, 255)
    assert key.convert("RGBA").getpixel((2, 2))[3] == 0 and key.convert("RGBA").getpixel((12, 2)) == (
        200,
        200,
        200,
        255,
    )


def test_cmyk_is_stored_only_where_others_see_it_right(tmp_path: Path) -> None:
    image = Image.new("CMYK", SIZE, (0, 255, 255, 0))

    def adobe(pdf: Pdf) -> Any:
        held = io.BytesIO()
        image.save(held, "JPEG", quality=95)  # Pillow stores it inverted, as Adobe does
        made = xobject(pdf, held.getvalue(), SIZE, Name.DeviceCMYK, filter=Name.DCTDecode)
        made.Decode = [1, 0] * 4
        return made

    ran = taken(tmp_path, pictures(tmp_path / "a.pdf", adobe, lambda pdf: jpeg(pdf, image)))
    assert [output.kind.key for output in ran.outputs] == ["jpg", "png"]
    for output in ran.outputs:
        red, green, blue = Image.open(output.path).convert("RGB").getpixel((20, 20))
        assert red > 200 and green < 70 and blue < 70, output.name


def test_masks_are_composed(tmp_path: Path) -> None:
    def explicit(pdf: Pdf) -> Any:
        """A mask of twice the pixels hides the left half."""
        made = raw(pdf, Image.new("RGB", (8, 8), "#0000cc"))
        made.Mask = mask = xobject(pdf, b"\xff\x00" * 16, (16, 16), Name.DeviceGray, bits=1)
        del mask["/ColorSpace"]
        mask.ImageMask = True
        return made

    def matted(pdf: Pdf) -> Any:
        """Red at half strength, mixed with black already."""
        made = raw(pdf, Image.new("RGB", (16, 16), (100, 0, 0)))
        made.SMask = raw(pdf, Image.new("L", (16, 16), 128))
        made.SMask.Matte = [0, 0, 0]
        return made

    soft, hard, matte = of(tmp_path, masked, explicit, matted)
    assert soft.mode == "RGBA" and soft.getchannel("A").getextrema() == (0, 255)
    assert same(soft.convert("RGB"), photograph(), 60)
    assert hard.size == (16, 16) and hard.getpixel((3, 3))[3] == 0 and hard.getpixel((12, 3)) == (0, 0, 204, 255)
    assert matte.getpixel((8, 8)) == (199, 0, 0, 128)
    (tmp_path / "jpg").mkdir()
    (flat,) = of(tmp_path / "jpg", explicit, format="jpg")
    assert flat.format == "JPEG" and min(flat.getpixel((2, 2))) > 240 and flat.getpixel((13, 3))[2] > 180


def test_a_profile_goes_along(tmp_path: Path) -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    wide = profile.replace(b"sRGB", b"wide").replace(b"s\0R\0G\0B", b"w\0i\0d\0e")

    def icc(data: bytes, draw: Callable[[Pdf, Image.Image], Any]) -> Callable[[Pdf], Any]:
        def drawn(pdf: Pdf) -> Any:
            made = draw(pdf, small())
            made.ColorSpace = Array([Name.ICCBased, pdf.make_stream(data, N=3)])
            return made

        return drawn

    made = of(tmp_path, icc(profile, jpeg), icc(wide, jpeg), icc(wide, raw))
    assert [image.info.get("icc_profile") for image in made] == [None, wide, wide]
    assert same(made[0], made[1]) and same(made[2], small())


def faxed(pdf: Pdf) -> Any:
    from cluster.engines.pictures.encode import fax

    coded = fax(drawing(SIZE).convert("1"))
    made = xobject(pdf, coded.data, SIZE, Name.DeviceGray, bits=1, filter=Name.CCITTFaxDecode)
    made.DecodeParms = Dictionary(**{key[1:]: value for key, value in coded.parms.items()})
    return made


def jpx(pdf: Pdf) -> Any:
    held = io.BytesIO()
    small().save(held, "JPEG2000")
    made = xobject(pdf, held.getvalue(), SIZE, Name.DeviceRGB, filter=Name.JPXDecode)
    del made["/ColorSpace"]
    return made


def test_fax_and_jpeg_2000_keep_their_codes(tmp_path: Path) -> None:
    ran = taken(tmp_path, path := pictures(tmp_path / "a.pdf", faxed, jpx))
    assert [output.name for output in ran.outputs] == ["a_第1页_1.tif", "a_第2页_1.jp2"]
    assert [kind_of(output.path) for output in ran.outputs] == [output.kind for output in ran.outputs]
    fax, wavelet = (Image.open(output.path) for output in ran.outputs)
    assert fax.info["compression"] == "group4" and same(fax, drawing(SIZE).convert("1"))
    assert same(wavelet, small())
    as_png = taken(tmp_path / "png", path, format="png")
    assert [output.kind.key for output in as_png.outputs] == ["png", "png"]
    assert same(Image.open(as_png.outputs[0].path), fax) and same(Image.open(as_png.outputs[1].path), wavelet, 2)


def make_form(pdf: Pdf, content: bytes, image: Any, side: int) -> Any:
    resources = Dictionary(XObject=Dictionary(I=image))
    return pdf.make_stream(
        content, Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, side, side]), Resources=resources
    )


def test_pictures_are_found_wherever_pages_draw_them(tmp_path: Path) -> None:
    """Inline, in a form, in a pattern, in the look of an annotation, and by a name that is no text; not in glyphs."""
    colours = [(200, 0, 0), (0, 200, 0), (0, 0, 200), (200, 200, 0), (0, 200, 200)]
    with Pdf.new() as pdf:
        pdf.add_blank_page(page_size=(300, 300))
        page = pdf.pages[0].obj
        inner, tiled, noted, odd = (raw(pdf, Image.new("RGB", (20, 20), colour)) for colour in colours[1:])
        plain = zlib.compress(bytes(colours[0]) * 400)
        inline = b"q 50 0 0 50 0 0 cm BI /W 20 /H 20 /BPC 8 /CS /RGB /F /Fl /L %d ID " % len(plain) + plain + b" EI Q\n"
        form = make_form(pdf, b"/I Do", inner, 1)
        pattern = make_form(pdf, b"20 0 0 20 0 0 cm /I Do", tiled, 20)
        for key, value in {"Type": Name.Pattern, "PatternType": 1, "PaintType": 1, "TilingType": 1}.items():
            pattern[f"/{key}"] = value
        pattern.XStep = pattern.YStep = 20
        look = make_form(pdf, b"20 0 0 20 0 0 cm /I Do", noted, 20)
        stamp = Dictionary(Type=Name.Annot, Subtype=Name.Stamp, Rect=[9, 9, 29, 29], AP=Dictionary(N=look))
        page.Annots = Array([stamp])
        page.Resources = Dictionary(
            XObject=Dictionary(F=form), Pattern=Dictionary(P=pattern), ColorSpace=Dictionary(C=Name.Pattern)
        )
        body = b"/F Do /Pattern cs /P scn 0 0 100 100 re f\n"
        page.Contents = pdf.make_stream(inline + body)
        pdf.add_blank_page()
        pdf.pages[1].obj.Resources = Dictionary(XObject=Dictionary({"/I": odd}))
        pdf.pages[1].obj.Contents = pdf.make_stream(b"/I#00 Do /I\xe9 Do")
        pdf.save(tmp_path / "a.pdf")
    ran = taken(tmp_path, tmp_path / "a.pdf")
    found = [Image.open(output.path).convert("RGB").getpixel((5, 5)) for output in ran.outputs]
    assert sorted(found) == sorted(colours) and ran.outputs[-1].name == "a_第2页_1.png"


def test_small_ones_stay_and_nothing_is_said_so(tmp_path: Path) -> None:
    path = pictures(tmp_path / "a.pdf", lambda pdf: raw(pdf, small()), lambda pdf: raw(pdf, drawing((200, 100))))
    assert taken(tmp_path, path, smallest=50).noted("pictures_small") == {"count": 1}
    for each in (make.text(tmp_path / "text.pdf", 1), path):
        none = run_tool("extract_image", tmp_path / "none", [each], smallest=500)
        assert none.problem and none.problem.reason == "no_pictures_found" and each.name in none.problem.text("en")


def test_a_locked_and_a_broken_one(tmp_path: Path) -> None:
    path = pictures(
        tmp_path / "a.pdf", lambda pdf: jpeg(pdf, small()), lambda pdf: xobject(pdf, b"xx", SIZE, Name.DeviceCMYK)
    )
    locked = make_broken.encrypted(tmp_path / "密.pdf", path, user="开门")
    ran = run_tool("extract_image", tmp_path / "locked", [locked], passwords={0: "开门"})
    assert ran.problem is None and ran.outputs[0].path.read_bytes()[:2] == b"\xff\xd8"
    bomb = pictures(tmp_path / "bomb.pdf", lambda pdf: xobject(pdf, b"\0" * 99, (100_000, 100_000), Name.DeviceRGB))
    big = run_tool("extract_image", tmp_path / "bomb", [bomb])
    assert big.problem and big.problem.reason in ("damaged_file", "too_large_when_opened")


@pytest.mark.parametrize("pages", ["2-", "odd"])
def test_only_the_chosen_pages_are_searched(tmp_path: Path, pages: str) -> None:
    path = photographs(tmp_path / "a.pdf", 1, 2, 3)
    wanted = {"2-": ["a_第2页_1.jpg", "a_第3页_1.jpg"], "odd": ["a_第1页_1.jpg", "a_第3页_1.jpg"]}
    assert [output.name for output in taken(tmp_path, path, pages=pages).outputs] == wanted[pages]


def cut_within(path: Path, source: Path, number: int, part: float = 0.6) -> Path:
    """`source` cut off in its picture `number` (from 0), as they stand in the file, behind `part` of its bytes."""
    data = source.read_bytes()
    start = [each.end() for each in re.finditer(rb"/Subtype /Image.*?stream\n", data, re.DOTALL)][number]
    path.write_bytes(data[: start + int((data.index(b"endstream", start) - start) * part)])
    return path


@pytest.mark.parametrize("format", ["original", "png"])
def test_a_file_cut_off_gives_what_pictures_are_left_in_it(tmp_path: Path, format: str) -> None:
    """Its pages are gone, for their tree stood at its end; the last picture is there to its middle."""
    made = [lambda pdf, seed=seed: jpeg(pdf, photograph((300, 200), seed)) for seed in (1, 2)]
    whole = pictures(tmp_path / "合同.pdf", *made)
    ran = taken(tmp_path, cut_within(tmp_path / "坏.pdf", whole, 1), format=format)
    first, second = [Image.open(output.path) for output in ran.outputs]
    pages = [Image.open(each.path) for each in taken(tmp_path / "whole", whole, format=format).outputs]
    assert same(first, pages[0])
    upper = (0, 0, 300, 90)
    assert second.size == (300, 200) and same(second.crop(upper), pages[1].crop(upper))
    assert ran.noted("pictures_cut") == {"count": 1}


def test_pictures_without_their_pages_are_told_and_belong_to_no_chosen_page(tmp_path: Path) -> None:
    whole = photographs(tmp_path / "合同.pdf", 1, 2)
    objects = re.findall(rb"\d+ 0 obj\n.*?endobj\n", whole.read_bytes(), re.DOTALL)
    lost = tmp_path / "坏.pdf"
    lost.write_bytes(b"%PDF-1.4\n" + b"".join(each for each in objects if b"/Subtype /Image" in each))
    ran = taken(tmp_path, lost)
    assert [output.name for output in ran.outputs] == ["坏_页码不明_1.jpg", "坏_页码不明_2.jpg"]
    assert ran.noted("pictures_adrift") == {"count": 2} and ran.noted("pictures_cut") is None
    chosen = run_tool("extract_image", tmp_path / "chosen", [lost], pages="1")
    assert chosen.problem and chosen.problem.reason == "damaged_file"


def test_noise_under_a_lost_lock_is_no_picture(tmp_path: Path) -> None:
    locked = make_broken.encrypted(tmp_path / "密.pdf", photographs(tmp_path / "a.pdf", 1, 2), user="开门")
    cut = make_broken.truncated(tmp_path / "坏.pdf", locked, 0.9)
    ran = run_tool("extract_image", tmp_path / "taken", [cut], passwords={0: "开门"})
    assert ran.problem and ran.problem.reason == "damaged_file"
