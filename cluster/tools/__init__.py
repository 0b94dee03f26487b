"""One module a tool: its options, its `run(work)`, and `TOOL = Tool(…)` at the end. Tools never import each other.

Decisions:
- Sorting by date happens in the page, because only the browser knows the dates. Pictures merge as pages at their
  own dpi.
- Equal field names become `name_2`, equal destinations `x_2`; references follow. A broken signature is told.
- "MB" is 1,000,000 bytes. Big split takes up to 200,000 pages for whoever may open 20,000 elsewhere; its plan
  leaves one decrypted or repaired copy in the store when it needs one, and its shares read that.
- Big merge and big unlock are merge and unlock in the lane for big files, in one pass each: a share's part of one
  result would have to be written twice, and decoding costs less than writing. Their results end at 5 GiB.
- Unlocking writes every object under its own number and packs no stream anew; what is coded irregularly qpdf writes.
- A split's attachments go with its first part; links to pages that are not in a part are removed and counted.
- Compress gives each picture the lowest quality that keeps the page's SSIM floor, and compares text and looks of
  every result with the input; a try that fails is repeated more gently. Light changes no pixel.
- A damaged file never comes back as it was: the repaired one is handed over, even where it is larger.
- A picture is refused as `script_not_supported` when over 60 % of its lines' length comes back empty or as noise;
  fewer such lines are told. Letters beyond the reader's alphabet get their nearest known letter where the model
  hears one, and the receipt says so. A picture under 8 px wide or high holds no text.
- A scan keeps what leads (bookmarks, links, destinations, labels) and attachments; all else on its pages is in their
  pictures and nowhere else, document scripts included. A preset's page over 300 KB is coded coarser, down to quality
  35; a page larger than A3 at 300 dpi is scanned coarser and told. A tilt is two fifths of its most at least.
- A form's fonts come along only for fields that can be typed into. A merged document has the first one's base for
  relative addresses; those of others are written out in full.
"""
