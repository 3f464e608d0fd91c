"""One module per subject; each function measures and returns rows of the table."""

from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from namespaces import Laboratory


@dataclass(frozen=True)
class Bench:
    """What every measurement is given."""

    laboratory: Laboratory
    pathctl: Path
    pathmonitord: Path
    evaluation: Path
    library: Path
    errors: Path
    resilience: Path
    recorder: Path
    history: Path
    quick: bool
    before: Optional[Path] = None

    @property
    def programs(self):
        return self.laboratory.programs

    def many(self, usual, quick):
        """How often to repeat."""
        return quick if self.quick else usual
