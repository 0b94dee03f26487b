"""Pages as pixels: drawn strip by strip, compared, blank ones found. Uses fonts, pdf and pictures.

Decisions:
- PDF pages are drawn by pdfium in forked processes, strip by strip; pixels are `ceil(points × dpi / 72)`.
- A scan's page is drawn finer and each square of pixels becomes its mean, so that letters and rules stand where they
  are written and not on the next whole pixel: the preview, which draws outlines twice as fine, shows the same. For that
  a copy of the document is written (`faithful`): with the fractions of letters' widths, which pdfium drops (`spacing`);
  with boxes in halves, for whole ones it fills by whole pixels (`boxes`); with hairlines as wide as its pixels
  (`hairlines`); with the face in which pdf.js draws what Helvetica and Arial are not carried for (`lent`).
"""
