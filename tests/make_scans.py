"""Pictures of text with known words: what a scanner or a phone would give. Each function returns a `Scan`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy
from PIL import Image, ImageDraw, ImageFilter, ImageFont

SANS = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
SERIF = "/usr/share/fonts/opentype/noto/NotoSerifCJK-Regular.ttc"
LATIN = "/usr/share/fonts/truetype/liberation2/LiberationSerif-Regular.ttf"
#: Scripts in which the reader has no letters: words and a font that has them.
_NOTO = "/usr/share/fonts/truetype/noto/NotoSans{}-Regular.ttf"
STRANGE = {
    "hangul": ("이것은 한국어 문자 인식을 위한 시험 문서입니다", SANS),
    "hebrew": ("שלום עולם זהו מסמך לדוגמה לבדיקת זיהוי תווים", _NOTO.format("Hebrew")),
    "devanagari": ("यह एक परीक्षण दस्तावेज़ है जिसमें हिंदी पाठ है", _NOTO.format("Devanagari")),
    "thai": ("นี่คือเอกสารทดสอบสำหรับการรู้จำอักขระภาษาไทย", _NOTO.format("Thai")),
    "cyrillic": ("Это проверочный документ для распознавания", _NOTO.format("")),
}
VIETNAMESE = "Tiếng Việt là ngôn ngữ của người Việt và là ngôn ngữ chính thức"
NOTO = _NOTO.format("")
#: A4 at 150 dpi.
A4 = (1240, 1754)

ZH = (
    "春天的早晨，山谷里的雾气还没有散去，村口的老槐树下已经坐满了人。他们一边喝茶，一边谈论今年的收成。",
    "根据合同第12条的规定，甲方应当在2024年6月30日之前支付全部款项，共计人民币350000元整。",
    "图书馆位于城市中心，藏书超过八十万册，每天开放十二个小时，周末也不休息，深受读者欢迎。",
    "科学研究表明，适量运动能够改善睡眠，提高记忆力，降低心脏病的风险，但过度运动会伤害关节。",
    "这座桥建于宋代，全长二百余米，桥身用青石砌成，历经数次洪水仍然屹立不倒，是古代工程的杰作。",
    "学校决定从下学期开始，在每周三下午增设手工课程，学生可以自由选择木工、陶艺或者编织。",
)
EN = (
    "The morning train left the station at seven, and by noon it had crossed the whole valley without a stop.",
    "According to section 12 of the agreement, the buyer shall pay 350000 dollars before the end of June 2024.",
    "The library stands in the middle of the town, holds more than eight hundred thousand books, and is always full.",
    "Recent research shows that regular exercise improves sleep and memory, but too much of it can hurt the joints.",
    "The stone bridge was built nine hundred years ago and has survived many floods, a true work of engineering.",
    "Students may choose between carpentry, pottery and weaving on Wednesday afternoons from the next term onwards.",
)


@dataclass(frozen=True)
class Scan:
    """A picture and the words on it, in reading order, one string a paragraph."""

    image: Image.Image
    words: tuple[str, ...]

    def save(self, path: Path, **options: object) -> Path:
        self.image.save(path, **options)
        return path


def page(words: Sequence[str] = ZH, *, size: tuple[int, int] = A4, points: int = 30, font: str = SANS) -> Scan:
    """One column of paragraphs."""
    image = Image.new("RGB", size, "white")
    _column(image, words, (size[0] // 12, size[1] // 14, size[0] * 11 // 12), points, font)
    return Scan(image, tuple(words))


def columns(words: Sequence[str] = ZH, count: int = 2, *, points: int = 24, font: str = SANS, title: str = "") -> Scan:
    """The same paragraphs in `count` columns, each holding an equal share, below a title across the page."""
    image = Image.new("RGB", A4, "white")
    left, top, gap = A4[0] // 14, A4[1] // 14, A4[0] // 24
    if title:
        face = ImageFont.truetype(font, points * 2)
        ImageDraw.Draw(image).text((left, top), title, fill="black", font=face)
        top += points * 4
    width = (A4[0] - 2 * left - gap * (count - 1)) // count
    share = -(-len(words) // count)
    for number in range(count):
        start = left + number * (width + gap)
        _column(image, words[number * share : (number + 1) * share], (start, top, start + width), points, font)
    return Scan(image, (*([title] if title else []), *words))


def turned(scan: Scan, degrees: int) -> Scan:
    """The page turned clockwise, as it lies in a scanner."""
    return replace(scan, image=scan.image.rotate(-degrees, expand=True, fillcolor="white"))


def noisy(scan: Scan, amount: float = 24, seed: int = 1) -> Scan:
    """Grain over everything, and a little blur."""
    pixels = numpy.asarray(scan.image).astype(numpy.float32)
    pixels += numpy.random.default_rng(seed).normal(0, amount, pixels.shape)
    image = Image.fromarray(numpy.clip(pixels, 0, 255).astype(numpy.uint8))
    return replace(scan, image=image.filter(ImageFilter.GaussianBlur(0.6)))


def skewed(scan: Scan, degrees: float = 1.5) -> Scan:
    """A page that lay a little askew."""
    return replace(scan, image=scan.image.rotate(degrees, Image.Resampling.BICUBIC, fillcolor="white"))


def upright(words: Sequence[str], *, points: int = 34, font: str = SERIF, size: tuple[int, int] = A4) -> Scan:
    """Paragraphs written from top to bottom, their lines from right to left."""
    image = Image.new("RGB", size, "white")
    face, pen = ImageFont.truetype(font, points), ImageDraw.Draw(image)
    top, x = size[1] // 12, size[0] - size[0] // 12 - points
    count = (size[1] - 2 * top) // round(points * 1.12)
    for text in words:
        for at in range(0, len(text), count):
            for number, letter in enumerate(text[at : at + count]):
                mark = letter in "，。、"  # in the upper right corner of its square
                where = (x + points * 0.55 * mark, top + number * points * 1.12 - points * 0.5 * mark)
                pen.text(where, letter, fill="black", font=face)
            x -= round(points * 1.8)
        x -= round(points * 0.4)
    return Scan(image, tuple(words))


def photographed(scan: Scan, *, lean: float = 0.12, shadow: float = 0.5, seed: int = 1) -> Scan:
    """The page on a dark table, seen aslant by a telephone: `lean` draws its upper edge in, a shadow falls from the
    right to that share of the light, and all is grained."""
    width, height = scan.image.size
    wide, high = round(width * 1.25), round(height * 1.2)
    left, top = (wide - width) / 2, (high - height) / 2
    inward = width * lean
    there = [(left + inward, top * 1.3), (left + width - inward * 0.6, top * 0.8), (left + width, top + height),
             (left - width * 0.03, top + height * 0.98)]  # fmt: skip
    grain = numpy.random.default_rng(seed)
    table = Image.fromarray(grain.normal(60, 6, (high, wide, 3)).astype(numpy.uint8))
    matrix = _perspective(there, [(0, 0), (width, 0), (width, height), (0, height)])
    how = (wide, high), Image.Transform.PERSPECTIVE, matrix
    warped = scan.image.convert("RGB").transform(*how, Image.Resampling.BICUBIC)
    page = Image.new("L", scan.image.size, 255).transform(*how)
    light = numpy.linspace(1, shadow, wide)[None, :, None] * numpy.linspace(0.95, 1, high)[:, None, None]
    pixels = numpy.asarray(Image.composite(warped, table, page)) * 0.92 * light
    pixels += grain.normal(0, 6, pixels.shape)
    return replace(scan, image=Image.fromarray(numpy.clip(pixels, 0, 255).astype(numpy.uint8)))


def _perspective(there: Sequence[tuple[float, float]], here: Sequence[tuple[float, float]]) -> list[float]:
    """The eight numbers by which Pillow finds for each point of the result where it was."""
    rows, values = [], []
    for (x, y), (u, v) in zip(there, here, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    return numpy.linalg.solve(numpy.array(rows), numpy.array(values)).tolist()


def error_rate(found: str, wanted: str) -> float:
    """Character errors (Levenshtein, blanks ignored) for each wanted character."""
    one, two = "".join(found.split()), "".join(wanted.split())
    row = numpy.arange(len(two) + 1)
    codes = numpy.frombuffer(two.encode("utf-32-le"), numpy.uint32)
    for count, each in enumerate(one, 1):
        # Deletions and substitutions at once; then insertions as a running minimum.
        best = numpy.minimum(row[1:] + 1, row[:-1] + (codes != ord(each)))
        row = numpy.concatenate([[count], best])
        steps = numpy.arange(len(row))
        row = numpy.minimum.accumulate(row - steps) + steps
    return float(row[-1]) / max(1, len(two))


def _column(image: Image.Image, words: Sequence[str], place: tuple[int, int, int], points: int, font: str) -> None:
    left, top, right = place
    face, draw = ImageFont.truetype(font, points), ImageDraw.Draw(image)
    for text in words:
        for line in _wrap(text, face, right - left):
            draw.text((left, top), line, fill="black", font=face)
            top += round(points * 1.6)
        top += round(points * 0.8)


def _wrap(text: str, face: ImageFont.FreeTypeFont, width: int) -> list[str]:
    """Lines that fit: broken at blanks, or anywhere where there are none."""
    pieces = text.split(" ") if " " in text and text.isascii() else list(text)
    glue = " " if len(pieces) > 1 and text.isascii() else ""
    lines = [""]
    for piece in pieces:
        longer = f"{lines[-1]}{glue}{piece}" if lines[-1] else piece
        # A mark never begins a line; it hangs over, as in print.
        if lines[-1] and piece not in "，。、；：" and face.getlength(longer) > width:
            lines.append(piece)
        else:
            lines[-1] = longer
    return lines


def heic(scan: Scan, path: Path) -> Path:
    """The picture as an iPhone keeps it."""
    import pillow_heif

    pillow_heif.from_pillow(scan.image.convert("RGB")).save(path, quality=90)
    return path
