"""Backups and restores: their speed compared to `cp` of the same bytes, and the effect of a backup on uploads."""

import json
import random
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from harness import CORES, MEMEME, ROOT, Row, load_result, photo, post_script, run, server

TOKEN = "an-admin-token-for-benchmarks"
# About a gigabyte, in files of the size that phones create.
FILES, FILE_BYTES = 256, 4 << 20
ROUNDS = 5
P99 = 3


def call(url: str, method: str, target: str, body: bytes | None = None) -> dict:
    request = urllib.request.Request(
        url + target, body, {"Authorization": f"Bearer {TOKEN}"}, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def fill(url: str) -> None:
    """Uploads a small photo many times, each time with unique comments (ITU-T T.81 §B.2.4.5) that enlarge the file."""
    source, picture = random.Random(1), photo(800, 600).read_bytes()
    for _ in range(FILES):
        comments = b"".join(b"\xff\xfe\xff\xff" + source.randbytes(65533) for _ in range(FILE_BYTES >> 16))
        call(url, "POST", "/uploads", picture[:2] + comments + picture[2:])


def back_up(url: str) -> tuple[dict, float, float]:
    """Makes a backup. Returns it, with the seconds until it was copied and until it was complete."""
    start = time.monotonic()
    backup = call(url, "POST", "/admin/backups")
    copied = None
    while backup["state"] in ("copying", "verifying"):
        time.sleep(0.005)
        backup = call(url, "GET", f"/admin/backups/{backup['id']}")
        if copied is None and backup["state"] != "copying":
            copied = time.monotonic() - start
    assert backup["state"] == "complete", backup
    return backup, copied, time.monotonic() - start


def copy(database: Path) -> float:
    """The seconds of `cp` to the same disk, including a sync."""
    target = database.parent / "copy.db"
    start = time.monotonic()
    subprocess.run(["cp", "--reflink=never", database, target], check=True)
    subprocess.run(["sync", target], check=True)
    seconds = time.monotonic() - start
    target.unlink()
    return seconds


def measure_rate(url: str, data: Path) -> dict:
    rounds = []
    # The runs alternate, because the load of other tenants of the host varies. The first round does not count.
    for _ in range(ROUNDS + 1):
        backup, copied, whole = back_up(url)
        plain = copy(data / "backups" / backup["fileName"])
        megabytes = backup["byteCount"] / 1e6
        rounds.append({"copy": megabytes / copied, "whole": megabytes / whole,
                       "cp": megabytes / plain, "share": plain / whole})
    return {name: statistics.median(each[name] for each in rounds[1:]) for name in rounds[0]}


def measure_restore(backup: Path, folder: Path) -> dict:
    rounds = []
    for _ in range(ROUNDS + 1):
        start = time.monotonic()
        run(MEMEME, "restore", backup, "--data", folder)
        seconds = time.monotonic() - start
        shutil.rmtree(folder)
        megabytes = backup.stat().st_size / 1e6
        plain = copy(backup)
        rounds.append({"rate": megabytes / seconds, "cp": megabytes / plain, "share": plain / seconds})
    return {name: statistics.median(each[name] for each in rounds[1:]) for name in rounds[0]}


def posts(url: str, script: Path, seconds: int) -> tuple[float, float]:
    """Uploads per second of four concurrent clients, and their p99 in milliseconds."""
    output = run("wrk", "-t1", "-c4", "--timeout", "30s", f"-d{seconds}s", "-s", script, f"{url}/memes")
    requests, elapsed, errors, p99 = load_result(output)
    assert errors == 0, output
    return requests / elapsed, p99


def measure_writers(url: str, seconds: int) -> dict:
    """The p99 of uploads during continuous backups, and without backups."""
    script = post_script("small-post", photo(800, 600), top="one does not simply", bottom="walk into mordor")
    rounds, made = [], 0
    posts(url, script, 2)
    for _ in range(ROUNDS):
        rate, without = posts(url, script, seconds)
        is_over = threading.Event()

        def keep_backing_up() -> None:
            nonlocal made
            while not is_over.is_set():
                back_up(url)
                made += 1

        thread = threading.Thread(target=keep_backing_up)
        thread.start()
        slow_rate, during = posts(url, script, seconds)
        is_over.set()
        thread.join()
        rounds.append({"without": without, "during": during, "ratio": during / without,
                       "rate": slow_rate / rate})
    middle = {name: statistics.median(each[name] for each in rounds) for name in rounds[0]}
    return middle | {"made": made}


def rows(seconds: int = 8) -> list[Row]:
    data = Path(tempfile.mkdtemp(prefix="mememe-bench-backup-", dir=ROOT / ".build"))
    try:
        with server(data, admin_token=TOKEN, backup_keep_days=1, backup_keep_weeks=1) as (url, _):
            fill(url)
            rate = measure_rate(url, data)
            writers = measure_writers(url, seconds)
        newest = max((data / "backups").glob("*.db"))
        restore = measure_restore(newest, data / "restored")
    finally:
        shutil.rmtree(data)
    return [
        Row(f"a backup of {FILES * FILE_BYTES / 1e9:.1f} GB, copied, verified and on the disk",
            f"{rate['whole']:.0f} MB/s, {rate['share']:.2f} × `cp` and `sync` of the same bytes ({rate['cp']:.0f} MB/s);"
            f" copied with {rate['copy']:.0f} MB/s",
            "", None, f"median of {ROUNDS} rounds by turns, with what was read last in memory"),
        Row("restoring it into a new folder, verified and on the disk",
            f"{restore['rate']:.0f} MB/s, {restore['share']:.2f} × `cp` and `sync` of the same bytes ({restore['cp']:.0f} MB/s)",
            "", None, f"`mememe restore`, median of {ROUNDS} rounds by turns"),
        Row("the writers' p99 while a backup is made and verified",
            f"{writers['during']:.1f} ms, {writers['ratio']:.2f} × without ({writers['without']:.1f} ms);"
            f" {writers['rate']:.2f} × as many uploads",
            f"≤ {P99} ×", writers["ratio"] <= P99,
            f"medians of {ROUNDS} rounds by turns of `wrk -t1 -c4 -d{seconds}s` with a small picture; {writers['made']} backups,"
            f" one after the other; the clients share the {CORES} cores"),
    ]


if __name__ == "__main__":
    for row in rows():
        print(f"{row.work} | {row.result} | {row.target} | {row.met}")
