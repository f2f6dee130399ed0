"""Rows about event streams: the memory of a server with thousands of open streams, and the latency of events."""

import contextlib
import http.client
import resource
import socket
import sqlite3
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

import crowd
from harness import MEMEME, ROOT, Row, cpu_seconds, form, memory, photo, run, server, wait_until_ready

STREAMS, PER_PERSON = 5_000, 8
POSTS = 200
# The duration of the phase in which only heartbeats are sent.
QUIET_SECONDS = 30


@contextlib.contextmanager
def folder_of_people(count: int):
    """A data folder with signed-in users. Yields the folder and their tokens."""
    with tempfile.TemporaryDirectory(prefix="mememe-bench-", dir=ROOT / ".build") as folder:
        run(MEMEME, "migrate", "--data", folder)
        database = Path(folder) / "mememe.db"
        with contextlib.closing(sqlite3.connect(database)) as db, db:
            db.executemany(
                "INSERT INTO users (seq, id, username, email, display_name, password, password_changed_at, created_at)"
                " VALUES (?, ?, ?, ?, ?, '$', 0, 0)",
                [(n, n.to_bytes(16), f"person_{n}", f"{n}@example.org", f"Person {n}") for n in range(1, count + 1)])
        yield folder, [crowd.sign_in(database, person) for person in range(1, count + 1)]


class Stream:
    """A client that receives an event stream."""

    def __init__(self, url: str, token: str):
        place = urllib.parse.urlsplit(url)
        self.socket = socket.create_connection((place.hostname, place.port))
        self.socket.sendall(
            f"GET /memes/events HTTP/1.1\r\nHost: {place.netloc}\r\nAccept: text/event-stream\r\n"
            f"Authorization: Bearer {token}\r\n\r\n".encode())

    def begin(self) -> None:
        """Reads up to the first event id."""
        text = b""
        while b"\nid: " not in text or not text.endswith(b"\n\n\r\n"):
            piece = self.socket.recv(65536)
            text += piece
            if not piece or not text.startswith(b"HTTP/1.1 200"):
                raise SystemExit(f"no stream: {text[:300]!r}")


class Listener(threading.Thread):
    """Records the time of each event of a stream."""

    def __init__(self, stream: Stream):
        super().__init__(daemon=True)
        self.stream, self.times = stream, []

    def run(self) -> None:
        rest = b""
        while piece := self.stream.socket.recv(1 << 20):
            now = time.monotonic()
            lines = (rest + piece).split(b"\n")
            rest = lines.pop()
            self.times += [now for line in lines if line.startswith(b"data: ")]


def measure_latency(url: str, token: str, listener: Listener) -> list[float]:
    """Milliseconds from the response to a POST to its event; 0 if the event came first."""
    body, boundary = form(photo(2725, 2225), top="such meme", maxEdge="256")
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}", "Authorization": f"Bearer {token}"}
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc)
    waits = []
    for number in range(POSTS):
        connection.request("POST", "/memes", body, headers)
        answer = connection.getresponse()
        text = answer.read()
        answered = time.monotonic()
        assert answer.status == 201, f"{answer.status} {text[:300]!r}"
        while len(listener.times) <= number:
            time.sleep(0.0002)
            assert time.monotonic() < answered + 10, "no event"
        waits.append(max(0, (listener.times[number] - answered) * 1000))
    return sorted(waits)


def measure() -> dict:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with folder_of_people(STREAMS // PER_PERSON) as (folder, tokens), \
            server(data=folder, max_connections=STREAMS + 100) as (url, pid):
        wait_until_ready(url)
        time.sleep(1)
        before = memory(pid)
        streams = []
        for number in range(STREAMS):
            streams.append(Stream(url, tokens[number % len(tokens)]))
            streams[-1].begin()
        time.sleep(2)
        opened, cpu = memory(pid), cpu_seconds(pid)
        time.sleep(QUIET_SECONDS)
        busy = (cpu_seconds(pid) - cpu) / QUIET_SECONDS
        idle = memory(pid)
        listener = Listener(streams[0])
        listener.start()
        waits = measure_latency(url, tokens[0], listener)
        after = memory(pid)
        for stream in streams:
            stream.socket.shutdown(socket.SHUT_RDWR)
        listener.join()
    return {"before": before, "open": opened, "idle": idle, "after": after, "busy": busy,
            "half": waits[len(waits) // 2], "most": waits[len(waits) * 99 // 100]}


def rows() -> list[Row]:
    found = measure()
    highest = max(found["open"], found["idle"])
    return [
        Row(f"memory with {STREAMS:,} event streams open",
            f"{highest:.0f} MB; {1024 * (highest - found['before']) / STREAMS:.0f} KB each", "≤ 400 MB", highest <= 400,
            f"`VmRSS` when they are open and {QUIET_SECONDS} s later; {100 * found['busy']:.1f} % of a core for their heartbeats"),
        Row("from the answer to `POST /memes` to its event", f"p99 {found['most']:.1f} ms, median {found['half']:.1f} ms",
            "", None, f"{POSTS} memes, one after the other, with {STREAMS:,} streams open"),
    ]
