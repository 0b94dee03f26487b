"""Reading documents: a page of a PDF as a `layout.model.Sheet`, from its own text or from pictures of it.
Uses layout, ocr, pages, pdf and pictures.

`preflight` says which of the two a page needs, `digital` reads its text, `drawings` finds its charts, of bars
by `bars`, `scanned` asks the OCR engine, `figures` finds the pictures on what it read, `dashes` those alone in cells;
`pictured` makes a sheet of a
picture that is no PDF's, `leaning` says how askew it lies.

Decisions:
- A page whose letters are doubtful (no letters, rare 汉字, Latin without vowels, too many scripts) is read by OCR too,
  and its own text believed only where the two share most of their letters.
- A picture of A4's shape whose letters would be of a usual size there is an A4 page; any other gets letters of 10.5
  points and lies on A4, or on larger paper where it needs that.
- Of one picture no line is taken for a header or a footer: it may be cut out of anything. Pages of a TIFF share theirs.
- A photographed page is laid flat only where its paper is brighter than what it lies on, seen whole and alone; of two
  pages, or of one without visible edges, nothing is cut away. Text and Word do so, and tell boxes as they stand on the
  photograph; tables do not.
- Word's lines run across: a page whose writing runs down is laid on its side for it.
- A picture that lies askew is straightened by its long lines, or by its pixels where it has only short ones.
- Lines that follow each other closely, in letters of much the same size, have the size of most of their letters.
- A picture that fills a page behind its text is that page's ground, no picture of the document; not where the page
  is itself a picture whose words were painted out of it (a cover, a map): its words stand over it.
- Words in a picture on a read page (a chart's, a label's) stay in it and in what it tells, once.
- Rules that merely stand between lines that run down, and around them, are no table's.
- Words that are not drawn (behind a scan, for searching) are taken as text, and wiped from the picture of their page.
- A chart or diagram that is drawn with strokes becomes a picture where a document flows, its words in the picture and
  in what it tells to who can't see it: between paragraphs its labels would mean nothing. Boxes round text, check
  marks, bullets and tables' shades are none.
- What stands upright beside a chart's axis belongs to it.
- On a page larger than A0 no pictures are looked for, and pictures that would take minutes to decode wherever they
  stand are drawn with what lies over them.
- Lying bars are a chart where they are as thick as each other and stand on an axis, at lines or before values; not
  where words fill them (marked words) or rules part them (bars in a table's cells).
- A surface is what a path fills as a rectangle, with round corners or without, one or several; one within another is a
  frame. White letters on none stand on what is seen behind them, if that is dark (blends, pictures); else they stay.
- Letters of two cells that a clip leaves side by side part at the rule between them where they miss each other farther
  than most letters of that line.
- Beside Chinese and Korean letters and signs, gaps tell blanks, which MuPDF tells behind Latin letters only: those
  wider than the line is spread. The quarter that Word itself keeps between Chinese and Latin letters is none.
- On a page of five lines or more that are typed in columns, three blanks or more between two texts part them.
- A page of more than 100 pictures is a drawing in pieces: they stay in its ground.
"""
