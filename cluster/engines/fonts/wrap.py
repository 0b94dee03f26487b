"""Text broken into lines, by the widths of the faces that draw it."""

from cluster.engines.fonts.embed import Family, width

#: What a line may not begin with, and what it may not end with.
_NOT_FIRST = frozenset("，。、；：？！）》」』】〕”’…—,.;:?!)]}%％°℃·")
_NOT_LAST = frozenset("（《「『【〔“‘([{")


def wrapped(words: str, most: float, family: Family = "sans", bold: bool = False) -> list[str]:
    """Lines no wider than so many ems, broken between words and between 汉字; a longer word is broken anywhere."""
    lines: list[str] = []
    for line in words.splitlines() or [""]:
        held, wide = "", 0.0
        for chunk in _chunks(line):
            more = width(chunk, family, bold)
            if held.strip() and wide + width(chunk.rstrip(), family, bold) > most:
                lines.append(held.rstrip())
                held, wide = "", 0.0
                chunk = chunk.lstrip()
                more = width(chunk, family, bold)
            while chunk and more > most and len(chunk) > 1:
                fits = max(1, next((n for n in range(len(chunk), 0, -1) if width(chunk[:n], family, bold) <= most), 1))
                lines.append(chunk[:fits])
                chunk = chunk[fits:]
                more = width(chunk, family, bold)
            held, wide = held + chunk, wide + more
        lines.append(held.rstrip())
    return lines


def _chunks(line: str) -> list[str]:
    """What stays together: words with the blanks after them, single 汉字 with their punctuation."""
    made: list[str] = []
    for letter in line:
        last = made[-1] if made else ""
        wide = ord(letter) >= 0x2E80
        joins = last and (
            letter.isspace()
            or letter in _NOT_FIRST
            or last[-1] in _NOT_LAST
            or (not wide and not last[-1].isspace() and ord(last[-1]) < 0x2E80)
        )
        if joins:
            made[-1] += letter
        else:
            made.append(letter)
    return made
