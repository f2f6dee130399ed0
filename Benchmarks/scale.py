"""Rows about size: the list and the start-up with a million memes, and the memory of an idle server."""

import base64
import hashlib
import io
import random
import re
import shutil
import sqlite3
import statistics
import struct
import sys
import time
from pathlib import Path

from PIL import Image

import crowd
from harness import CACHE, MEMEME, ROOT, Row, cpu_seconds, form, memory, photo, run, server, wait_until_ready

FEW, MANY = 1_000, 1_000_000
ROUNDS = 5
WORDS = "one does not simply walk into mordor such wow very meme all your base are belong to us much doge cat 猫 😀".split()
ROLES = 4
# Part of the names in the cache. Change it when the generated data must change.
GENERATOR = "4"


def schema() -> str:
    """A name for the result of the migrations and the generator."""
    digest = hashlib.sha256(GENERATOR.encode())
    for migration in sorted((ROOT / "migrations").glob("*.sql")):
        digest.update(migration.read_bytes())
    return digest.hexdigest()[:12]


def memes(count: int) -> Path:
    """A data folder with `count` memes, created by the server's own migrations and kept between runs."""
    folder = CACHE / f"memes-{count}-{schema()}"
    if not (folder / "complete").exists():
        for old in CACHE.glob(f"memes-{count}-*"):
            shutil.rmtree(old)
        folder.mkdir(parents=True)
        run(MEMEME, "migrate", "--data", folder)
        fill(folder / "mememe.db", count, pictures())
        (folder / "complete").touch()
    return folder


def pictures() -> list[bytes]:
    """Small pictures of one color each, which many memes share."""
    files = []
    for shade in range(16):
        file = io.BytesIO()
        Image.new("RGB", (8, 8), (shade * 16, 128, 255 - shade * 16)).save(file, "PNG")
        files.append(file.getvalue())
    return files


def fill(database: Path, count: int, pictures: list[bytes], batch: int = 10_000) -> None:
    source = random.Random(1)
    files = [(bytes, hashlib.sha256(bytes).digest()) for bytes in pictures]
    db = sqlite3.connect(database, isolation_level=None)
    # No other process uses the file, and a run after an interruption creates it again.
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("PRAGMA synchronous = OFF")
    crowd.fill_people(db)
    for first in range(1, count + 1, batch):
        last = min(first + batch, count + 1)
        rows, words, blobs, facts = [], [], [], []
        for seq in range(first, last):
            row = meme(seq, source, count) + crowd.owner(source)
            rows.append(row)
            # Like the server, this does not index an alternative text that repeats the captions.
            words.append((-seq, f"{row[4]} {row[5]}", "" if row[-2] is None else str(row[-2])))
            for role in range(ROLES):
                file, digest = files[source.randrange(len(files))]
                blob = ROLES * (seq - 1) + role + 1
                blobs.append((blob, file))
                facts.append((seq, role, len(file), digest, blob))
        db.execute("BEGIN")
        db.executemany(
            "INSERT INTO memes (seq, id, version, created_at, updated_at, top, bottom, alt_text, fill, outline,"
            " outline_width, size, fit, draft_digest, author, visibility)"
            " VALUES (?, ?, 1, ?, ?, ?, ?, ?, 16777215, 0, 0.11, 0.14, ?, ?, ?, ?)", rows)
        # In ascending order, because FTS5 would otherwise write each row separately.
        db.executemany("INSERT INTO meme_words (rowid, captions, alt_text, author) VALUES (?, ?, '', ?)", reversed(words))
        db.executemany("INSERT INTO blobs (id, bytes) VALUES (?, ?)", blobs)
        db.executemany(
            "INSERT INTO pictures (meme, role, format, width, height, byte_count, digest, blob)"
            " VALUES (?, ?, 'png', 8, 8, ?, ?, ?)", facts)
        db.execute("COMMIT")
        progress(last - 1, count)
    crowd.fill_reactions(db, count)
    db.execute("PRAGMA journal_mode = WAL")
    db.close()


def meme(seq: int, source: random.Random, count: int) -> tuple:
    """The row of a meme. It is one second newer than the previous one, and has a word that about 200 memes share."""
    created = 1_700_000_000_000 + seq * 1000
    number = created << 80 | 0x7 << 76 | source.getrandbits(76)
    number = number & ~(0x3 << 62) | 0x2 << 62
    identity = number.to_bytes(16, "big")
    top, bottom = (" ".join(source.choices(WORDS, k=source.randrange(2, 6))) for _ in range(2))
    bottom += f" no{source.randrange(count // 200)}"
    fit = ",".join(
        f'{{"position":"{place}","fontSize":42.5,"lines":1,"shrunk":false,"truncated":false,"missingGlyphs":[]}}'
        for place in ("top", "bottom"))
    return (seq, identity, created, created, top, bottom, f"{top} – {bottom}", f"[{fit}]", hashlib.sha256(identity).digest())


def progress(done: int, count: int) -> None:
    if sys.stderr.isatty() or done == count:
        bar = "#" * (40 * done // count)
        print(f"\r{count:,} memes [{bar:<40}] {100 * done // count:3} %", end="\n" if done == count else "", file=sys.stderr)


def cursors(count: int, number: int = 20_000) -> Path:
    """A file of pages at random cursors, for wrk."""
    source, path = random.Random(2), CACHE / f"cursors-{count}"
    with path.open("w") as file:
        for _ in range(number):
            place = struct.pack(">Bq", 1, source.randrange(31, count))
            file.write(f"/memes?limit=30&cursor={base64.urlsafe_b64encode(place).decode()}\n")
    return path


def walk() -> Path:
    """A script with which wrk requests the pages in a file. An argument is appended to each address."""
    script = CACHE / "cursors.lua"
    script.write_text(
        'local paths, index = {}, 0\n'
        'function init(args) for line in io.lines(args[1]) do paths[#paths + 1] = line .. (args[2] or "") end end\n'
        'function request() index = index % #paths + 1 return wrk.format("GET", paths[index]) end\n'
        'function done(summary, latency)\n'
        '  io.write(string.format("JSON %d %d %d %d\\n", summary.requests, summary.errors.status,\n'
        '    latency:percentile(50), latency:percentile(99))) end\n')
    return script


def measure_pages(count: int) -> dict:
    """CPU microseconds of an uncached page of 30, by view: the median of alternating rounds."""
    script, addresses = walk(), cursors(count)
    rounds = {view: [] for view in ("full", "table", "grid")}
    with server(data=memes(count), memory_cache_bytes=0) as (url, pid):
        # The first round is a warm-up.
        for _ in range(ROUNDS + 1):
            for view, times in rounds.items():
                before = cpu_seconds(pid)
                output = run("wrk", "-t1", "-c4", "-d2s", "-s", script, url, "--", addresses, f"&view={view}")
                requests, failed = map(int, re.search(r"JSON (\d+) (\d+)", output).groups())
                assert failed == 0, f"{failed} pages of view {view} failed"
                times.append((cpu_seconds(pid) - before) / requests * 1e6)
    return {view: statistics.median(times[1:]) for view, times in rounds.items()}


def measure_list() -> dict:
    """The p99 in milliseconds with few memes and with many, in alternating rounds. Every request counts."""
    script, rounds = walk(), []
    # With few memes, all pages would come from the cache in memory.
    settings = {"memory_cache_bytes": 0}
    with server(data=memes(FEW), **settings) as (few, _), server(data=memes(MANY), **settings) as (many, _):

        def once(url: str, count: int, seconds: int) -> tuple[int, int, float, float]:
            output = run("wrk", "-t1", "-c4", f"-d{seconds}s", "-s", script, url, "--", CACHE / f"cursors-{count}")
            requests, failed, half, most = map(int, re.search(r"JSON (\d+) (\d+) (\d+) (\d+)", output).groups())
            return requests, failed, half / 1000, most / 1000

        cursors(FEW), cursors(MANY)
        once(few, FEW, 2), once(many, MANY, 4)
        for _ in range(ROUNDS):
            (_, failed, half, small), (requests, worse, other, large) = once(few, FEW, 4), once(many, MANY, 4)
            rounds.append({"few": small, "many": large, "ratio": large / small, "half": other / half,
                           "failed": failed + worse, "rate": requests / 4})
    middle = {name: statistics.median(each[name] for each in rounds) for name in rounds[0]}
    return middle | {"failed": sum(each["failed"] for each in rounds)}


def measure_start(folder: Path) -> float:
    """Seconds from the command to the first response that reports readiness; the median of 7."""
    times = []
    for _ in range(7):
        begin = time.monotonic()
        with server(data=folder) as (url, _):
            wait_until_ready(url)
            times.append(time.monotonic() - begin)
    return statistics.median(times)


def measure_memory(folder: Path) -> dict:
    """Megabytes of an idle server: after its start, and after the uploads of the other rows."""
    with server(data=folder) as (url, pid):
        wait_until_ready(url)
        time.sleep(2)
        large = memory(pid)
    with server() as (url, pid):
        wait_until_ready(url)
        time.sleep(2)
        idle = memory(pid)
        # A short version of the load of the rows `post` and `many`.
        body, boundary = form(photo(2725, 2225), top="one does not simply", bottom="walk into mordor", maxEdge="16384")
        (CACHE / "body.bin").write_bytes(body)
        script = CACHE / "fill.lua"
        script.write_text(
            f'wrk.body = io.open("{CACHE / "body.bin"}", "rb"):read("*a")\nwrk.method = "POST"\n'
            f'wrk.headers["Content-Type"] = "multipart/form-data; boundary={boundary}"\n')
        run("wrk", "-t1", "-c8", "--timeout", "30s", "-d10s", "-s", script, f"{url}/memes")
        many = ["curl", "--silent", "--parallel", "--parallel-immediate", "--parallel-max", "64"]
        for _ in range(64):
            many += ["-F", f"image=@{photo(4032, 3024)}", "-F", "top=x", "-o", "/dev/null", f"{url}/memes", "--next"]
        run(*many[:-1])
        most = memory(pid, "VmHWM")
        # Memory that is released within ten seconds counts as released.
        after = min(settled(pid) for _ in range(10))
    return {"idle": idle, "large": large, "after": after, "most": most}


def settled(pid: int) -> float:
    time.sleep(1)
    return memory(pid)


def rows() -> list[Row]:
    pages = measure_list()
    views = measure_pages(MANY)
    seconds = measure_start(memes(MANY))
    room = measure_memory(memes(MANY))
    return [
        Row(f"list at random cursors, p99 with {MANY:,} memes ÷ with {FEW:,}",
            f"{pages['many']:.2f} ms ÷ {pages['few']:.2f} ms = {pages['ratio']:.2f} (median {pages['half']:.2f});"
            f" {pages['rate']:,.0f} a second" + (f", {pages['failed']} errors" if pages["failed"] else ""),
            "≤ 1.5", pages["ratio"] <= 1.5 and pages["failed"] == 0,
            f"median of {ROUNDS} rounds by turns of `wrk -t1 -c4 -d4s`, every request counted; no answers kept in memory"),
        Row(f"CPU of a page of 30 with {MANY:,} memes", ", ".join(f"{view} {time:.0f} µs" for view, time in views.items()),
            "", None, f"user and system, median of {ROUNDS} rounds by turns of `wrk -t1 -c4 -d2s`, no answers kept in memory"),
        Row(f"start to ready at {MANY:,} memes", f"{seconds:.2f} s", "≤ 0.5 s", seconds <= 0.5,
            "from the command to the first 200 of `/readyz`, median of 7"),
        Row("memory with nothing to do", f"{room['idle']:.0f} MB, {room['large']:.0f} MB at {MANY:,} memes", "≤ 60 MB",
            max(room["idle"], room["large"]) <= 60, "`VmRSS` 2 s after the start"),
        Row("memory after uploads", f"{room['after']:.0f} MB, {room['after'] / room['idle']:.2f} × as before;"
            f" {room['most']:.0f} MB meanwhile", "back within 20 %", room["after"] <= 1.2 * room["idle"],
            "`VmRSS` up to 10 s after 10 s of the upload row's load and 64 uploads of 12 megapixels at once"),
    ]
