"""Rows about accounts: the rate of sign-ins, their effect on readers, and whether response times reveal accounts."""

import http.client
import json
import statistics
import subprocess
import time
import urllib.parse

from harness import CACHE, CORES, Row, photo, server, upload, wait_until_ready
from overload import healthy

PASSWORD = "a horse that nobody staples"
SECONDS = 10
FLOOD = 64
TURNS = 200
# A relative difference that an attacker on another network cannot distinguish from noise.
TELLING = 0.02


class Client:
    """An HTTP client with one persistent connection, as in an app."""

    def __init__(self, url: str):
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc)

    def post(self, path: str, status: int, **body: str) -> float:
        """Milliseconds from the first byte sent to the last byte received."""
        content = json.dumps(body)
        start = time.monotonic()
        self.connection.request("POST", path, content, {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        text = answer.read()
        took = (time.monotonic() - start) * 1000
        if answer.status != status:
            raise SystemExit(f"{path}: {answer.status} {text[:300]!r}")
        return took


def script(name: str, **body: str) -> str:
    """A script with which wrk sends the same request repeatedly."""
    path = CACHE / f"{name}.lua"
    path.write_text(f"wrk.method = \"POST\"\nwrk.body = [[{json.dumps(body)}]]\n"
                    "wrk.headers[\"Content-Type\"] = \"application/json\"\n")
    return str(path)


def load(url: str, lua: str, clients: int, seconds: int) -> subprocess.Popen:
    return subprocess.Popen(["wrk", "-t1", f"-c{clients}", f"-d{seconds}s", "-s", lua, f"{url}/sessions"],
                            stdout=subprocess.PIPE, text=True)


def rate(wrk: subprocess.Popen) -> float:
    return float(wrk.communicate()[0].split("Requests/sec:")[1].split()[0])


def measure_rate(url: str) -> float:
    """Sign-ins per second of eight clients that wait for each response."""
    return rate(load(url, script("sign-in", username="ada", password=PASSWORD), 8, SECONDS))


def measure_flood(url: str, picture: str) -> tuple[dict, dict]:
    """The results of a reader alone, and during a flood of password guesses."""
    with healthy(url, picture, 200, 5) as alone:
        pass
    flood = load(url, script("guess", username="ada", password="not the password"), FLOOD, SECONDS + 4)
    time.sleep(2)
    with healthy(url, picture, 200, SECONDS) as beside:
        pass
    flood.communicate()
    return alone, beside


def by_turns(one, other, turns: int) -> tuple[float, float]:
    """The medians of two functions that are called alternately. The order changes, as calls may leave work behind."""
    times = {one: [], other: []}
    for turn in range(turns):
        for call in (one, other) if turn % 2 else (other, one):
            times[call].append(call())
    return statistics.median(times[one]), statistics.median(times[other])


def tells(known: float, unknown: float) -> bool:
    return abs(known - unknown) > TELLING * max(known, unknown)


def rows() -> list[Row]:
    with server(rate_limits="off") as (url, _):
        wait_until_ready(url)
        client = Client(url)
        for name in ("ada", "bob"):
            client.post("/users", 201, username=name, email=f"{name}@example.org", password=PASSWORD)
        picture = upload(url, photo(2725, 2225), top="small", maxEdge="372")["image"]["url"]
        signed = by_turns(
            lambda: client.post("/sessions", 401, username="ada", password="not the password"),
            lambda: client.post("/sessions", 401, username="nobody", password="not the password"), TURNS)
        reset = by_turns(
            lambda: client.post("/password-resets", 202, email="bob@example.org"),
            lambda: client.post("/password-resets", 202, email="nobody@example.org"), 10 * TURNS)
        rate = measure_rate(url)
        alone, beside = measure_flood(url, picture)
    return [
        Row("sign-ins", f"{rate:.0f} a second", "", None, f"`wrk -t1 -c8 -d{SECONDS}s`, on the same {CORES} cores"),
        Row(f"a reader beside {FLOOD} clients that guess passwords",
            f"p99 {beside['p99']:.1f} ms ({alone['p99']:.1f} ms alone), {beside['errors']} errors of {beside['requests']:,}",
            "p99 ≤ 50 ms, no error", beside["p99"] <= 50 and not beside["errors"],
            f"200 pictures a second for {SECONDS} s at a fixed pace, each counted from when it was due"),
        Row("sign-in refused: somebody's name, nobody's", f"{signed[0]:.1f} ms, {signed[1]:.1f} ms",
            f"the same within {100 * TELLING:.0f} %", not tells(*signed), f"median of {TURNS} each, by turns, over one connection"),
        Row("password reset asked for: somebody's address, nobody's", f"{reset[0]:.3f} ms, {reset[1]:.3f} ms",
            f"the same within {100 * TELLING:.0f} %", not tells(*reset), f"median of {10 * TURNS} each, by turns, over one connection"),
    ]
