"""What turns files into files: Tool, File, Task, Lane, Problem, and the processes that bring them together.

The life of a task: the API checks the call and writes `task:{id}` (CREATE); its parts are put into the stream of
their lane (BE_QUEUING). A slot that is free claims a part and raises its fence (PROCESSING); a child of the slot's
sandbox runs the tool, another child opens the result again (the gate); what passed goes to the store, and the part
is done under its fence. When the last part is done the task ends, once: SUCCESS, FAIL, TIMEOUT_FAIL or ABNORMAL. A
part whose process died is claimed again, twice; the third death is ABNORMAL. The sweeper removes everything twelve
hours after the end.

Decisions:
- A task runs in *parts*: one a file for tools that take each file alone, one a share for tools that plan (big
  split), else one. Parts are messages in the lane's stream, so fan-out, retry and takeover are one mechanism, and a
  slot never waits for another. A batch succeeds when one of its files does; each failed file carries its own
  Problem.
- In a lane, members go before guests but for every fourth claim; inside a rank owners take turns, part by part.
- Redis writes to disk before it answers (`appendfsync always`): with `everysec` and a slow disk, a killed Redis
  forgot a task that had been accepted.
- Key names are made inside Lua scripts: one Redis with replicas, not Redis Cluster.
- Tasks are counted in the script that ends them, exactly once; `/metrics` tells the whole cluster's numbers.
- `-2` in the page grammar means "pages up to 2", as `8-` means "from 8 on"; `5-3` counts down. `;` separates output
  files.
- Another try with a password is another `createTask` with the same key; the upload lives on for 12 hours.
- Whatever may hold a person's words (names, options, outcomes) is sealed in Redis under the server's secret; with
  another secret such tasks count as gone, and are still swept. Redis's file is rewritten every hour, so what was
  deleted is out of it well within twelve.
- Below a reserve (`PAPERCRANE_RESERVE`; 1 GiB, or a tenth of a smaller disk) uploads and new tasks answer
  `storage_full`; everything else goes on. Free inodes count too.
- Owners take turns, so of each only an eighth of a lane counts against it; who has nothing waiting may bring one
  batch of any size.
- `PAPERCRANE_ENV` knows two words, development and production; an empty or unknown one stops the start.
- Numbers are ASCII digits everywhere; JSON bodies are strict, so `"16"`, `true` and `2.0` are no integers.
- Libraries' log lines are told by logger, place and error type, never by their words.
"""
