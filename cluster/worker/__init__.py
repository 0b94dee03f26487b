"""Slots and what they need: claiming, staging, the sandbox's insides, the gate, the lease, the sweeper.

On the host: a slot (`lane`) hands its claim to `perform`, which runs under a `lease`, lays files out (`staging`), asks
the `sandbox`, believes its answer only as far as `untrusted` says, and stores what it made (`keeping`). Inside: a warm
parent (`inside`) forks a `child` for each `order`. A task's *part* is what a claim is of; an *attempt* is one claim's.

Decisions:
- A slot is a long-lived Ray actor rather than a Ray task: its sandbox and engines stay warm, and Ray restarts
  nothing behind our back. Capacity is Ray's custom resource of the lane's name.
- A sandbox's warm parent is its pid 1 and cannot be traced, so a part cannot write itself into the next one; only
  `/job`, `/tmp` and `/dev/shm` are writable, and all three are emptied after each part.
- Job folders of slots that were killed are cleared ten minutes after their last sign of life; what the sweeper
  cannot delete stays due and holds up nothing else.
- Who breeds processes or files is refused as a file that becomes too large when opened, at once and once: it is no
  fault of ours, and would do it again.
- A part whose S3 does not answer waits for five minutes with its files at hand, rather than use up its three claims.
- Ray is stopped by SIGKILL at the end: it holds nothing that is not in Redis or the store.
- Progress is one bar over all stages: a stage fills nine tenths of what is left of it; gate and storing take the
  rest.
- Of `/usr/share` a sandbox sees only what fonts, LibreOffice and clocks need.
- A fault of ours is blamed on the input only when qpdf finds damage and pdfium and MuPDF do not both read as many
  pages. `damaged_file` costs no free try.
"""
