"""Rows about drawing processes: the cost of passing a picture to one, their start-up time, and their memory."""

import json
import os
import re
import subprocess
import threading
import time
from pathlib import Path
from statistics import median

from harness import BENCH_RENDER, MEMEME, Row, children, cpu_seconds, photo, run, server


def compare(size: str, edge: int, runs: int, *prefix: str) -> dict:
    return json.loads(run(*prefix, BENCH_RENDER, "--size", size, "--seed", "1", "--runs", str(runs), "--max-edge",
                          str(edge), "--helpers", MEMEME))


def compare_on_one_core(size: str, edge: int, runs: int) -> dict:
    """The medians of nine comparisons, each with new processes, on each core in turn.

    The thread and the process run on the same core: two cores of a virtual machine differ in speed by a third, because
    of their neighbors, which is far more than the cost of passing a picture.
    """
    cores = sorted(os.sched_getaffinity(0))
    found = [compare(size, edge, runs, "taskset", "--cpu-list", str(cores[turn % len(cores)])) for turn in range(9)]
    return {name: median(each[name] for each in found) for name in found[0]}


def shares(pid: int) -> float:
    """The memory of a process in megabytes. The size of a shared page is divided by the number of its processes."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return int(re.search(r"^Pss:\s+(\d+)", text, re.MULTILINE)[1]) / 1024


def all_shares(pid: int) -> float:
    total = 0.0
    for each in [pid, *children(pid)]:
        try:
            total += shares(each)
        except (OSError, TypeError):
            pass  # The process has ended.
    return total


def many(picture: Path) -> dict:
    """64 concurrent uploads of 12 megapixels: their responses, and the peak memory of the server and its processes."""
    with server() as (url, pid):
        command = ["curl", "--silent", "--parallel", "--parallel-immediate", "--parallel-max", "64"]
        for _ in range(64):
            command += ["-F", f"image=@{picture}", "-F", "top=one does not simply", "-F", "bottom=walk into mordor",
                        "-o", "/dev/null", "-w", "%{http_code}\n", f"{url}/memes", "--next"]
        most, over = [0.0], threading.Event()

        def watch() -> None:
            while not over.wait(0.02):
                most[0] = max(most[0], all_shares(pid))

        watcher = threading.Thread(target=watch)
        watcher.start()
        start = time.monotonic()
        codes = run(*command[:-1]).split()
        elapsed = time.monotonic() - start
        over.set()
        watcher.join()
    return {"created": codes.count("201"), "seconds": elapsed, "most": most[0]}


def rows() -> list[Row]:
    small, large = compare_on_one_core("800x600", 16_384, 25), compare("4032x3024", 16_384, 51)
    usual = compare("4032x3024", 2048, 25)
    passing = (small["headThereCPUMilliseconds"] - small["headHereCPUMilliseconds"])
    over = small["thereMilliseconds"] - small["hereMilliseconds"]
    part = large["thereMilliseconds"] / large["hereMilliseconds"] - 1
    cpu = usual["thereCPUMilliseconds"] / usual["hereCPUMilliseconds"] - 1
    with server() as (url, pid):
        starts = [cpu_seconds(each) * 1000 for each in children(pid)]
        time.sleep(9)
        idle = all_shares(pid)
        count = len(children(pid))
    uploads = many(photo(4032, 3024))
    how = "a meme with two captions and thumbnails, by turns: `bench-render --helpers`"
    return [
        Row("passing a picture of 128 KB to a process", f"{passing:.3f} ms", "≤ 0.05 ms", passing <= 0.05,
            "CPU time of both on one core for reading its head there, less than here; medians of 9 × 25 × 50: `bench-render --size 800x600 --helpers`"),
        Row("800×600 in a process, against a thread",
            f"{small['thereMilliseconds']:.1f} ms, {small['hereMilliseconds']:.1f} ms", "≤ 0.5 ms more", over <= 0.5,
            f"wall time on one core, medians of 9 × 25, {how}"),
        Row("12 megapixels in a process, against a thread",
            f"{large['thereMilliseconds']:.1f} ms, {large['hereMilliseconds']:.1f} ms: {100 * part:+.1f} %", "≤ 3 % more",
            part <= 0.03, f"at full size, wall time, medians of 51, {how}"),
        Row("the same at `maxEdge=2048`, CPU",
            f"{usual['thereCPUMilliseconds']:.1f} ms, {usual['hereCPUMilliseconds']:.1f} ms: {100 * cpu:+.1f} %", "≤ 3 % more",
            cpu <= 0.03, f"CPU time of both processes, medians of 25, {how}"),
        Row("the start of a process that draws", f"{max(starts):.0f} ms CPU", "≤ 120 ms", max(starts) <= 120,
            f"`/proc/PID/stat` once it is ready, the most of {len(starts)}"),
        Row("memory with nothing to do, of the server and its processes", f"{idle:.0f} MB, {count} processes that draw",
            "≤ 70 MB", idle <= 70, "`Pss` of all, 9 s after the start"),
        Row("64 uploads of 12 megapixels at once",
            f"{uploads['created']} × 201 in {uploads['seconds']:.1f} s, at most {uploads['most']:.0f} MB",
            "all 201, ≤ 400 MB", uploads["created"] == 64 and uploads["most"] <= 400,
            "`curl --parallel --parallel-max 64`, the sum of `Pss`, looked at each 20 ms"),
    ]
