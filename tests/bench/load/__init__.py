"""Load: what one machine carries, `python -m tests.bench.load [calls lanes streams pages soak]`; a table a subject.

Calls are told as ratios to a bare Sanic handler that answers in the same run, turn by turn, by the clock (answers a
second) and by the server's CPU (the seconds of all its threads an answer), which a busy machine changes less.
"""
