"""Office documents through a warm LibreOffice, checked before it sees them. Uses layout, pdf and run.

Decisions:
- Contents of merged Word documents are a field with the numbers that LibreOffice gives the pages; a file without
  headings gets its name as one.
- unoserver's converter is kept and its server replaced by a small one of ours: ready in 1.3 s instead of 7, with
  macros, links and import options under our control. Tracked changes are shown by default, as Word prints them.
- A package whose end is gone is told anew from what its entries say of themselves (wreck.py): XML that breaks off is
  closed, lost types and relations are written from usual names, and cells whose texts are gone are left empty.
- Office archives are really unpacked, within bounds, before LibreOffice sees them; a DOCTYPE is `unsafe_content`.
- A package with a comment behind its end record is written anew without it: LibreOffice looks for that record in the
  last half kilobyte. Bytes before a package make it none: Word refuses those files, too.
- LibreOffice's window descriptions come out of the full packages, which are not installed: without them a document
  with a comment does not open.
- References out of a file are cut before LibreOffice reads it; links to click stay. In a .doc they are looked for in
  the text as its pieces tell it, then in its bytes. HTML, flat ODF, Word 2003 XML
  and Word 2 are converted; HTML only after everything it refers to is taken out.
- Locked files are decrypted first and pass the same checks; the standard's default password is tried without a
  question.
- Blank pages that only bring a chapter to the right-hand side are left out and not counted, as LibreOffice exports.
- Sheets are laid out by LibreOffice's own page styles: all columns on a page by default, on the smallest A size on
  which they keep half their size, a page as wide as needed beyond A0. Where a file says Letter it may have said
  nothing, so automatic paper begins with A4, or with the file's own where that is larger.
- Rows and columns with nothing in them are not printed, nor formulas that show nothing; bordered cells near the content
  are a form to be filled in and stay. A print area that the file names is kept.
- What Excel says and LibreOffice does not hear is said or done otherwise before the export: formats that leave it to a
  country (sheet_formats.py; an .xls is read with the country set), heights of rows that no file says (sheet_rows.py),
  pictures in cells (cell_pictures.py), looks of tables (table_looks.py). Frozen rows are print titles where a file has
  none. A text may run over the last column; a number too wide for its cell is written smaller, and no `###`.
- Notes of a pptx get the style that their master has for them, and shrink rather than leave the page.
- A table kept as text is shown letter by letter: nothing in it becomes a number or a date. So are HTML's cells. Columns
  of numbers stand to the right, cells wider than 8 cm wrap.
- Pages of a presentation are its slides' numbers, hidden ones counted; a hidden slide comes when it is named alone.
- Handouts are laid by us (LibreOffice exports none): framed slides on A4, three with lines; links to addresses stay.
- fonts.conf is the one table of fonts. What stands in for a font is told by fontconfig, whom LibreOffice asks, and only
  where the result has that face.
- LibreOffice starts again behind a document that has fonts within it: it would set the next one in them. Fonts within
  merged files come along; one whose program differs from an earlier file's of its name (each has only the letters it
  uses) gets a new name.
- LibreOffice is ready when Writer is warm; Calc and Impress are warmed while nobody waits.
- What LibreOffice draws otherwise than Word is said otherwise in the copy that it opens (quirks.py), never in what
  people get: a table first where there are notes, the last paragraph's mark, gaps of tables, tabs at the ends of cells'
  texts, numbers before marked paragraphs. Endnotes stand right behind their text: it becomes a section of LibreOffice's
  (quirk_notes.py); where columns begin within it they stay on a page of their own, or a part of them would stand
  among the text.
- Word documents are merged part by part (merge*.py, package.py) and never through LibreOffice: docxcompose drops
  headers.
  Styles of one name are shared where they look alike with all they are based on, else the later one gets a new name.
  What a theme or document defaults gave a text is written out where they differ from the first document's. What others
  carry in lies below `word/fileN`. What a document says once for all its pages (Word's compatibility mode, the distance
  of tab stops, squeezed punctuation, mirrored margins) is said by the first document in which it shows; usual tab stops
  that stood elsewhere are written into their paragraphs, and endnotes stand behind their own document's last section;
  hyphenation is kept or suppressed by each one's styles. Tables are indented, and space between paragraphs is written,
  so that its rules set them where their own did. A section ends in a paragraph of its own where the last one is empty.
  A style that a file names and does not have is none.
  Replies among comments become comments; bullets that are pictures become signs.
"""
