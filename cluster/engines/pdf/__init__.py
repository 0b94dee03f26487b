"""PDF as objects: syntax, cross-reference, reading, writing, pages, what content uses. Uses no other room.

Decisions:
- A damaged PDF is read by qpdf, else by MuPDF, else by pdfium; the way that saves most pages is taken, and what was
  saved is told page by page. A page is saved when it still paints something; one that was meant blank counts as
  saved unless the file's end is missing. Pages left over by earlier revisions are not brought back.
- Pictures of a file that lost pages or its end are also looked for among all its objects (`adrift.py`), as MuPDF reads
  them: qpdf calls a stream without an end empty. Where everything came back nothing beyond the pages is taken.
- Where a hybrid file's own table calls an object free and the stream beside it tells where it is, the stream counts,
  also under a lock; a later revision that frees it counts more. qpdf 12, pdfium, MuPDF and poppler believe the table,
  so every tool reads a copy with one more revision. Nothing is told of it: nothing was damaged.
- What hangs on behind a file's end (zeros, a line of a mail) is not read as a newer revision.
- Numbers of more than 4,096 digits are cut where a file is repaired: MuPDF gives up all that they are packed with.
- A file without a readable lock, whose page every reader shows as white paper, is `damaged_file`.
- A page may unfold to 64 MiB of content where it is drawn (pdfium needs twenty times that); rotate, split and merge
  do not draw.
- A certificate or rights service is `certificate_needed`.
- Where content's packing breaks, MuPDF is given in memory what stands before the break, as pdfium and poppler show it.
- A CropBox that misses its page crops nothing, as in MuPDF and poppler; pdfium would show nothing at all.
"""
