"""Office documents through a warm LibreOffice, checked before it sees them.

Decisions:
- unoserver's converter is kept and its server replaced by a small one of ours: ready in 1.3 s instead of 7, with
  macros, links and import options under our control. Tracked changes are shown by default, as Word prints them.
- Office archives are really unpacked, within bounds, before LibreOffice sees them; a DOCTYPE is `unsafe_content`.
- LibreOffice's window descriptions come out of the full packages, which are not installed: without them a document
  with a comment does not open.
- References out of a file are cut before LibreOffice reads it; links to click stay. In a .doc they are looked for in
  the text as its pieces tell it, then in its bytes. HTML, flat ODF, Word 2003 XML
  and Word 2 are converted; HTML only after everything it refers to is taken out.
- Locked files are decrypted first and pass the same checks; the standard's default password is tried without a
  question.
- Blank pages that only bring a chapter to the right-hand side are left out and not counted, as LibreOffice exports.
"""
