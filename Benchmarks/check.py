"""The duration of `mememe check` for a large data folder whose files are in memory."""

import random
import shutil
import subprocess
import time
from pathlib import Path

import scale
from harness import CACHE, CORES, MEMEME, Row, run

MEMES, SECONDS = 200_000, 60
# The sizes of an original, an image and two thumbnails. They make a database of 5 GB.
SIZES = [11_500, 9_000, 2_500, 2_000]


def folder() -> Path:
    """A data folder, created by the server's own migrations and kept between runs. Its blobs are not pictures."""
    folder = CACHE / f"check-{scale.schema()}"
    if not (folder / "complete").exists():
        for old in CACHE.glob("check-*"):
            shutil.rmtree(old)
        folder.mkdir(parents=True)
        run(MEMEME, "migrate", "--data", folder)
        source = random.Random(1)
        scale.fill(folder / "mememe.db", MEMES, [source.randbytes(size) for size in SIZES for _ in range(8)])
        (folder / "complete").touch()
    return folder


def rows() -> list[Row]:
    data = folder()
    seconds = []
    # The first run is a warm-up.
    for _ in range(4):
        subprocess.run(["cat", data / "mememe.db"], stdout=subprocess.DEVNULL, check=True)
        start = time.monotonic()
        result = subprocess.run([MEMEME, "check", "--data", data], capture_output=True, text=True)
        seconds.append(time.monotonic() - start)
        assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
    took = sorted(seconds[1:])[1]
    size = (data / "mememe.db").stat().st_size / 1e9
    return [
        Row(f"`mememe check` of {MEMES:,} memes, {size:.1f} GB", f"{took:.1f} s, {size * 1000 / took:.0f} MB/s", f"≤ {SECONDS} s",
            took <= SECONDS, f"median of 3, the file in memory, on {CORES} cores; structure, references and digests"),
    ]


if __name__ == "__main__":
    for row in rows():
        print(f"{row.work} | {row.result} | {row.target} | {row.met}")
