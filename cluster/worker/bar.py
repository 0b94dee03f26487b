"""One bar for all stages of a part."""

from dataclasses import dataclass

#: What a stage takes of the bar that is left; the rest is for stages that nobody has announced yet.
STAGE = 0.9


@dataclass
class Bar:
    """Turns what each stage tells of itself, 0 … 1, into a share of the whole that never runs backwards.

    A stage that begins below where the last one stood begins at the bar's place and fills most of what is left:
    compress tells pictures, fonts, writing, and all of that again when its proof asks for a gentler try.
    """

    shown: float = 0.0
    _from: float = 0.0
    _stage: str = ""
    _told: float = 0.0

    def at(self, share: float, stage: str) -> float:
        """The whole's share (0 … 1) when `stage` tells `share`."""
        if stage != self._stage and share < self._told:
            self._from = self.shown
        self._stage, self._told = stage, share
        self.shown = max(self.shown, self._from + (1 - self._from) * STAGE * share)
        return self.shown
