"""What lies on a page, and what it means: words to lines, gutters, columns, tables, paragraphs, reading order.
Uses no other room.

Knows no PDF and no OCR engine. `model` is what readers make and writers take; `document` makes a whole document of
sheets, `tables` only its tables, `scattered` groups lines where they stand, `order` reads pictures' lines.

Decisions:
- A paragraph ends where the next line's first word would still have fitted; not where a line is merely short.
- A form's grid need not be drawn to its end: an area around a box is cut along its rows, and upright rules that end
  alone, where no text stands, part cells; not where rows of text stand side by side in one row, which are a table's.
- A table is a grid of drawn rules that holds its text, else three rows or more whose pieces stand below each other, or
  two between rules.
- Such a table's columns part where most rows of as many pieces do, close to the edge at which text is aligned; rules
  or fills under (nearly) every row part its rows, else lines are of the row that they stand beside or nearest to.
- Where somebody drew areas on a page, each is one table, ruled or not, and no other is looked for on that page.
- Headers and footers are what comes again at the same height on three pages in ten; on one or two pages only what
  stands within 62 points of the edge and apart from the text.
- A hyphen at a line's end stays where the document writes the word with it elsewhere, and nowhere without.
- A heading's level is its number's depth; without one, the order of the looks. The table of contents tells of headings
  that look like text.
- A rule at a header or a footer, half as wide as the text and as near as a line, is a side of its paragraph.
- Headers and footers go on in runs of pages: others that come again begin a new run; left pages and a first page may
  have their own. A rule that goes on beyond its words is a border and underlines nothing.
- Single lines are as far apart as the lines of texts in their size, where most of them have room for that.
- A number in them is the page's where it grows as pages do, on most; other numbers are words: a chapter's begin a run
  of pages, and what differs by them on every page stays text.
- Endnotes are the lines behind the text that begin with its raised marks in their order; addresses of authors, which do
  so below a title, are none. The rule above footnotes is alone: of several that are as wide each is a table's.
- What stands on a page or in a column only because the one before was full is not told to begin there: a picture, a
  table or other columns neither. Where the letters turn out wider, the rest would be a page that is nearly empty.
- A small piece over a row's base line is a raised mark in that row.
- A numbered paragraph whose next lines stand under its mark, not behind it, was typed: it stays text.
- Where alignment tells a table: above numbers, lines of heads that stand right above each other are one row, unless a
  rule parts them; what stands between the table's upper rule and its first row is a head, where it is no unit, title or
  sentence. Below the table's last rule a text over several columns is a note; below a frame nothing is the table's.
- A head over columns that lack one has its share of those up to the next head. One that ends where the numbers below do
  is theirs alone, however wide it is.
- A line without a first cell goes on in the row above where a text of that fills its column; else it is a row.
- A ruled column whose rows' texts mostly stand apart at one place is two, but for signs before numbers. Rules that
  leave most numbers beside each other in one column are shades: alignment tells the table. In the one cell below a
  ruled head the head's edges part texts; rows of numbers are rows, and so are the names alone between them.
- Tables go on over a page when nothing stands between and their columns agree, or rules of the one have all edges of
  the other's; equal header rows (three at most) are dropped. In a document the next row must not have had room, either.
  A row is cut by the page's end where every text in the next page's first row goes on from its cell above, or is the
  next item of its list; then the columns of ruled tables may differ.
- In Word a cell has the sides that are drawn, as thick and in the colour that they are; on pictures, where rules have
  gaps, a ruled table has them all. A mark and a text as wide as the table end it: they are notes below it.
- A cell's list has two bullets or more; numbers in cells stay text, for a form's are its own.
- Lines of a cell are one text where the next one's first word would not have fitted; else, and where they end in values
  each or are rows of parts below each other, every result has them as lines. Text that goes on in a small letter or
  behind a comma is one, whatever room there was; without drawn edges the widest line tells the room.
- A table within a cell is lines of that cell, its rows, for csv, workbooks and Markdown have no tables in cells; it is
  told by rules of its own on all sides that no other meets. A mere frame round a table is none.
- Columns with flat rules of their own, hardly one level with another column's and none across, hold lists: they are no
  table's cells.
- Tables stand side by side where rows at the strip between do not stand level and those of both tables do.
- A ruled table may be open at a side: where most flat rules go on over a column of text there, it is the table's; with
  one upright rule only where both sides are. Upright rules that end where the next ones begin tell a row's edge.
- The names of rows may stand left of a ruled table, outside of its rules: one in the middle of nearly every row, or one
  between any two rules that reach out to them. They are its first column; on slides they are text.
- Upright rules that go on over one row of text at the top or the bottom tell that row. Where rows of numbers stand
  below each other in one row so told, or go on below the last, rules tell too little: alignment tells the table.
- Boxes within a grid that touch none of its rules and lack a side part its cells where words stand beside them.
"""
