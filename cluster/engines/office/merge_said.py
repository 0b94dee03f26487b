"""The settings of a Word document: what it says once for all its pages."""

from copy import deepcopy
from typing import Any

from cluster.engines.office.package import OFFICE, Package, Relation, W, parsed

_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_SETTINGS = f'<w:settings xmlns:w="{W[1:-1]}"/>'
_NO = ("0", "false", "off")
#: Children of settings in the schema's order, up to the last of those that are put in here.
_SAID = [W + tag for tag in (
    "writeProtection", "view", "zoom", "removePersonalInformation", "removeDateAndTime", "doNotDisplayPageBoundaries",
    "displayBackgroundShape", "printPostScriptOverText", "printFractionalCharacterWidth", "printFormsData",
    "embedTrueTypeFonts", "embedSystemFonts", "saveSubsetFonts", "saveFormsData", "mirrorMargins",
    "alignBordersAndEdges", "bordersDoNotSurroundHeader", "bordersDoNotSurroundFooter", "gutterAtTop",
    "hideSpellingErrors", "hideGrammaticalErrors", "activeWritingStyle", "proofState", "formsDesign",
    "attachedTemplate", "linkStyles", "stylePaneFormatFilter", "stylePaneSortMethod", "documentType", "mailMerge",
    "revisionView", "trackRevisions", "doNotTrackMoves", "doNotTrackFormatting", "documentProtection",
    "autoFormatOverride", "styleLockTheme", "styleLockQFSet", "defaultTabStop", "autoHyphenation",
    "consecutiveHyphenLimit", "hyphenationZone", "doNotHyphenateCaps", "showEnvelope", "summaryLength",
    "clickAndTypeStyle", "defaultTableStyle", "evenAndOddHeaders", "bookFoldRevPrinting", "bookFoldPrinting",
    "bookFoldPrintingSheets", "drawingGridHorizontalSpacing", "drawingGridVerticalSpacing",
    "displayHorizontalDrawingGridEvery", "displayVerticalDrawingGridEvery", "doNotUseMarginsForDrawingGridOrigin",
    "drawingGridHorizontalOrigin", "drawingGridVerticalOrigin", "doNotShadeFormData", "noPunctuationKerning",
    "characterSpacingControl", "printTwoOnOne", "strictFirstAndLastChars", "noLineBreaksAfter", "noLineBreaksBefore",
    "savePreviewPicture", "doNotValidateAgainstSchema", "saveInvalidXml", "ignoreMixedContent",
    "alwaysShowPlaceholderText", "doNotDemarcateInvalidXml", "saveXmlDataOnly", "useXSLTWhenSaving", "saveThroughXslt",
    "showXMLTags", "alwaysMergeEmptyNamespace", "updateFields", "hdrShapeDefaults", "footnotePr", "endnotePr",
)]  # fmt: skip


def said(package: Package, path: str) -> Any:
    """The setting at a path of names (compat/noLeading); None where it is not said."""
    part = package.of_kind("settings")
    return package.tree(part).find("/".join(W + name for name in path.split("/"))) if part else None


def holds(package: Package, path: str) -> bool:
    """Whether a setting that is on or off is on."""
    return is_on(said(package, path))


def is_on(mark: Any) -> bool:
    """Whether a mark that is on or off is there and on."""
    return mark is not None and mark.get(f"{W}val", "1") not in _NO


def compat(package: Package, name: str) -> str:
    """What Word's compatibility setting of this name is; "" where it is not said."""
    part = package.of_kind("settings")
    every = package.tree(part).iter(W + "compatSetting") if part else ()
    return next((str(each.get(f"{W}val", "")) for each in every if each.get(f"{W}name") == name), "")


def turn_on(package: Package, setting: str) -> None:
    """Let a setting of the whole document hold: one of _SAID."""
    put(package, parsed(f'<w:{setting} xmlns:w="{W[1:-1]}"/>'.encode()))


def put(package: Package, setting: Any) -> None:
    """Let a document say a setting of _SAID, and what it said of it before no longer."""
    part = package.of_kind("settings")
    if part is None:
        part = "/word/settings.xml"
        package.relate(package.main, Relation(f"{OFFICE}/settings", part))
        package.parts[part], package.types[part] = _SETTINGS.encode(), f"{_TYPE}settings+xml"
    tree = package.tree(part)
    for each in tree.findall(setting.tag):
        tree.remove(each)
    earlier = _SAID[: _SAID.index(setting.tag)]
    before = [at for at, each in enumerate(tree, 1) if each.tag in earlier]
    tree.insert(max(before, default=0), deepcopy(setting))
    package.put(part, tree)
