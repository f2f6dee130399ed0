"""Rows about sync: how soon waiting clients learn of a change, how fast a copy catches up, and the cost of changes."""

import contextlib
import json
import multiprocessing
import re
import selectors
import shutil
import socket
import sqlite3
import statistics
import tempfile
import time
import urllib.parse
import urllib.request
from pathlib import Path

import crowd
from harness import CACHE, CORES, ROOT, Row, form, photo, run, server, wait_until_ready
from scale import memes

MEMES = 10_000
CHANGES = 200
WAITERS = (1, 200)
ROUNDS = 5
ACCOUNT = {"username": "ada", "password": "a horse that nobody staples"}
# The minimum rate of a copy that catches up, in memes per second, and the minimum relative rate of POSTs.
CATCH_UP, COST = 5_000, 0.9


class Connection:
    """An HTTP client with one persistent connection, as in an app."""

    def __init__(self, url: str, token: str):
        place = urllib.parse.urlsplit(url)
        self.socket = socket.create_connection((place.hostname, place.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.head = f"HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n"
        self.buffer = b""

    def send(self, method: str, target: str, body: bytes = b"", kind: str = "") -> None:
        fields = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n" if body else ""
        self.socket.sendall(f"{method} {target} {self.head}{fields}\r\n".encode() + body)

    def take(self) -> bytes | None:
        """Reads the available bytes. Returns the body of the response once it is complete."""
        self.buffer += self.socket.recv(1 << 20)
        head, found, body = self.buffer.partition(b"\r\n\r\n")
        if not found or len(body) < int(re.search(rb"(?i)content-length: (\d+)", head)[1]):
            return None
        self.buffer = b""
        if head.split()[1][:1] != b"2":
            raise SystemExit(f"{head.decode()}\n{body[:300]!r}")
        return body

    def ask(self, *request) -> bytes:
        self.send(*request)
        while (body := self.take()) is None:
            pass
        return body


def sign_up(url: str) -> str:
    for path, more in (("users", {"email": "ada@example.org"}), ("sessions", {})):
        request = urllib.request.Request(
            f"{url}/{path}", json.dumps(ACCOUNT | more).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            last = json.load(answer)
    return last["token"]


def waiting(url: str) -> int:
    with urllib.request.urlopen(f"{url}/metrics") as answer:
        return int(float(re.search(rb"^mememe_change_waiters (\S+)$", answer.read(), re.M)[1]))


def post(url: str, token: str, body: bytes, boundary: str, pipe) -> None:
    """Runs as a separate process, which nothing delays. Posts a meme on each signal, and reports the response time."""
    author = Connection(url, token)
    while pipe.recv():
        author.ask("POST", "/memes", body, f"multipart/form-data; boundary={boundary}")
        # All processes share this clock.
        pipe.send(time.monotonic())


def measure_latency(waiters: int) -> list[float]:
    """Milliseconds from the response to a POST to the response of each waiting client. Earlier ones count as 0."""
    small = CACHE / "small.jpg"
    if not small.exists():
        from PIL import Image
        with Image.open(photo(2725, 2225)) as whole:
            whole.resize((320, 261)).save(small)
    body, boundary = form(small, top="one does not simply")
    times = []
    with server(max_connections=2 * waiters + 100) as (url, _), selectors.DefaultSelector() as selector:
        wait_until_ready(url)
        token = sign_up(url)
        pipe, end = multiprocessing.Pipe()
        author = multiprocessing.Process(target=post, args=(url, token, body, boundary, end))
        author.start()
        clients = [Connection(url, token) for _ in range(waiters)]
        cursor = json.loads(clients[0].ask("GET", "/memes/changes"))["cursor"]
        for client in clients:
            selector.register(client.socket, selectors.EVENT_READ, client)
        for _ in range(CHANGES):
            for client in clients:
                client.send("GET", f"/memes/changes?wait=55&since={cursor}")
            while waiting(url) < waiters:
                time.sleep(0.002)
            pipe.send(True)
            answered = []
            while len(answered) < waiters:
                for key, _ in selector.select():
                    if (text := key.data.take()) is None:
                        continue
                    answered.append(time.monotonic())
                    page = json.loads(text)
                    assert len(page["changes"]) == 1, page
                    cursor = page["cursor"]
            posted = pipe.recv()
            times += [max(0.0, each - posted) * 1000 for each in answered]
        pipe.send(False)
        author.join()
    return sorted(times)


def someones_memes() -> Path:
    """A data folder in which one user owns all memes."""
    folder = CACHE / f"copy-{memes(MEMES).name}"
    if not (folder / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(memes(MEMES), folder, ignore=shutil.ignore_patterns("complete"))
        with contextlib.closing(sqlite3.connect(folder / "mememe.db")) as db, db:
            db.execute("UPDATE memes SET author = ?", (crowd.OTHER,))
        (folder / "complete").touch()
    return folder


def measure_catch_up() -> tuple[float, float]:
    """Memes per second of a client that syncs from the start in pages of 100, and of a client that reads the list."""
    folder = someones_memes()
    token = crowd.sign_in(folder / "mememe.db", crowd.OTHER)

    def walk(client: Connection, target: str, items: str, name: str, cursor: str) -> float:
        count, next, start = 0, "", time.monotonic()
        while next is not None:
            page = json.loads(client.ask("GET", f"{target}&limit=100{next}"))
            count += len(page[items])
            more = page.get("hasMore", page[cursor] is not None)
            next = f"&{name}={page[cursor]}" if more else None
        assert count == MEMES, count
        return count / (time.monotonic() - start)

    rounds = []
    with server(data=folder, memory_cache_bytes=0) as (url, _):
        wait_until_ready(url)
        client = Connection(url, token)
        for _ in range(ROUNDS + 1):
            rounds.append((walk(client, "/memes/changes?wait=0", "changes", "since", "cursor"),
                           walk(client, "/memes?author=me", "items", "cursor", "nextCursor")))
    # The first round is a warm-up.
    return tuple(statistics.median(column) for column in zip(*rounds[1:]))


def measure_cost(seconds: int) -> tuple[float, float]:
    """The rate of POSTs of small pictures by a user, and its ratio to that of a server without triggers for changes."""
    body, boundary = form(CACHE / "small.jpg", top="one does not simply")
    (CACHE / "small-body.bin").write_bytes(body)
    script = CACHE / "small-post.lua"
    script.write_text(
        f'local file = io.open("{CACHE / "small-body.bin"}", "rb")\nwrk.body = file:read("*a")\nwrk.method = "POST"\n'
        f'wrk.headers["Content-Type"] = "multipart/form-data; boundary={boundary}"\n')
    rates = {True: [], False: []}
    with contextlib.ExitStack() as stack:
        places = {}
        for changes in rates:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mememe-bench-", dir=ROOT / ".build")))
            with server(data=folder):
                pass
            if not changes:
                with contextlib.closing(sqlite3.connect(folder / "mememe.db")) as db, db:
                    for trigger in ("change_of_new", "change_of_old"):
                        db.execute(f"DROP TRIGGER {trigger}")
            url = stack.enter_context(server(data=folder)).url
            places[changes] = url, sign_up(url)
        for turn in range(2 * ROUNDS + 1):
            for changes in sorted(rates, reverse=turn % 2 == 0):
                url, token = places[changes]
                output = run("wrk", "-t1", "-c8", f"-d{seconds}s", "-H", f"Authorization: Bearer {token}", "-s", script, f"{url}/memes")
                assert "Non-2xx" not in output, output
                if turn:
                    rates[changes].append(float(re.search(r"Requests/sec:\s+(\S+)", output)[1]))
    # Both rates of a round come from the same conditions of the machine.
    return statistics.median(rates[True]), statistics.median(a / b for a, b in zip(rates[True], rates[False]))


def rows(seconds: int = 2) -> list[Row]:
    result = []
    for waiters in WAITERS:
        times = measure_latency(waiters)
        half, most = times[len(times) // 2], times[int(0.99 * len(times))]
        result.append(Row(
            f"from the answer to a POST to that of {waiters} who {'wait' if waiters > 1 else 'waits'} for it",
            f"p50 {half:.1f} ms, p99 {most:.1f} ms", "p99 ≤ 100 ms", most <= 100,
            f"{CHANGES} memes, each heard of by all; the client shares the {CORES} cores"))
    synced, listed = measure_catch_up()
    result.append(Row(
        f"a copy of {MEMES:,} memes from nothing", f"{synced:,.0f} memes a second, {synced / listed:.2f} × the list",
        f"≥ {CATCH_UP:,}", synced >= CATCH_UP, f"`limit=100` over one connection, median of {ROUNDS} rounds by turns with the list"))
    rate, ratio = measure_cost(seconds)
    result.append(Row(
        "`POST /memes` of a small picture by somebody, stored, 8 at once",
        f"{rate:.0f} a second, {ratio:.2f} × without a row of `changes`", f"≥ {COST} ×", ratio >= COST,
        f"medians of {2 * ROUNDS} rounds by turns of `wrk -t1 -c8 -d{seconds}s`; the other server's database lacks the triggers"))
    return result


if __name__ == "__main__":
    for row in rows():
        print(f"{row.work} | {row.result} | {row.target} | {row.met}")
