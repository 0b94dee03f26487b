"""Text of pictures through a warm reader. Uses layout and pictures.

Decisions:
- OCR turns the whole page upright first and reads without the per-line angle classifier; Korean is not offered
  because the bundled model has no Hangul. EasyOCR is used when `PAPERCRANE_EASYOCR_MODELS` names its weights.
"""
