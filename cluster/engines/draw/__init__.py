"""Pages as pixels: drawn strip by strip, compared, blank ones found. Uses fonts, pdf and pictures.

Decisions:
- PDF pages are drawn by pdfium in forked processes, strip by strip; pixels are `ceil(points × dpi / 72)`.
- A scan's page is drawn finer and each square of pixels becomes its mean, so that letters and rules stand where they
  are written and not on the next whole pixel: the preview, which draws outlines twice as fine, shows the same. For that
  the fractions of letters' widths, which pdfium drops, are written into a copy of the document (`spacing`), and boxes
  in two halves, as whole ones are filled by whole pixels (`boxes`); and the face in which pdf.js draws what Helvetica
  or Arial is not carried for, as pdfium has another (`lent`).
"""
