"""The words of refusals that only the API has, one YAML file a language."""

from pathlib import Path

from cluster.words import Section

REFUSALS = Section(Path(__file__).parent, "refusals")
