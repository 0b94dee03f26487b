"""What the tools stand on: PDF objects, fonts, pictures, LibreOffice, OCR.

Decisions:
- One font service for all tools: per-glyph fallback from Noto CJK SC, subset by HarfBuzz; a glyph that no font has
  is an error that names it. No right-to-left shaping yet.
- Watermarks are artifact-tagged form XObjects, one for each distinct text; pages' resources are copied, never
  changed.
- PDF pages are drawn by pdfium in forked processes, strip by strip; pixels are `ceil(points × dpi / 72)`.
- Merge only reads through qpdf and streams the objects out itself: no peer kept 1 GB of pictures out of memory.
- Split reads and writes PDF objects itself, so a part holds nothing that its pages do not use.
- Destinations that name a page by its position are followed, as readers do, and rewritten to the page itself.
- Soft masks stay DeviceGray: some readers take a palette's indexes for opacities. Type 1 fonts become CFF.
- unoserver's converter is kept and its server replaced by a small one of ours: ready in 1.3 s instead of 7, with
  macros, links and import options under our control. Tracked changes are shown by default, as Word prints them.
- Office archives are really unpacked, within bounds, before LibreOffice sees them; a DOCTYPE is `unsafe_content`.
- OCR turns the whole page upright first and reads without the per-line angle classifier; Korean is not offered
  because the bundled model has no Hangul. EasyOCR is used when `PAPERCRANE_EASYOCR_MODELS` names its weights.
"""
