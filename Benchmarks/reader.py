"""The effect on uploads of another process with a long read transaction."""

import contextlib
import random
import sqlite3
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from harness import ROOT, Row, photo, server
from paced import percentile

RATE, SECONDS, WORKERS = 20, 60, 4
FILE_BYTES = 1 << 20
RATIO = 2


def send(url: str, picture: bytes, starts: list[float], waits: list[float], source: random.Random) -> None:
    for start in starts:
        # Each picture has unique comments (ITU-T T.81 §B.2.4.5).
        comments = b"".join(b"\xff\xfe\xff\xff" + source.randbytes(65533) for _ in range(FILE_BYTES >> 16))
        time.sleep(max(0.0, start - time.monotonic()))
        request = urllib.request.Request(f"{url}/uploads", picture[:2] + comments + picture[2:], method="POST")
        urllib.request.urlopen(request).close()
        waits.append((time.monotonic() - start) * 1000)


def uploads(url: str) -> list[float]:
    """The waits of uploads at a fixed rate, sorted and in milliseconds. Each counts from the scheduled time."""
    waits, picture = [], photo(800, 600).read_bytes()
    begin = time.monotonic() + 0.2
    threads = [
        threading.Thread(target=send, args=(
            url, picture, [begin + number / RATE for number in range(worker, RATE * SECONDS, WORKERS)], waits,
            random.Random(f"{begin} {worker}")))
        for worker in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(waits) == RATE * SECONDS
    return sorted(waits)


def measure() -> dict:
    with tempfile.TemporaryDirectory(prefix="mememe-bench-reader-", dir=ROOT / ".build") as folder:
        data = Path(folder) / "data"
        with server(data) as (url, _):
            without = uploads(url)
            with contextlib.closing(sqlite3.connect(data / "mememe.db", isolation_level=None)) as reader:
                reader.execute("BEGIN")
                reader.execute("SELECT count(*) FROM uploads").fetchall()
                during = uploads(url)
                log = (data / "mememe.db-wal").stat().st_size
    return {"without": percentile(without, 0.99), "during": percentile(during, 0.99), "most": during[-1],
            "log": log / 1e6}


def rows() -> list[Row]:
    seen = measure()
    ratio = seen["during"] / seen["without"]
    return [
        Row("uploads beside a reader that lasts",
            f"p99 {seen['during']:.1f} ms, {ratio:.2f} × without ({seen['without']:.1f} ms), at most {seen['most']:.0f} ms;"
            f" the log grew to {seen['log']:.0f} MB",
            f"≤ {RATIO} ×", ratio <= RATIO,
            f"{RATE} uploads of {FILE_BYTES >> 20} MiB a second for {SECONDS} s at a fixed pace, each counted from when it was due;"
            " another process has a read transaction open for as long"),
    ]


if __name__ == "__main__":
    for row in rows():
        print(f"{row.work} | {row.result} | {row.target} | {row.met}")
