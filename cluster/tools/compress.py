"""Make a PDF smaller: pictures, fonts and structure, each only where it helps and nobody sees it."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from cluster.fields import Toggle, shown
from cluster.kinds import PDF
from cluster.opening import open_judged
from cluster.telling import tell_counts
from cluster.tool import Bounds, Group, Source, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.compress.squeeze import Made, Original, Plan
    from cluster.engines.pdf.counts import Counts

_LEVELS = {
    "light": ("轻度 · 看不出差别，适合打印、存档", "Light · nobody sees a difference: to print, to keep"),
    "standard": ("标准 · 推荐，适合微信、邮件", "Standard · recommended: for e-mail and messages"),
    "strong": ("强力 · 文件最小，适合有大小限制的上传", "Strong · the smallest file: for uploads with a limit"),
    "custom": ("自定义 · 自己定图片质量和分辨率", "Custom · set quality and resolution of pictures yourself"),
    "target": ("指定大小 · 压到多少 KB 或 MB 以内", "Target size · at most so many KB or MB"),
}
_DETAILS = {
    "light": ("图片质量 55–97（逐图选取），200 dpi", "picture quality 55–97 (chosen for each), 200 dpi"),
    "standard": ("图片质量 35–92（逐图选取），150 dpi", "picture quality 35–92 (chosen for each), 150 dpi"),
    "strong": ("图片质量 20–85（逐图选取），110 dpi", "picture quality 20–85 (chosen for each), 110 dpi"),
}


@options
class Options:
    level: Annotated[
        Literal["light", "standard", "strong", "custom", "target"],
        shown("压缩级别", "Level", "choice", choices=_LEVELS, details=_DETAILS),
    ] = "standard"
    exact: Annotated[
        Toggle,
        shown(
            "图片像素不变",
            "Keep every pixel",
            "toggle",
            hint=("图片原质量、原 dpi，文件会大一些", "Original quality and dpi of pictures; the file gets larger"),
            when={"level": ["light"]},
        ),
    ] = False
    quality: Annotated[
        int, Field(ge=1, le=100), shown("图片质量", "Picture quality", "slider", when={"level": ["custom"]})
    ] = 75
    dpi: Annotated[
        int,
        Field(ge=36, le=1200),
        shown("图片分辨率", "Picture resolution", "number", unit="dpi", when={"level": ["custom"]}),
    ] = 150
    above: Annotated[
        int,
        Field(ge=0, le=4800),
        shown(
            "仅处理高于此分辨率的图片",
            "Only pictures above",
            "number",
            unit="dpi",
            hint=("0 表示所有图片", "0 means every picture"),
            when={"level": ["custom"]},
        ),
    ] = 0
    size: Annotated[
        float, Field(gt=0, le=4096), shown("目标大小", "Target size", "number", when={"level": ["target"]})
    ] = 500
    unit: Annotated[
        Literal["KB", "MB"],
        shown("单位", "Unit", "select", choices={"KB": ("KB", "KB"), "MB": ("MB", "MB")}, when={"level": ["target"]}),
    ] = "KB"
    gray: Annotated[bool, shown("转为灰度", "Grayscale", "toggle")] = False
    strip: Annotated[
        bool,
        shown(
            "清除文档属性", "Remove metadata", "toggle", hint=("标题、作者等", "Title, author, program"), advanced=True
        ),
    ] = False


def compress(work: Work[Options]) -> None:
    """Write the smallest result within the level, never larger than the input."""
    from cluster.engines.compress.squeeze import hand_over, inspect, walked
    from cluster.engines.pdf.open import repaired_copy

    with open_judged(work, work.source) as (pdf, damaged):
        locked = pdf.is_encrypted
        if work.options.gray:
            walked(pdf, work.source)
        original = inspect(pdf, work.source.size)
        sound = repaired_copy(work, work.source, pdf) if damaged else work.source
    work.allow(original.pages)
    source = _grayed(work, sound) if work.options.gray else sound
    made = _aimed(work, source) if work.options.level == "target" else _levelled(work, source)
    output = work.output(PDF)
    output.pages = original.pages
    handed = hand_over(made, sound, output.path, repaired=damaged)
    if made and handed.counts:
        _tell_smaller(work, original, made, handed.counts)
    elif damaged:
        work.note("changed", "size", before=work.source.size, after=handed.size)
    else:
        work.note("told", "unchanged")
    if locked and (handed.counts or damaged):  # one that comes back as it was keeps its lock
        work.note("changed", "password_removed")
    if work.options.strip and handed.counts:
        work.note("changed", "metadata_removed")
    if work.options.level == "target":
        work.note("told", "target_reached" if handed.size <= _wanted(work.options) else "target_missed")


def _tell_smaller(work: Work[Options], original: "Original", made: "Made", counts: "Counts") -> None:
    """What went, by its kind, and what stayed."""

    work.note("changed", "size", before=work.source.size, after=made.size)
    for part in ("images", "fonts", "other"):
        was, now = getattr(original.weight, part), getattr(made.weight, part)
        if was != now:
            work.note("changed", part, before=was, after=now)
    if made.pressed:
        work.note("lost", "press_profile_removed")
    if original.signed:
        work.note("lost", "signature_broken", count=original.signed)
    tell_counts(work, original.counts, counts)


def _levelled(work: Work[Options], source: Source) -> "Made | None":
    from cluster.engines.compress.recoder import Recoder
    from cluster.engines.compress.squeeze import squeeze

    return squeeze(work, _plan(work.options), source, Recoder())


def _plan(chosen: Options) -> "Plan":
    from cluster.engines.compress.recode import Aim
    from cluster.engines.compress.squeeze import EXACT, Plan
    from cluster.engines.draw.proof import FINE_DPI, UNSEEN

    match chosen.level:
        case "light" if chosen.exact:
            plan = EXACT
        case "light":
            fine = Aim(dpi=200, quality=(55, 97), floor=0.9991, least=0.98, seen=FINE_DPI, farthest=UNSEEN, vivid=True)
            plan = Plan(fine, floor=0.999, hints=True, press=True)
        case "strong":
            plan = Plan(Aim(dpi=110, quality=(20, 85), floor=0.953, least=0.88, mono_dpi=200), floor=0.95)
        case "custom":
            quality = chosen.quality, chosen.quality
            plan = Plan(Aim(dpi=chosen.dpi, above=chosen.dpi, quality=quality, untouched=chosen.above))
        case _:
            plan = Plan(Aim(dpi=150, quality=(35, 92), floor=0.981, least=0.94, mono_dpi=300), floor=0.98)
    return replace(plan, strip=chosen.strip)


def foretell(work: Work[Options]) -> dict[str, float]:
    """Bytes that each level would leave, told from a sample."""
    from cluster.engines.compress.estimate import estimate

    levels: tuple[Literal["light", "standard", "strong"], ...] = ("light", "standard", "strong")
    return estimate(work, work.source, {level: _plan(Options(level=level)) for level in levels})


def _aimed(work: Work[Options], source: Source) -> "Made | None":
    from cluster.engines.compress.reach import reach

    return reach(work, source, _wanted(work.options), strip=work.options.strip)


def _wanted(chosen: Options) -> int:
    return int(chosen.size * (1 << 10 if chosen.unit == "KB" else 1 << 20))


def _grayed(work: Work[Options], source: Source) -> Source:
    """The source without colour, as a file of its own."""
    from cluster.engines.compress.gray import grayscale

    path = grayscale(work, source)
    return replace(source, path=path, size=path.stat().st_size, password=None)


TOOL = Tool(
    id=1,
    key="compress",
    route="/PdfCompress",
    group=Group.PAGES,
    options=Options,
    run=compress,
    estimate=foretell,
    suffix=("压缩", "compressed"),
    icon="minimize-2",
    # A scanned page costs a second: it is encoded until it is as small as its looks allow.
    bounds=Bounds(base=60, per_mib=8, per_page=2, cap=900),
)
