"""What the codes of a font stand for, as a PDF says it."""


def to_unicode(letters: dict[bytes, str]) -> bytes:
    """The CMap that turns codes back into text."""
    told = ((code.hex().upper(), text.encode("utf-16-be").hex().upper()) for code, text in sorted(letters.items()))
    pairs = [f"<{code}> <{text}>" for code, text in told]
    blocks = [pairs[at : at + 100] for at in range(0, len(pairs), 100)]
    body = "\n".join(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar" for block in blocks)
    sizes = sorted({len(code) for code in letters})
    spaces = "\n".join(f"<{'00' * size}> <{'FF' * size}>" for size in sizes)
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
        "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
        f"{len(sizes)} begincodespacerange\n{spaces}\nendcodespacerange\n"
        f"{body}\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
    ).encode("ascii")
