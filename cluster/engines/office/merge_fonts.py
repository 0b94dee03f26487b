"""Fonts that Word documents have within them, brought from one package into another's."""

import io
import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from cluster.engines.office.merge_said import turn_on
from cluster.engines.office.package import OFFICE, Package, Relation, W, parsed

_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml."
SCRAMBLED = "application/vnd.openxmlformats-officedocument.obfuscatedFont"
_TABLE = f'<w:fonts xmlns:w="{W[1:-1]}"/>'
_ID = f"{{{OFFICE}}}id"
#: The programs of a font, in the schema's order; they are its last children.
_SLOTS = tuple(W + f"embed{look}" for look in ("Regular", "Bold", "Italic", "BoldItalic"))
#: Of a font's names those by which programs call for it.
_CALLED = (1, 4, 16)


def carry_fonts(base: Package, other: Package, number: int) -> dict[str, str]:
    """Bring the fonts within `other` into `base`: the new names of those that are apart there.

    Files keep of a font the letters they use, so two of one name with different programs may lack each other's.
    """
    theirs, names = other.of_kind("fontTable"), dict[str, str]()
    if theirs is None:
        return names
    held = [each for each in other.tree(theirs) if any(True for _ in _programs(other, theirs, each))]
    if not held:
        return names
    mine = base.of_kind("fontTable") or _begin(base)
    tree = base.tree(mine)
    fonts = {each.get(f"{W}name"): each for each in tree}
    for each in held:
        name = each.get(f"{W}name", "")
        programs, here = dict(_programs(other, theirs, each)), fonts.get(name)
        already = {} if here is None else dict(_programs(base, mine, here))
        if any(already[slot] != data for slot, data in programs.items() if slot in already):
            names[name] = f"{name} ({number})"
            programs, here = {slot: _called(data, names[name]) for slot, data in programs.items()}, None
        into = here if here is not None else _described(tree, each, names.get(name, name))
        for slot, data in programs.items():
            _put(base, mine, into, slot, data, number)
    base.put(mine, tree)
    turn_on(base, "embedTrueTypeFonts")
    return names


def call_fonts(package: Package, names: dict[str, str]) -> None:
    """Texts and styles ask for fonts by their new names."""
    for part in [each for each in package.parts if package.types.get(each, "").startswith(_TYPE)] if names else ():
        tree = parsed(package.parts[part])
        for fonts in tree.iter(W + "rFonts"):
            for slot, face in fonts.attrib.items():
                fonts.set(slot, names.get(face, face))
        package.put(part, tree)


def _begin(package: Package) -> str:
    part = "/word/fontTable.xml"
    package.relate(package.main, Relation(f"{OFFICE}/fontTable", part))
    package.put(part, parsed(_TABLE.encode()), f"{_TYPE}fontTable+xml")
    return part


def _programs(package: Package, table: str, font: Any) -> Iterator[tuple[str, bytes]]:
    """The programs of a font of the `table`, readable, by their slots."""
    held = package.relations.get(table, {})
    for slot in font:
        relation, key = held.get(slot.get(_ID, "")), slot.get(f"{W}fontKey", "")
        if slot.tag in _SLOTS and relation is not None and relation.target in package.parts:
            yield slot.tag, scrambled(package.parts[relation.target], key)


def scrambled(data: bytes, key: str) -> bytes:
    """The first 32 bytes changed by the key, or changed back."""
    digits = bytes.fromhex(re.sub(r"[^0-9A-Fa-f]", "", key).zfill(32)[:32])[::-1]
    return bytes(byte ^ mask for byte, mask in zip(data[:32], digits * 2, strict=False)) + data[32:]


def _described(tree: Any, font: Any, name: str) -> Any:
    """What `font` is, in another table and without its programs."""
    made = deepcopy(font)
    made.set(f"{W}name", name)
    for each in [each for each in made if each.tag in _SLOTS]:
        made.remove(each)
    tree.append(made)
    return made


def _put(package: Package, table: str, font: Any, slot: str, data: bytes, number: int) -> None:
    """Give a font a program where it has none."""
    if font.find(slot) is not None:
        return
    key = f"{{{len(package.parts):08X}-0000-4000-8000-{number:012X}}}"
    part = f"/word/file{number}/fonts/font{len(package.parts)}.odttf"
    package.parts[part], package.types[part] = scrambled(data, key), SCRAMBLED
    made = font.makeelement(slot)
    made.set(_ID, package.relate(table, Relation(f"{OFFICE}/font", part)))
    made.set(f"{W}fontKey", key)
    font.append(made)
    font[:] = sorted(font, key=lambda each: _SLOTS.index(each.tag) if each.tag in _SLOTS else -1)


def _called(data: bytes, name: str) -> bytes:
    """A program that goes by another name: Word asks programs what they are called."""
    from fontTools.ttLib import TTFont

    try:
        font, made = TTFont(io.BytesIO(data), recalcBBoxes=False, recalcTimestamp=False), io.BytesIO()
        for each in font["name"].names:
            if each.nameID in _CALLED:
                each.string = name
        font.save(made, reorderTables=False)
    except Exception:  # whatever a hostile font makes of a library that trusts it
        return data
    return made.getvalue()
