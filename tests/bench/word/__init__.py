"""How well a PDF becomes Word: the docx that it was drawn from is the truth by which the result is measured.

`written` reads a docx as a reader sees it, `measures` compares two of them, `peers` are other people's converters.
"""
