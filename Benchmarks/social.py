"""Rows about reading: feed, lists, searches, comments and profiles, with few memes and with many."""

import base64
import contextlib
import random
import re
import sqlite3
import statistics
import struct
import urllib.parse
import uuid

import crowd
from harness import CACHE, Row, run, server
from scale import FEW, MANY, WORDS, memes, walk

COUNTS = (FEW, 100_000, MANY)
ROUNDS = 5
ADDRESSES = 5_000
# The maximum cost at a million memes, relative to that at a thousand.
FLAT, SEARCH = 1.5, 3.0


def cursor(place: int) -> str:
    """A cursor in the server's format."""
    return base64.urlsafe_b64encode(struct.pack(">Bq", 1, place)).decode()


def addresses(count: int, ids: list[str]) -> dict[str, list[str]]:
    """The requests, by the name of their row. Half of those for feed and list begin at the top, the others anywhere."""
    source = random.Random(5)

    def anywhere() -> str:
        return f"&cursor={cursor(source.randrange(31, count))}" if source.random() < 0.5 else ""

    def words() -> str:
        kind = source.randrange(4)
        if kind == 0:
            return source.choice(WORDS)
        if kind == 1:
            return " ".join(source.sample(WORDS, 2))
        # A rare word, spread over all memes, alone or together with a frequent one.
        rare = f"no{source.randrange(count // 200)}"
        return rare if kind == 2 else f"{rare} {source.choice(WORDS)}"

    def name() -> str:
        if source.random() < 0.5:
            return crowd.username(source.randrange(1, crowd.PEOPLE + 1))[:source.randrange(2, 8)]
        return crowd.plain(source.choice(crowd.LAST_NAMES))[:source.randrange(2, 5)]

    return {
        "feed": [f"/feed?limit=30{anywhere()}" for _ in range(ADDRESSES)],
        "list": [f"/memes?limit=30{anywhere()}" for _ in range(ADDRESSES)],
        "list with 1,000 friends": [f"/memes?limit=30{anywhere()}" for _ in range(ADDRESSES)],
        "popular": ["/memes?sort=popular&limit=30"],
        "comments": [f"/memes/{source.choice(ids)}/comments?limit=30" for _ in range(ADDRESSES)],
        "profile": [f"/users/{crowd.username(source.randrange(1, crowd.PEOPLE + 1))}" for _ in range(ADDRESSES)],
        "search for people": [f"/users?limit=30&q={name()}" for _ in range(ADDRESSES)],
        "search for memes": [f"/memes?limit=30&q={urllib.parse.quote_plus(words())}" for _ in range(ADDRESSES)],
    }


def asking(row: str) -> int:
    """The user who sends the requests. For rows that depend on follows, it is a user who follows many people."""
    return crowd.READER if row in ("feed", "list with 1,000 friends") else crowd.OTHER


def warm(file) -> None:
    """Reads a file once, so that the rows measure the server instead of a cold disk."""
    with file.open("rb") as opened:
        while opened.read(1 << 20):
            pass


def measure() -> dict[str, dict[int, tuple[float, float]]]:
    """The median and the p99 in milliseconds, by row and number of memes: medians of alternating rounds."""
    script, files = walk(), {}
    for count in COUNTS:
        database = memes(count) / "mememe.db"
        tokens = {person: crowd.sign_in(database, person) for person in (crowd.READER, crowd.OTHER)}
        with contextlib.closing(sqlite3.connect(database)) as db:
            ids = db.execute(
                "SELECT id FROM memes WHERE visibility = 0 AND seq % ? = 0 LIMIT 10000", (max(1, count // 10_000),))
            paths = addresses(count, [str(uuid.UUID(bytes=bytes)) for bytes, in ids])
        for row, lines in paths.items():
            files[row, count] = CACHE / f"social-{row.replace(' ', '-')}-{count}"
            files[row, count].write_text("\n".join(lines) + "\n")
    rounds = {key: [] for key in files}
    with contextlib.ExitStack() as stack:
        for count in COUNTS:
            warm(memes(count) / "mememe.db")
        urls = {count: stack.enter_context(server(data=memes(count), memory_cache_bytes=0)).url for count in COUNTS}
        for turn in range(ROUNDS + 1):
            for (row, count), times in rounds.items():
                output = run("wrk", "-t1", "-c4", "-d1s" if turn else "-d2s", "-H", f"Authorization: Bearer {tokens[asking(row)]}", "-s", script,
                             urls[count], "--", files[row, count])
                requests, failed, half, most = map(int, re.search(r"JSON (\d+) (\d+) (\d+) (\d+)", output).groups())
                assert requests and not failed, f"{failed} of {requests} of {row} failed with {count:,} memes"
                # The first round is a warm-up.
                if turn:
                    times.append((half / 1000, most / 1000))
    result = {}
    for (row, count), times in rounds.items():
        result.setdefault(row, {})[count] = tuple(statistics.median(column) for column in zip(*times))
    return result


def rows() -> list[Row]:
    result = []
    for row, times in measure().items():
        ratio = times[MANY][1] / times[FEW][1]
        most = SEARCH if row.startswith("search") else FLAT
        follows = crowd.FOLLOWED if asking(row) == crowd.READER else crowd.FEW_FOLLOWED
        told = "; ".join(f"{half:.2f} and {p99:.2f} ms" for half, p99 in times.values())
        result.append(Row(
            f"{row}: p50 and p99 with {', '.join(f'{count:,}' for count in times)} memes",
            f"{told}; p99 {ratio:.2f} ×", f"p99 ≤ {most:g} × that with {FEW:,}", ratio <= most,
            f"{crowd.PEOPLE:,} people; the one who asks follows {follows:,}; median of {ROUNDS} rounds by turns of"
            " `wrk -t1 -c4 -d1s`; no answers kept in memory"))
    return result


if __name__ == "__main__":
    for row in rows():
        print(f"{row.work} | {row.result} | {row.target} | {row.met}")
