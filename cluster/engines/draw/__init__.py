"""Pages as pixels: drawn strip by strip, compared, blank ones found. Uses pdf and pictures.

Decisions:
- PDF pages are drawn by pdfium in forked processes, strip by strip; pixels are `ceil(points × dpi / 72)`.
"""
