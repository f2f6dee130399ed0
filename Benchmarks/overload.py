"""Rows about clients that are too slow, and about too many clients. A well-behaved client measures the effect."""

import asyncio
import contextlib
import json
import resource
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from harness import CACHE, Row, form, memory, photo, run, server, upload, wait_until_ready
from paced import percentile

SLOW = 1000
SECONDS = 20
TOO_MUCH = 10
# Seconds before the uploads count, in which the queues fill.
WARM_UP = 3


@contextlib.contextmanager
def healthy(url: str, path: str, rate: int, seconds: float):
    """Runs a client with a fixed request rate in its own process. Yields a dictionary that receives the results."""
    host, port = urlsplit(url).hostname, urlsplit(url).port
    command = [sys.executable, str(Path(__file__).parent / "paced.py"), host, port, path, rate, seconds]
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True)
    seen = {}
    yield seen
    seen.update(json.loads(process.communicate()[0]))


async def dribble(url: str, begin: bytes, rest: bytes, counts: dict) -> None:
    """Sends `begin` at once and `rest` at one byte per second. Reconnects when the server closes the connection."""
    host, port = urlsplit(url).hostname, urlsplit(url).port
    while True:
        try:
            reader, writer = await asyncio.open_connection(host, port)
        except OSError:
            counts["refused"] += 1
            await asyncio.sleep(0.5)
            continue
        counts["open"] += 1
        try:
            writer.write(begin)
            for index in range(len(rest)):
                writer.write(rest[index:index + 1])
                await writer.drain()
                with contextlib.suppress(TimeoutError):
                    if not await asyncio.wait_for(reader.read(4096), 1):
                        break
        except OSError:
            pass
        finally:
            counts["open"] -= 1
            counts["cut"] += 1
            writer.close()


async def stall(url: str, path: str, counts: dict) -> None:
    """Requests more than the kernel's buffers hold, and never reads. Reconnects when it is disconnected."""
    address = (urlsplit(url).hostname, urlsplit(url).port)
    loop = asyncio.get_running_loop()
    while True:
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.setblocking(False)
        try:
            await loop.sock_connect(connection, address)
            counts["open"] += 1
            await loop.sock_sendall(connection, f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            # The first byte of TCP_INFO is the state of the connection: 1 means established.
            while connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == 1:
                await asyncio.sleep(1)
            counts["open"] -= 1
            counts["cut"] += 1
        except OSError:
            counts["refused"] += 1
            await asyncio.sleep(0.5)
        finally:
            connection.close()


async def crowd(url: str, picture: str, until: asyncio.Event, counts: dict) -> None:
    head = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: "
    post = b"POST /memes HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n"
    tasks = []
    for number in range(SLOW):
        match number % 3:
            case 0: tasks.append(dribble(url, head, b"x" * 10_000, counts))
            case 1: tasks.append(dribble(url, post, b"x" * 10_000, counts))
            case 2: tasks.append(stall(url, picture, counts))
    running = [asyncio.create_task(task) for task in tasks]
    await until.wait()
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)


def measure_slow() -> dict:
    """The results of a client alone, and of the same client during a thousand slow connections."""
    async def beside(url: str, small: str, large: str) -> tuple[dict, dict]:
        counts, over = {"open": 0, "cut": 0, "refused": 0}, asyncio.Event()
        slow = asyncio.create_task(crowd(url, large, over, counts))
        await asyncio.sleep(WARM_UP)
        least = counts["open"]
        with healthy(url, small, 200, SECONDS) as seen:
            for _ in range(SECONDS):
                await asyncio.sleep(1)
                least = min(least, counts["open"])
        over.set()
        await slow
        return seen, counts | {"least": least}

    # The timeouts must expire during the measurement.
    settings = {"max_connections": SLOW + 500, "header_timeout": 5, "keepalive_timeout": 5}
    with server(**settings) as (url, pid):
        wait_until_ready(url)
        small = upload(url, photo(2725, 2225), top="small", maxEdge="372")["image"]["url"]
        large = upload(url, photo(4032, 3024), top="large", maxEdge="4032")["image"]["url"]
        with healthy(url, small, 200, 5) as alone:
            pass
        before = memory(pid)
        seen, counts = asyncio.run(beside(url, small, large))
        return {"alone": alone, "seen": seen, "counts": counts, "memory": memory(pid) - before}


@dataclass
class Offer:
    """The results of uploads that are sent at a fixed rate."""
    created: int = 0
    refusals: list[float] = field(default_factory=list)
    others: list[str] = field(default_factory=list)


async def post(address: tuple, request: memoryview, counts_from: float, offer: Offer) -> None:
    """Sends an upload on a new connection. Reads while it sends, because a refusal may come before the end."""
    loop = asyncio.get_running_loop()
    connection = socket.socket()
    connection.setblocking(False)
    begin = time.monotonic()
    try:
        await loop.sock_connect(connection, address)
        sending = asyncio.create_task(loop.sock_sendall(connection, request))
        answer = await asyncio.wait_for(loop.sock_recv(connection, 65536), 60)
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        status = answer[9:12].decode() or "closed"
    except (OSError, TimeoutError) as error:
        status = type(error).__name__
    finally:
        connection.close()
    if begin < counts_from:
        return
    if status == "201":
        offer.created += 1
    elif status == "503":
        offer.refusals.append((time.monotonic() - begin) * 1000)
    else:
        offer.others.append(status)


async def flood(url: str, request: bytes, rate: float, offer: Offer, pid: int) -> list[float]:
    """Sends uploads at a fixed rate. Returns the server's memory in megabytes, once per second."""
    address = (urlsplit(url).hostname, urlsplit(url).port)
    begin, tasks, room = time.monotonic(), set(), []
    view = memoryview(request)
    for number in range(int(rate * (WARM_UP + SECONDS))):
        await asyncio.sleep(max(0.0, begin + number / rate - time.monotonic()))
        task = asyncio.create_task(post(address, view, begin + WARM_UP, offer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        if time.monotonic() - begin > len(room):
            room.append(memory(pid))
    await asyncio.gather(*tasks)
    return room


def measure_flood() -> dict:
    """Sends ten times as many uploads as the server can process."""
    body, boundary = form(photo(1600, 1200), top="one does not simply", bottom="walk into mordor", maxEdge="16384")
    with server(render_queue=32) as (url, pid):
        wait_until_ready(url)
        small = upload(url, photo(2725, 2225), top="small", maxEdge="372")["image"]["url"]
        request = (f"POST /memes HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary={boundary}\r\n"
                   f"Content-Length: {len(body)}\r\n\r\n").encode() + body
        capacity = measure_capacity(url, body, boundary)
        offer = Offer()
        with healthy(url, small, 100, WARM_UP + SECONDS) as seen:
            room = asyncio.run(flood(url, request, TOO_MUCH * capacity, offer, pid))
        middle = len(room) // 2
        return {"capacity": capacity, "offer": offer, "seen": seen,
                "early": max(room[:middle]), "late": max(room[middle:]), "bytes": len(body)}


def measure_capacity(url: str, body: bytes, boundary: str) -> float:
    """Uploads per second of eight clients that wait for each response."""
    (CACHE / "flood.bin").write_bytes(body)
    script = CACHE / "flood.lua"
    script.write_text(
        f'wrk.body = io.open("{CACHE / "flood.bin"}", "rb"):read("*a")\nwrk.method = "POST"\n'
        f'wrk.headers["Content-Type"] = "multipart/form-data; boundary={boundary}"\n')
    output = run("wrk", "-t1", "-c8", "-d5s", "-s", script, f"{url}/memes")
    return float(output.split("Requests/sec:")[1].split()[0])


def rows() -> list[Row]:
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    slow, much = measure_slow(), measure_flood()
    seen, counts, offer = slow["seen"], slow["counts"], much["offer"]
    refusals = sorted(offer.refusals)
    worst, picture = percentile(refusals, 0.99), much["seen"]
    return [
        Row(f"{SLOW:,} slow connections beside a healthy client",
            f"its p99 {seen['p99']:.1f} ms ({slow['alone']['p99']:.1f} ms alone), {seen['errors']} errors of"
            f" {seen['requests']:,}; {counts['cut']:,} cut off, {counts['least']} open at least, {slow['memory']:.0f} MB more",
            "p99 ≤ 50 ms, no error", seen["p99"] <= 50 and seen["errors"] == 0,
            f"a third dribbles heads, a third bodies, a third never reads; 200 pictures a second for {SECONDS} s at a fixed"
            " pace, each counted from when it was due"),
        Row(f"{TOO_MUCH} × as many uploads as it can take",
            f"of {len(refusals) + offer.created + len(offer.others):,} offered {offer.created:,} × 201, {len(refusals):,} × 503"
            f" in {worst:.0f} ms (p99)" + (f", {len(offer.others)} others ({', '.join(sorted(set(offer.others)))})" if offer.others else "")
            + f"; a picture's p99 {picture['p99']:.0f} ms, {picture['errors']} errors;"
            f" {much['early']:.0f} MB in the first half, {much['late']:.0f} MB in the second",
            "refused within 100 ms, pictures ≤ 200 ms, no growth",
            worst <= 100 and picture["p99"] <= 200 and not picture["errors"] and not offer.others
            and much["late"] <= 1.1 * much["early"],
            f"{much['capacity'] * TOO_MUCH:,.0f} uploads a second of {much['bytes'] / 1000:.0f} KB for {SECONDS} s at a fixed pace,"
            f" each on a connection of its own, from the first byte; it can take {much['capacity']:.0f}; a queue of 32"),
    ]
