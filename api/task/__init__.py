"""Tasks as a caller sees them: created, followed, listed, deleted.

Decisions:
- An Idempotency-Key makes the task's id itself (HMAC of owner and key): duplicates need no lock.
- A free try is a task id in a day's set (China time); giving it back removes the id. It is taken by the step
  that queues the task, so a refusal costs none. The daily cap of an address binds visitors only.
  Restriction 3 (membership ended) takes the place of 1 and 2.
- In a batch one unfit file is left to its own part; a tool that takes all files at once refuses at the first.
- Results are offered only when the task has ended well, so their indexes never shift.
- An Idempotency-Key with another request is 422. The record keeps an HMAC that includes the key, and nobody keeps
  the key, so a password cannot be guessed from it.
- Passwords are forgotten when a task ends; another compress level asks for them again.
- Every API process hears all tasks' events through one subscription and drops what nobody there asked for.
- An estimate is a task of nobody's (owner `~<owner>`): it takes no try, stands in no list and in no figure, runs only
  where a slot is free at once, one waiting for each owner and 300 a day for each address, and is forgotten as it is
  answered. Whatever goes wrong, the answer is that nothing is known.
- In a long list of options the first wrong ones are told, and how many more there are.
"""
