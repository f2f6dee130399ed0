"""Rows about connections: how fast events are delivered, how late, and what they cost the requests that cause them."""

import asyncio
import contextlib
import http.client
import json
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from harness import MEMEME, ROOT, Row, cpu_seconds, server, upload

EVENTS = 1_000
ANSWER_SECONDS = 0.010
LAG_EVENTS = 300
ROUNDS = 5
WRITES = 400
PICTURE = ROOT / "Tests" / "Support" / "Fixtures" / "photo.jpg"


class Receiver:
    """Answers each POST after 10 ms, and notes when it came."""

    def __init__(self):
        self.times: list[float] = []
        self.loop = asyncio.new_event_loop()
        started = threading.Event()
        threading.Thread(target=self._run, args=(started,), daemon=True).start()
        started.wait()

    def _run(self, started):
        async def serve():
            listening = await asyncio.start_server(self._answer, "127.0.0.1", 0)
            self.port = listening.sockets[0].getsockname()[1]
            started.set()
            await listening.serve_forever()

        self.loop.run_until_complete(serve())

    async def _answer(self, reader, writer):
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))
                await reader.readexactly(length)
                self.times.append(time.monotonic())
                await asyncio.sleep(ANSWER_SECONDS)
                writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")

    def wait(self, count: int) -> None:
        deadline = time.monotonic() + 120
        while len(self.times) < count:
            assert time.monotonic() < deadline, f"{len(self.times)} of {count} events arrived"
            time.sleep(0.005)


def floor(receiver: Receiver, body: bytes) -> float:
    """POSTs a second on one connection, one after the other."""
    connection = http.client.HTTPConnection("127.0.0.1", receiver.port)
    begin = time.monotonic()
    for _ in range(EVENTS):
        connection.request("POST", "/", body)
        connection.getresponse().read()
    return EVENTS / (time.monotonic() - begin)


class Client:
    def __init__(self, url: str):
        self.connection, self.token = http.client.HTTPConnection(url.removeprefix("http://")), None

    def call(self, method: str, path: str, body=None):
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = self.connection.getresponse()
        text = response.read()
        assert response.status < 300, f"{method} {path}: {response.status} {text!r}"
        return json.loads(text) if text else None


def rows() -> list[Row]:
    receiver = Receiver()
    with tempfile.TemporaryDirectory(prefix="mememe-bench-", dir=ROOT / ".build") as folder:
        with server(data=Path(folder), connections_allow="127.0.0.1") as started:
            return measured(receiver, started, folder)


def measured(receiver: Receiver, started, folder: str) -> list[Row]:
    client, password = Client(started.url), "a cat on a keyboard"
    client.call("POST", "/users", {"username": "ada", "email": "ada@example.org", "password": password})
    subprocess.run([MEMEME, "user", "role", "ada", "admin", "--data", folder], check=True, capture_output=True)
    client.token = client.call("POST", "/sessions", {"username": "ada", "password": password})["token"]
    meme = upload(started.url, PICTURE, top="x")["id"]
    comments = f"/memes/{meme}/comments"

    def connect() -> str:
        made = client.call("POST", "/connections", {
            "name": "bench", "url": f"http://127.0.0.1:{receiver.port}/", "scope": "all"})
        path = f"/connections/{made['id']}"
        client.call("POST", f"{path}/mappings", {"events": ["comment.created"]})
        return path

    def comment() -> float:
        client.call("POST", comments, {"text": "x"})
        return time.monotonic()

    # The cost of recording events, without their delivery.
    path = connect()
    client.call("POST", f"{path}/actions/pause")
    costs: dict[bool, list[float]] = {False: [], True: []}
    for turn in range(2 * (ROUNDS + 1)):
        records = turn % 2 == 1
        if records:
            path = connect()
            client.call("POST", f"{path}/actions/pause")
        else:
            client.call("DELETE", path)
        before = cpu_seconds(started.pid)
        for _ in range(WRITES):
            comment()
        # The first two rounds are a warm-up.
        if turn > 1:
            costs[records].append(1000 * (cpu_seconds(started.pid) - before) / WRITES)
    client.call("DELETE", path)

    path = connect()
    client.call("POST", f"{path}/actions/pause")
    for _ in range(EVENTS):
        comment()
    body = json.dumps({"type": "comment.created", "data": "x" * 1500}).encode()
    bare = floor(receiver, body)
    receiver.times.clear()
    client.call("POST", f"{path}/actions/resume")
    receiver.wait(EVENTS)
    rate = (EVENTS - 1) / (receiver.times[EVENTS - 1] - receiver.times[0])

    receiver.times.clear()
    sent = []
    for _ in range(LAG_EVENTS):
        sent.append(comment())
        time.sleep(0.03)
    receiver.wait(LAG_EVENTS)
    lags = sorted(1000 * (arrived - left) for left, arrived in zip(sent, receiver.times))
    p99 = lags[int(0.99 * len(lags))]
    without, recorded = (statistics.median(costs[records]) for records in (False, True))
    return [
        Row("1,000 events to a receiver that answers in 10 ms",
            f"{rate:.1f} a second, {100 * rate / bare:.0f} % of bare POSTs on one connection ({bare:.1f})",
            "≥ 90 %", rate >= 0.9 * bare, "comments; JSON; signed and recorded one by one"),
        Row("from the response to a comment to its event at the receiver",
            f"p50 {statistics.median(lags):.0f} ms, p99 {p99:.0f} ms", "p99 ≤ 1,000 ms", p99 <= 1000,
            f"{LAG_EVENTS} comments, one every 30 ms or more"),
        Row("`POST` of a comment, whose event is recorded",
            f"{recorded:.2f} ms CPU, {without:.2f} ms without a connection", "", None,
            f"median of {ROUNDS} rounds of {WRITES} by turns; the connection is paused"),
    ]
