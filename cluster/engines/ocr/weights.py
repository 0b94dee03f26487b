"""EasyOCR's weights: those in the operator's folder and those that installed packages carry, side by side."""

from importlib import metadata
from pathlib import Path

from cluster.engines.ocr.reader import Language

#: The model that finds lines, whatever they are written in.
FINDER = "craft_mlt_25k.pth"
#: For each language EasyOCR's names of what is read with it, and the model that does.
MODELS: dict[Language, tuple[list[str], str]] = {
    "zh": (["ch_sim", "en"], "zh_sim_g2.pth"),
    "en": (["en"], "english_g2.pth"),
    "ja": (["ja", "en"], "japanese_g2.pth"),
    "latin": (["en", "fr", "de", "es", "it", "pt"], "latin_g2.pth"),
}
#: Packages that carry weights are called easyocr-something.
_CARRIERS = "easyocr"


def gathered(named: Path | None, into: Path) -> Path:
    """The folder `into` with links to all weights there are; those of the folder `named` come first."""
    into.mkdir(parents=True, exist_ok=True)
    for path in [*sorted(named.glob("*.pth") if named else ()), *_carried()]:
        link = into / path.name
        if not link.is_symlink():
            link.symlink_to(path.resolve())
    return into


def languages(folder: Path) -> frozenset[Language]:
    """What can be read with the weights in `folder`; nothing where lines cannot be found."""
    if not (folder / FINDER).exists():
        return frozenset()
    return frozenset(language for language, (_, model) in MODELS.items() if (folder / model).exists())


def _carried() -> list[Path]:
    carriers = [each for each in metadata.distributions() if (each.name or "").lower().startswith(_CARRIERS)]
    files = [(each, file) for each in carriers for file in each.files or () if file.suffix == ".pth"]
    return [Path(str(each.locate_file(file))) for each, file in files]
