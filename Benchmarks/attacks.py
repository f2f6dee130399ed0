"""Rows about an attacker who sends the most expensive requests from one network, while a signed-in user works.

Rate limits are on. The attacker and the user connect through a proxy that the server trusts, so that one machine acts
as two networks.
"""

import contextlib
import http.client
import json
import random
import shutil
import socket
import sqlite3
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path
from urllib.parse import urlsplit

from PIL import Image

import scale
from harness import CACHE, ROOT, Row, form, photo, server, wait_until_ready
from paced import percentile

ATTACKER, PERSON = "192.0.2.1", "198.51.100.7"
SECONDS = 20
# Seconds before the user starts, in which the queues fill.
WARM_UP = 1.5
MEMES = 200_000
# Frequent characters of a script without spaces. Each is a word, and occurs in most memes.
LETTERS = "的一是不了人我在有他"


class Client:
    """An HTTP client with one connection, which stays open until the server closes it."""

    def __init__(self, url: str, peer: str):
        self.place, self.peer, self.connection = urlsplit(url), peer, None
        self.headers = {"X-Forwarded-For": peer}

    def ask(self, method: str, path: str, body: bytes | None = None, headers: dict | None = None) -> tuple[int, bytes]:
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.place.hostname, self.place.port, timeout=60)
        try:
            self.connection.request(method, path, body, self.headers | (headers or {}))
            answer = self.connection.getresponse()
            return answer.status, answer.read()
        except OSError:
            self.connection.close()
            self.connection = None
            raise

    def sign_up(self) -> None:
        kind = {"Content-Type": "application/json"}
        person = {"username": "person", "password": "a cat on a keyboard", "email": "person@example.org"}
        self.ask("POST", "/users", json.dumps(person).encode(), kind)
        del person["email"]
        token = json.loads(self.ask("POST", "/sessions", json.dumps(person).encode(), kind)[1])["token"]
        self.headers["Authorization"] = f"Bearer {token}"

    def post(self, path: str, picture: Path, **fields: str) -> tuple[int, bytes]:
        body, boundary = form(picture, **fields)
        return self.ask("POST", path, body, {"Content-Type": f"multipart/form-data; boundary={boundary}"})


class Watched:
    """The responses to one kind of request: the number of each status, and the durations."""

    def __init__(self):
        self.counts, self.seconds, self.lock = {}, [], threading.Lock()

    def note(self, ask) -> int | None:
        begin = time.monotonic()
        try:
            status = ask()[0]
        except (OSError, http.client.HTTPException) as failure:
            status = type(failure).__name__
        with self.lock:
            self.counts[status] = self.counts.get(status, 0) + 1
            self.seconds.append(time.monotonic() - begin)
        return status

    def p99(self) -> float:
        return percentile(sorted(self.seconds), 0.99)

    def text(self) -> str:
        return ", ".join(f"{count} × {status}" for status, count in sorted(self.counts.items(), key=str))


def repeat(end: float, pause: float, ask) -> threading.Thread:
    """Sends requests until `end`. The pause is longer after an error."""

    def run() -> None:
        while time.monotonic() < end:
            status = ask()
            time.sleep(pause if status in (200, 201) else max(pause, 0.1))

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def attack(url: str, count: int, ask, *others) -> Watched:
    """Runs `count` attackers and, at the same time, `others`: each a pause, a `Watched` and a request function."""
    end, attacked = time.monotonic() + SECONDS, Watched()
    threads = []
    for number in range(count):
        client, source = Client(url, ATTACKER), random.Random(number)
        threads.append(repeat(end, 0, lambda client=client, source=source: attacked.note(lambda: ask(client, source))))
    time.sleep(WARM_UP)
    for pause, watched, what in others:
        threads.append(repeat(end, pause, lambda watched=watched, what=what: watched.note(what)))
    for thread in threads:
        thread.join()
    return attacked


def bomb() -> Path:
    path = CACHE / "bomb.webp"
    if not path.exists():
        Image.new("RGB", (9950, 9950)).save(path, lossless=True)
    return path


@contextlib.contextmanager
def attacked_server(data: Path | None = None):
    with server(data=data, rate_limits="on", trusted_proxies="127.0.0.1") as (url, _):
        wait_until_ready(url)
        person = Client(url, PERSON)
        person.sign_up()
        yield url, person


def bombs(path: str) -> Row:
    small, large, uploads = photo(800, 600), bomb(), Watched()
    with attacked_server() as (url, person):
        attacked = attack(
            url, 40, lambda client, source: client.post(path, large, top=str(source.random())),
            (0.3, uploads, lambda: person.post("/memes", small, top="one does not simply")))
    return Row(
        f"an upload during bombs on `POST {path}`", f"p99 {1000 * uploads.p99():.0f} ms; {uploads.text()}",
        "p99 ≤ 2 s, no 503", uploads.p99() <= 2 and set(uploads.counts) == {201},
        f"a WebP of {large.stat().st_size} bytes and 99 megapixels, from 40 connections of one network: {attacked.text()}")


def derived() -> list[Row]:
    large, small = photo(4032, 3024), photo(800, 600)
    uploads, hot = Watched(), Watched()
    with attacked_server() as (url, person):
        memes = [json.loads(person.post("/memes", large, top=str(n), maxEdge="4000")[1])["id"] for n in range(20)]
        other = Client(url, "198.51.100.9")

        def picture(client: Client, source: random.Random) -> tuple[int, bytes]:
            kind = source.choice(["webp", "avif", "gif", "png"])
            return client.ask("GET", f"/memes/{source.choice(memes)}/image?width={source.randrange(1500, 4000)}&format={kind}")

        attacked = attack(
            url, 40, picture, (0.3, uploads, lambda: person.post("/memes", small, top="one does not simply")),
            (0.02, hot, lambda: other.ask("GET", f"/memes/{memes[0]}/thumbnail?view=grid")))
    how = f"GET of 20 memes in every width and kind, from 40 connections of one network: {attacked.text()}"
    return [
        Row("an upload during pictures in every size", f"p99 {1000 * uploads.p99():.0f} ms; {uploads.text()}",
            "p99 ≤ 2 s", uploads.p99() <= 2 and set(uploads.counts) == {201}, how),
        Row("a hot picture in the same time", f"p99 {1000 * hot.p99():.1f} ms; {hot.text()}",
            "p99 ≤ 20 ms", hot.p99() <= 0.02 and set(hot.counts) == {200}, "the same; a thumbnail, 50 times a second"),
    ]


@contextlib.contextmanager
def wordy():
    """A data folder whose memes have 20 frequent characters each."""
    with tempfile.TemporaryDirectory(prefix="mememe-bench-", dir=ROOT / ".build") as folder:
        data = Path(folder) / "data"
        shutil.copytree(scale.memes(MEMES), data)
        source = random.Random(1)
        with contextlib.closing(sqlite3.connect(data / "mememe.db")) as db, db:
            numbers = [row[0] for row in db.execute("SELECT seq FROM memes ORDER BY seq DESC")]
            db.execute("DELETE FROM meme_words")
            db.executemany(
                "INSERT INTO meme_words (rowid, captions, alt_text, author) VALUES (?, ?, '', '')",
                ((-number, " ".join(source.choices(LETTERS, k=20))) for number in numbers))
        yield data


def searches() -> list[Row]:
    health, found = Watched(), Watched()

    def search(client: Client, source: random.Random) -> tuple[int, bytes]:
        # Two alternating characters. FTS5 must look for them at every position of both.
        words = " ".join("".join(source.choices(LETTERS, k=2)) * 4 for _ in range(7))
        return client.ask("GET", "/memes?view=grid&q=" + urllib.parse.quote(words))

    with wordy() as data, attacked_server(data) as (url, _):
        checker, searcher = Client(url, "198.51.100.8"), Client(url, "198.51.100.9")
        wanted = "/memes?view=grid&q=" + urllib.parse.quote("有他")
        attacked = attack(
            url, 16, search, (0.02, health, lambda: checker.ask("GET", "/healthz")),
            (0.6, found, lambda: searcher.ask("GET", wanted)))
    how = f"16 searchers of one network, {MEMES:,} memes of 20 frequent letters: {attacked.text()}"
    return [
        Row("`/healthz` during searches that find little", f"p99 {1000 * health.p99():.1f} ms", "p99 ≤ 20 ms",
            health.p99() <= 0.02 and set(health.counts) == {200}, how),
        Row("another search in the same time", f"p99 {1000 * found.p99():.0f} ms; {found.text()}", "p99 ≤ 0.5 s",
            found.p99() <= 0.5 and set(found.counts) == {200}, "the same"),
    ]


def silent() -> Row:
    """Connections from the local machine are not limited by network. Here, silent ones must make room for new ones."""
    health, sockets = Watched(), []
    with attacked_server() as (url, _):
        place = urlsplit(url)
        for _ in range(1000):
            sockets.append(socket.create_connection((place.hostname, place.port)))
        end = time.monotonic() + SECONDS / 2
        repeat(end, 0.02, lambda: health.note(lambda: Client(url, PERSON).ask("GET", "/healthz"))).join()
        for each in sockets:
            each.close()
    return Row(
        "new connections with 1,000 silent ones open", health.text(), "no 503", set(health.counts) == {200},
        "`MEMEME_MAX_CONNECTIONS` is 1,000; each request has a connection of its own")


def noise() -> Path:
    """A picture of 7 MB that no encoder can compress."""
    path = CACHE / "noise.png"
    if not path.exists():
        Image.frombytes("RGB", (1600, 1500), random.Random(1).randbytes(1600 * 1500 * 3)).save(path, compress_level=1)
    return path


def stored() -> Row:
    small, large, uploads = photo(800, 600), noise().read_bytes(), Watched()
    with tempfile.TemporaryDirectory(prefix="mememe-bench-", dir=ROOT / ".build") as folder:
        data = Path(folder) / "data"
        with attacked_server(data) as (url, person):
            attacked = attack(
                url, 8, lambda client, source: client.ask("POST", "/uploads", large),
                (0.3, uploads, lambda: person.post("/memes", small, top="one does not simply")))
            admin = {"Authorization": f"Bearer {(data / 'admin-token').read_text().strip()}"}
            used = json.loads(Client(url, PERSON).ask("GET", "/admin/usage", headers=admin)[1])["anonymous"]["used"]
        size = sum(file.stat().st_size for file in data.glob("mememe.db*"))
    return Row(
        "what a network stores that uploads without end", f"{used / 2**20:.0f} MiB, the database has {size / 2**20:.0f} MiB",
        "≤ 256 MiB, and others upload", used <= 256 << 20 and set(uploads.counts) == {201},
        f"`POST /uploads` of {len(large) / 1e6:.0f} MB by 8 connections of one network: {attacked.text()}; a person with an account: {uploads.text()}")


def rows() -> list[Row]:
    return [bombs("/memes"), bombs("/memes/preview"), *derived(), *searches(), silent(), stored()]
