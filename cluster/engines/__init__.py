"""What the tools stand on, in rooms; each room's own docstring says what it knows and which rooms it may use.

The linter keeps the order of the rooms and that no circle stands inside one (`pyproject.toml`).
"""
