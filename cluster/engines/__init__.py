"""What the tools stand on, in rooms; each room's own docstring says what it knows and which rooms it may use.

Engines know a task's files and a Desk to work at (cluster.files), not its Work: they return facts, and tools write
notes (cluster.opening, cluster.telling).

The linter keeps that, the order of the rooms, and that no circle stands inside one (`pyproject.toml`).
"""
