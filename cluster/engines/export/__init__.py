"""Writers: what was read, as a file. One module a format (word_flow, word_exact, workbook, table_text,
table_data, searchable, slides). Uses draw, fonts, layout, marks, office, pages, pdf and pictures.

Decisions:
- Word that flows has exact line heights, and a page break where a paragraph begins a page of the PDF and the page
  before had room for it, or where its text begins a line lower than pages do: what follows a full page flows on. A
  heading that ended a page still does. It holds no frames and no text boxes.
- A line that fills its cell stays a line, in Word and on slides: its letters stand a little nearer to each other, by an
  eighth of their height at most, for other fonts are wider and sizes are rounded.
- Heads that run upwards or downwards do so in Word and in workbooks; on slides they are text boxes over their table.
- Columns begin with a column break, as pages do with a page break; a blank page stays; a page that begins far above
  the others (a cover) is a section with an upper margin of its own.
- Word like the page has a framed paragraph for each line, and behind it a picture of all that is no text. Each word
  begins where it began: what is too narrow has more between its letters, what is too wide is narrowed.
- Word like the page takes along the embedded fonts that people lack, cut to their letters, under names that no other
  font has; not where their makers forbid that for documents that are edited (fsType), and not what Word brings along
  (Arial, Times New Roman, Courier New, Calibri, Cambria, 宋体, 黑体, 楷体, 仿宋, 微软雅黑): there people go on writing
  with all letters.
- A cell becomes a number or a date only when that is sure: leading zeros, more than 15 digits and dates whose order of
  day and month is unknown stay text; nothing becomes a formula.
- What somebody says of a corrected cell counts: as text it stays letter by letter, as a number its leading zeros fall.
- In csv, text that a spreadsheet would take for a formula gets an apostrophe.
- A slide has the size of most pages; others are fitted into it. Its boxes are lines close under each other; text flows
  in three wide lines or more, shorter text keeps its lines, so that another font pushes nothing over its neighbour.
- On a slide each word begins where it began, other letters than its own in the middle of their room: the letters of
  words and the blanks have more or less room, as LibreOffice will draw them (whole dots of 600 to an inch, pairs
  kerned), which PowerPoint's letters miss by less than three in a thousand. Lines that stand there by themselves stay
  one run. A line is told to break only where it would not by itself; a hyphen at its end stays. Text is spread to its
  box's width only where all of its lines end alike.
- Tabs are kept where LibreOffice knows them: in lines that begin at the box's side, and after hanging marks.
- Fonts do not go with slides: LibreOffice 7.4 reads none from them, and draws an unknown name as it likes.
- A cell's text never reaches below the cell, for its row would grow; it stands higher by so much. LibreOffice wants the
  whole text of cells merged downwards in the last of their rows: such rows may grow there.
- Slides hold ruled tables as tables in their own colours; what is only aligned stays text boxes, drawings are one
  picture behind them.
- A click on a slide leads to the web, to mail or to a telephone, nowhere else.
"""
