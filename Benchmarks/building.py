"""Builds the programs of baselines/."""

import shutil
from pathlib import Path

from namespaces import Failure, run

SOURCES = Path(__file__).resolve().parent / "baselines"


def _is_current(program, sources):
    return program.exists() and all(source.stat().st_mtime <= program.stat().st_mtime for source in sources)


def build(folder):
    """Builds what is missing or older than its source; name -> path. Those in Swift only where there is its compiler."""
    folder.mkdir(parents=True, exist_ok=True)
    if shutil.which("cc") is None:
        raise Failure("no C compiler. Install one (Debian: apt install build-essential) and try again")
    programs, headers = {}, list(SOURCES.glob("*.h"))
    for source in sorted(SOURCES.glob("*.c")):
        programs[source.stem] = folder / source.stem
        if not _is_current(programs[source.stem], [source, *headers]):
            run(["cc", "-O2", "-Wall", "-Wextra", source, "-o", programs[source.stem]])
    for source in sorted(SOURCES.glob("*.swift")) if shutil.which("swiftc") is not None else []:
        programs[source.stem] = folder / source.stem
        if not _is_current(programs[source.stem], [source]):
            run(["swiftc", "-O", "-static-stdlib", source, "-o", programs[source.stem]])
    return programs
