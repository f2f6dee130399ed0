"""`mememe import` and `mememe export` of a folder of pictures, compared to the rendering capacity of the cores."""

import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from harness import BENCH_RENDER, CACHE, CORES, MEMEME, Row

COUNT = 10_000
SIZE = (800, 600)
PICTURES = 20


def fill(folder: Path) -> None:
    """Writes rows with different captions for a few pictures."""
    (folder / "pictures").mkdir()
    names = []
    for seed in range(1, PICTURES + 1):
        path = CACHE / f"import-{seed}.jpg"
        if not path.exists():
            subprocess.run([BENCH_RENDER, "--size", f"{SIZE[0]}x{SIZE[1]}", "--seed", str(seed),
                            "--write-photo", path], check=True)
        names.append(f"pictures/{path.name}")
        shutil.copy(path, folder / names[-1])
    rows = [f"{names[n % PICTURES]},one does not simply,walk into mordor {n}" for n in range(COUNT)]
    (folder / "memes.csv").write_text("\n".join(["file,top,bottom", *rows]) + "\n")


def busy_milliseconds() -> float:
    """CPU milliseconds of a render with its thumbnails, while all cores run such renders."""
    command = [BENCH_RENDER, "--size", f"{SIZE[0]}x{SIZE[1]}", "--seed", "1", "--runs", "101"]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(CORES)]
    results = [json.loads(process.communicate()[0]) for process in processes]
    return statistics.mean(each["renderMilliseconds"] + each["thumbnailsMilliseconds"] for each in results)


def timed(*command) -> tuple[float, float]:
    """Seconds, and the peak memory in MB."""
    began = time.monotonic()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    complaints = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise RuntimeError(f"{command}: {complaints.decode()}")
    return time.monotonic() - began, usage.ru_maxrss / 1024


def rows() -> list[Row]:
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
        folder, data, out = (Path(scratch) / name for name in ("in", "data", "out"))
        folder.mkdir()
        fill(folder)
        before = busy_milliseconds()
        seconds, memory = timed(MEMEME, "import", folder, "--data", data)
        again, _ = timed(MEMEME, "import", folder, "--data", data)
        possible = CORES * 1000 / statistics.mean([before, busy_milliseconds()])
        exported, _ = timed(MEMEME, "export", out, "--data", data)
        byte_count = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    rate = COUNT / seconds
    return [
        Row(f"`mememe import` of {COUNT:,} pictures of {SIZE[0]}×{SIZE[1]} with two captions",
            f"{rate:.0f} a second, {100 * rate / possible:.0f} % of the {possible:.0f} that {CORES} cores render;"
            f" at most {memory:.0f} MB resident",
            "≥ 80 %", rate >= 0.8 * possible,
            f"against {CORES} × `bench-render` at once, before and after"),
        Row("the same again, when all of them are there", f"{again:.1f} s", "≤ 10 s", again <= 10, "wall time"),
        Row("`mememe export` of them", f"{exported:.1f} s, {byte_count / exported / 1e6:.0f} MB/s", "", None,
            "wall time, each file synced"),
    ]
