"""The judge for foreign files: `python -m tests.foreign FOLDER [tool …]` runs tools over any folder and lets other
people's programs say what is wrong with the results.

    files.py      which files of a folder go to which tool
    bench.py      a tool's run, sandboxed and gated as a production part is
    programs.py   qpdf, pdfium, MuPDF, poppler, and office.py a bare LibreOffice; aside.py keeps crashes away from us
    seen.py       one document as those programs see it, asked once; hybrid.py finds what they overlook in a source
    rules.py      what holds for which tool: data, one line a tool; an unknown tool is judged by what holds for all
    checks.py     the judgements; those that need more than a line: structure, letters, leaks, pixels, witnesses
    report.py     lines, summary, JSON
"""
