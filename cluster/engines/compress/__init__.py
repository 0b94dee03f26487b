"""Smaller documents: pictures, fonts, streams, within a floor of likeness. Uses draw, fonts, forms, pdf and pictures.

Decisions:
- Every page is proved in colour: 16 closely at 100 dpi, the others at 50 dpi; no patch of about 2 mm may move by
  more than 20 of 255 levels in any channel (10 for light).
- Light is what nobody can see: pictures come down to 200 dpi and to the lowest quality with colours in full resolution
  at which every page whose pictures changed has SSIM ≥ 0.999 in each channel's mean at 150 dpi. With "keep every
  pixel" no sample changes.
- Streams are packed by libdeflate (level 10), pictures and streams on two threads.
- A palette is taken only where no spot of 3 × 3 pixels moves by more than 8 levels. Masks never get one: some
  readers take a palette's indexes for opacities.
- Numbers in content are shortened by what a unit measures on the page; operands of `cm` stay exact, because readers
  snap pictures to pixels.
- A page that would draw more than 1 GiB of content, each form counted as often as it is drawn, or a content stream
  over 256 MiB, is `too_large_when_opened`.
- An estimate makes what is not a picture for real, over 24 pages where there are many, and re-encodes bands of at most
  eight pictures. Nothing is proved; of a damaged file nothing is told. Within 20 % for 9 of 10 foreign files
  (tests/foreign/estimates.py).
- Where any content stream cannot be read, fonts stay whole. Type 1 fonts become CFF.
"""
