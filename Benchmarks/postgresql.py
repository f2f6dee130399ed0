"""Rows about several servers with one PostgreSQL database: what each request costs the database, and how far writes and
changes carry. The database is durable, as in production."""

import contextlib
import hashlib
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import crowd
from harness import CACHE, CORES, ROOT, Row, cpu_seconds, form, photo, run, server, wait_until_ready
from hot import load
from scale import memes
from sync import Connection, sign_up, waiting

FEW, MANY = 1_000, 100_000
ROUNDS = 3
CLIENTS = 32
CHANGES = 200
# Part of the names in the cache. Change it when the generated data must change.
GENERATOR = "2"


def programs() -> Path:
    """The folder with initdb. Debian keeps it out of PATH."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    return debian[-1] if debian else Path(shutil.which("initdb") or "").parent


class PostgreSQL:
    """A PostgreSQL server on a socket in a folder of its own."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.as_user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []

    def start(self, *options: str) -> None:
        if not (self.folder / "data").exists():
            self.folder.mkdir(parents=True)
            if self.as_user:
                shutil.chown(self.folder, "postgres")
            self.run("initdb", "--locale=C", "--encoding=UTF8", "--auth=trust", "-U", "postgres", "-D", self.folder / "data")
        settings = f"-k {self.folder} -c listen_addresses='' -c max_connections=200 -c shared_buffers=512MB {' '.join(options)}"
        self.run("pg_ctl", "-D", self.folder / "data", "-w", "-t", "300", "-l", self.folder / "log", "-o", settings, "start")
        self.pid = int((self.folder / "data/postmaster.pid").read_text().split()[0])

    def stop(self) -> None:
        self.run("pg_ctl", "-D", self.folder / "data", "-m", "fast", "-w", "-t", "300", "stop")

    def run(self, program: str, *arguments) -> str:
        words = [*self.as_user, str(programs() / program), *map(str, arguments)]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=self.folder)
        if done.returncode != 0:
            raise SystemExit(f"{program}: {done.stdout}")
        return done.stdout

    def psql(self, database: str, *arguments) -> str:
        return self.run("psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", "postgres", "-d", database, *arguments)

    def cpu(self) -> float:
        """CPU seconds of all its processes, also of those that have ended."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        ended = sum(map(int, fields[13:15])) / os.sysconf("SC_CLK_TCK")
        living = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        total = ended
        for child in map(int, living):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                total += cpu_seconds(child)
        return total

    def settle(self) -> None:
        """Waits until the servers have deleted what has expired, which would count as the cost of the requests."""
        deadline = time.monotonic() + 600
        while True:
            before = self.cpu()
            time.sleep(2)
            if self.cpu() - before < 0.2:
                return
            assert time.monotonic() < deadline, "PostgreSQL is never idle"

    def address(self, database: str) -> str:
        return f"postgres://postgres@/{database}?host={self.folder}"


@contextlib.contextmanager
def databases():
    """A PostgreSQL server with a database of each size, `memes_1000` and so on, which it creates once."""
    digest = hashlib.sha256(GENERATOR.encode())
    fill = ROOT / "Tests/Engines/fill.sql"
    for file in (*sorted((ROOT / "migrations/postgres").glob("*.sql")), fill):
        digest.update(file.read_bytes())
    folder = CACHE / f"postgresql-{digest.hexdigest()[:12]}"
    if not (folder / "complete").exists():
        CACHE.mkdir(exist_ok=True)
        for old in CACHE.glob("postgresql-*"):
            shutil.rmtree(old)
        postgres = PostgreSQL(folder)
        postgres.start("-c fsync=off")
        for count in (FEW, MANY):
            postgres.psql("postgres", "-c", f"CREATE DATABASE memes_{count} TEMPLATE template0 ENCODING 'UTF8'")
            # A server migrates the database when it starts.
            with servers(postgres, f"memes_{count}"):
                pass
            postgres.psql(f"memes_{count}", "-c", f"SET fill.memes = {count}", "-f", fill)
            # It also deletes what has expired.
            with servers(postgres, f"memes_{count}"):
                pass
            postgres.psql(f"memes_{count}", "-c", "VACUUM ANALYZE")
        postgres.stop()
        (folder / "complete").touch()
    postgres = PostgreSQL(folder)
    postgres.start()
    try:
        yield postgres
    finally:
        postgres.stop()


@contextlib.contextmanager
def servers(postgres: PostgreSQL, database: str, count: int = 1, settled: bool = True, **settings):
    """Runs servers with this database."""
    with tempfile.TemporaryDirectory(prefix="mememe-bench-", dir=ROOT / ".build") as folder, contextlib.ExitStack() as stack:
        key = Path(folder) / "key"
        key.write_bytes(bytes(32))
        key.chmod(0o600)
        settings = {"database": postgres.address(database), "secret_key_file": key, "admin_token": "bench-admin-token-bench",
                    "smtp_url": "smtp://127.0.0.1:1", "mail_from": "memes@example.org", **settings}
        started = [stack.enter_context(server(server_name=f"bench-{number}", **settings)) for number in range(count)]
        for one in started:
            wait_until_ready(one.url)
        if settled:
            postgres.settle()
        yield started


# --- What fill.sql makes ---------------------------------------------------------------------------------------------


def meme_id(number: int) -> str:
    return f"00000000-0000-0002-0000-{number:012x}"


def public_meme(source: random.Random, count: int) -> int:
    while True:
        number = source.randrange(3, count)
        if number % 50 and number % 20 not in (7, 9):
            return number


def tokens(postgres: PostgreSQL, database: str, people: list[int]) -> list[str]:
    """Signs people in."""
    names = [f"{crowd.TOKEN}-{person}" for person in people]
    now = int(time.time() * 1000)
    rows = [
        f"('\\x{hashlib.sha256(name.encode()).hexdigest()}', '\\x{2**64 + person:032x}', {person}, {now}, {now})"
        for name, person in zip(names, people)]
    # An argument of a command has a maximum length.
    for start in range(0, len(rows), 500):
        postgres.psql(database, "-c", f"""INSERT INTO sessions (token, id, "user", created_at, last_used_at)
                                          VALUES {", ".join(rows[start:start + 500])} ON CONFLICT DO NOTHING""")
    return names


def addresses(name: str, lines) -> Path:
    """A file of requests for wrk: a method, a token or `-`, and an address in each line."""
    path = CACHE / f"requests-{name}"
    path.write_text("".join(f"{method} {token} {address}\n" for method, token, address in lines))
    return path


def requests_script() -> Path:
    """A script with which wrk sends the requests in a file."""
    # Several threads send at once, and none may read a file that another one writes.
    script, new = CACHE / "requests.lua", CACHE / f"requests-{threading.get_ident()}.lua"
    new.write_text(
        'local lines, index = {}, 0\n'
        'function init(args)\n'
        '  for line in io.lines(args[1]) do\n'
        '    local method, token, path = line:match("(%S+) (%S+) (%S+)")\n'
        '    local headers = token ~= "-" and { Authorization = "Bearer " .. token } or {}\n'
        '    lines[#lines + 1] = wrk.format(method, path, headers)\n'
        '  end\n'
        'end\n'
        'function request() index = index % #lines + 1 return lines[index] end\n'
        'function done(summary, latency)\n'
        '  io.write(string.format("JSON %d %d %d %d\\n", summary.requests, summary.errors.status,\n'
        '    latency:percentile(50), latency:percentile(99))) end\n')
    new.replace(script)
    return script


def send(url: str, file: Path, seconds: int, clients: int = 4) -> tuple[int, float, float]:
    """The number of requests, and the p50 and p99 in milliseconds. Every request must succeed."""
    output = run("wrk", "-t1", f"-c{clients}", f"-d{seconds}s", "--timeout", "30s", "-s", requests_script(), url, "--", file)
    requests, failed, half, most = map(int, re.search(r"JSON (\d+) (\d+) (\d+) (\d+)", output).groups())
    assert failed == 0, f"{failed} requests of {file.name} failed"
    return requests, half / 1000, most / 1000


def details(count: int) -> Path:
    source = random.Random(3)
    return addresses(f"details-{count}", (("GET", "-", f"/memes/{meme_id(public_meme(source, count))}") for _ in range(20_000)))


def pages(count: int) -> Path:
    """Pages at random cursors."""
    from scale import cursors
    return addresses(f"pages-{count}", (("GET", "-", line) for line in cursors(count).read_text().split("\n") if line))


# --- Measurements ----------------------------------------------------------------------------------------------------


def measure_reads(postgres: PostgreSQL) -> dict:
    """CPU milliseconds of PostgreSQL and of the server for each uncached read, and of a server with SQLite."""
    with servers(postgres, f"memes_{MANY}", memory_cache_bytes=0) as [ours], \
            server(data=memes(FEW), memory_cache_bytes=0) as lite:
        wait_until_ready(lite.url)
        listed = json.loads(run("curl", "-s", f"{lite.url}/memes?limit=100"))["items"]
        lite_file = addresses("details-sqlite", (("GET", "-", f"/memes/{item['id']}") for item in listed))
        result = {"detail": [], "page": [], "server": [], "sqlite": []}
        for turn in range(ROUNDS + 1):
            for name, file in (("detail", details(MANY)), ("page", pages(MANY))):
                before, own = postgres.cpu(), cpu_seconds(ours.pid)
                requests, _, _ = send(ours.url, file, 4)
                if turn:
                    result[name].append((postgres.cpu() - before) / requests * 1000)
                    if name == "detail":
                        result["server"].append((cpu_seconds(ours.pid) - own) / requests * 1000)
            before = cpu_seconds(lite.pid)
            requests, _, _ = send(lite.url, lite_file, 4)
            if turn:
                result["sqlite"].append((cpu_seconds(lite.pid) - before) / requests * 1000)
    return {name: statistics.median(times) for name, times in result.items()}


def small_picture() -> Path:
    small = CACHE / "small.jpg"
    if not small.exists():
        from PIL import Image
        with Image.open(photo(2725, 2225)) as whole:
            whole.resize((320, 261)).save(small)
    return small


def measure_post(postgres: PostgreSQL) -> float:
    """CPU milliseconds of PostgreSQL for each new meme of a small picture, without those of an idle server."""
    body, boundary = form(small_picture(), top="one does not simply")
    (CACHE / "small-body.bin").write_bytes(body)
    script = CACHE / "small-post.lua"
    script.write_text(
        f'local file = io.open("{CACHE / "small-body.bin"}", "rb")\nwrk.body = file:read("*a")\nwrk.method = "POST"\n'
        f'wrk.headers["Content-Type"] = "multipart/form-data; boundary={boundary}"\n')
    token, times = tokens(postgres, f"memes_{MANY}", [20])[0], []
    # What earlier runs stored counts too.
    postgres.psql(f"memes_{MANY}", "-c", f"UPDATE users SET quota_bytes = {2**40} WHERE seq = 20")
    with servers(postgres, f"memes_{MANY}") as [one]:
        for turn in range(ROUNDS + 1):
            before = postgres.cpu()
            output = run("wrk", "-t1", "-c8", "-d5s", "-H", f"Authorization: Bearer {token}", "-s", script, f"{one.url}/memes")
            assert "Non-2xx" not in output, output
            if turn:
                times.append((postgres.cpu() - before) / int(re.search(r"(\d+) requests in", output)[1]) * 1000)
    return statistics.median(times)


def likes(number: int, pairs: list[tuple[str, str]]) -> Path:
    """A file of likes and their removals, 200 each in turns."""
    parts = [pairs[start:start + 200] for start in range(0, len(pairs), 200)]
    return addresses(f"likes-{number}", (
        (method, name, f"/memes/{meme}/like") for part in parts for method in ("PUT", "DELETE") for name, meme in part))


def measure_writes(postgres: PostgreSQL) -> dict:
    """Likes a second of 32 clients at one, two and three servers, and bare commits of as many connections."""
    database, source = f"memes_{MANY}", random.Random(4)
    # Hardly any two requests at a time are of the same person or of memes of one author: a like locks the rows of both.
    # No one blocks these people.
    names = tokens(postgres, database, list(range(710, 1910)))
    # Each request changes a row: 200 likes, then their removals. Each server has its own.
    pairs = list(dict.fromkeys((names[number % len(names)], public_meme(source, MANY)) for number in range(6400)))
    many, one_author = ([(name, meme_id(number)) for name, number in pairs if (number % 4 == 1) == hot] for hot in (False, True))
    files = [likes(number, many[number::3]) for number in range(3)]
    files_of_one = [likes(3 + number, one_author[number::2]) for number in range(2)]
    bare = CACHE / "bare.sql"
    bare.write_text("INSERT INTO bare (n) VALUES (1);\n")
    postgres.psql(database, "-c", "CREATE TABLE IF NOT EXISTS bare (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n int)")
    rates, waits, p99 = {0: [], 1: [], 2: [], 3: [], "author": []}, [], []
    with servers(postgres, database, 3) as all:
        for turn in range(ROUNDS + 1):
            output = postgres.run("pgbench", "-n", "-c", CLIENTS, "-j", 1, "-T", 4, "-f", bare, "-h", postgres.folder, "-U", "postgres", database)
            if turn:
                rates[0].append(float(re.search(r"tps = ([\d.]+)", output)[1]))
            for count in (1, 2, 3):
                with sampling(postgres, database) as samples:
                    threads = [Sender(one.url, file, 4, CLIENTS // count) for one, file in zip(all[:count], files)]
                    total = sum(thread.finish() for thread in threads)
                if turn:
                    rates[count].append(total / 4)
                    waits += samples
            threads = [Sender(one.url, file, 4, CLIENTS // 2) for one, file in zip(all, files_of_one)]
            total = sum(thread.finish() for thread in threads)
            if turn:
                rates["author"].append(total / 4)
                p99.append(max(thread.p99 for thread in threads))
    result = {count: statistics.median(values) for count, values in rates.items()}
    return result | {"p99": statistics.median(p99), "locks": sum(wait == "Lock" for wait in waits) / max(1, len(waits)), "samples": len(waits)}


class Sender(threading.Thread):
    def __init__(self, *arguments):
        super().__init__()
        self.arguments, self.requests, self.p99 = arguments, None, None
        self.start()

    def run(self) -> None:
        self.requests, _, self.p99 = send(*self.arguments)

    def finish(self) -> int:
        self.join()
        assert self.requests is not None
        return self.requests


@contextlib.contextmanager
def sampling(postgres: PostgreSQL, database: str):
    """Yields a list, to which it adds at the end what each active connection waited for, ten times a second."""
    script = "SELECT coalesce(wait_event_type, '-') FROM pg_stat_activity WHERE state <> 'idle' AND pid <> pg_backend_pid();\n"
    words = [*postgres.as_user, str(programs() / "psql"), "-XqAt", "-h", str(postgres.folder), "-U", "postgres", "-d", database]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=postgres.folder)
    samples, ended = [], threading.Event()

    def ask() -> None:
        while not ended.wait(0.1):
            process.stdin.write(script)
            process.stdin.flush()

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield samples
    finally:
        ended.set()
        thread.join()
        # The few lines of the samples fit into the pipe until then.
        output, _ = process.communicate()
        samples += output.split()


def measure_latency(postgres: PostgreSQL) -> list[float]:
    """Milliseconds from the response to a change at one of three servers to that of a client that waits at another. Earlier
    ones count as 0."""
    database = f"memes_{FEW}"
    # The author of a quarter of the memes.
    token = tokens(postgres, database, [3])[0]
    times = []
    with servers(postgres, database, 3) as [one, other, _]:
        author, client = Connection(one.url, token), Connection(other.url, token)
        meme = json.loads(author.ask("GET", "/memes?author=me&limit=1"))["items"][0]
        visibility = meme["visibility"]
        cursor = json.loads(client.ask("GET", "/memes/changes"))
        while cursor["hasMore"]:
            cursor = json.loads(client.ask("GET", f"/memes/changes?since={cursor['cursor']}"))
        cursor = cursor["cursor"]
        for _ in range(CHANGES):
            client.send("GET", f"/memes/changes?wait=55&since={cursor}")
            while waiting(other.url) < 1:
                time.sleep(0.002)
            visibility = "friends" if visibility == "public" else "public"
            body = json.dumps({"visibility": visibility}).encode()
            author.ask("PATCH", f"/memes/{meme['id']}", body, "application/json")
            posted = time.monotonic()
            while (text := client.take()) is None:
                pass
            times.append(max(0.0, time.monotonic() - posted) * 1000)
            cursor = json.loads(text)["cursor"]
    return sorted(times)


def measure_hot(postgres: PostgreSQL) -> dict:
    """Requests per second for the first page of the list, which both servers have in memory."""
    rates = {"ours": [], "sqlite": []}
    with servers(postgres, f"memes_{FEW}", log_level="warning") as [ours], server(data=memes(FEW), log_level="warning") as lite:
        # Both pages have about the same size: the rate depends on it.
        pages = {"ours": f"{ours.url}/memes?limit=30&view=grid", "sqlite": f"{lite.url}/memes?limit=30&view=grid"}
        for turn in range(2 * ROUNDS + 1):
            for name, address in pages.items():
                rate, failures = load(address, 2)
                assert failures == 0
                if turn:
                    rates[name].append(rate)
    return {name: statistics.median(values) for name, values in rates.items()} | {
        "ratio": statistics.median(a / b for a, b in zip(rates["ours"], rates["sqlite"]))}


def measure_scale(postgres: PostgreSQL) -> dict:
    """The p99 in milliseconds of pages of a list, a feed and searches, with few memes and with many."""
    result = {}
    with contextlib.ExitStack() as stack:
        places = {}
        for count in (FEW, MANY):
            names = tokens(postgres, f"memes_{count}", list(range(40, 72)))
            [one] = stack.enter_context(servers(postgres, f"memes_{count}", memory_cache_bytes=0))
            words = ("such", "doge", "such wow", "no3", "ancient", "cat no4")
            places[count] = one.url, {
                "list": pages(count),
                "feed": addresses(f"feeds-{count}", (("GET", name, "/feed?limit=30") for name in names)),
                "search": addresses(f"searches-{count}", (
                    ("GET", "-", f"/memes?limit=30&q={word.replace(' ', '+')}") for word in words)),
            }
        for name in ("list", "feed", "search"):
            rounds = []
            for turn in range(ROUNDS + 1):
                few, many = (send(url, files[name], 3)[2] for url, files in places.values())
                if turn:
                    rounds.append((few, many))
            result[name] = tuple(statistics.median(column) for column in zip(*rounds)) + (
                statistics.median(many / few for few, many in rounds),)
    return result


def measure_start(postgres: PostgreSQL) -> float:
    """Seconds from the command to the first response that reports readiness; the median of 7."""
    times = []
    for _ in range(7):
        begin = time.monotonic()
        with servers(postgres, f"memes_{MANY}", settled=False):
            times.append(time.monotonic() - begin)
    return statistics.median(times)


def rows() -> list[Row]:
    with databases() as postgres:
        reads, post = measure_reads(postgres), measure_post(postgres)
        writes, latency = measure_writes(postgres), measure_latency(postgres)
        hot, sizes, start = measure_hot(postgres), measure_scale(postgres), measure_start(postgres)
    p99 = latency[int(len(latency) * 0.99)]
    small = "all processes of PostgreSQL, user and system, ÷ requests"
    result = [
        Row("PostgreSQL: its CPU for a meme", f"{reads['detail']:.2f} ms", "≤ 0.15 ms", reads["detail"] <= 0.15,
            f"{small}: `GET /memes/{{id}}`, {MANY:,} memes, no answers kept in memory, median of {ROUNDS}"),
        Row("PostgreSQL: its CPU for a page of 30", f"{reads['page']:.2f} ms", "≤ 0.8 ms", reads["page"] <= 0.8,
            f"{small}: `GET /memes` at random cursors, the same"),
        Row("PostgreSQL: its CPU for a new meme", f"{post:.2f} ms", "≤ 0.5 ms", post <= 0.5,
            f"{small}: `POST /memes` of 320×261 pixels, 8 clients, median of {ROUNDS}"),
        Row("PostgreSQL: the server's CPU for a meme", f"{reads['server']:.2f} ms, {reads['server'] / reads['sqlite']:.2f} ×"
            f" that with SQLite ({reads['sqlite']:.2f} ms)", "≤ 1.5 ×", reads["server"] <= 1.5 * reads["sqlite"],
            "`GET /memes/{id}`, by turns, no answers kept in memory"),
        Row(f"PostgreSQL: likes of {CLIENTS} clients at 1, 2, 3 servers",
            ", ".join(f"{writes[count]:,.0f}" for count in (1, 2, 3)) + f" a second; {writes[0]:,.0f} bare commits",
            "≥ 0.5 × bare commits; 3 ≥ 1", writes[1] >= 0.5 * writes[0] and writes[3] >= writes[1],
            f"`PUT` and `DELETE /memes/{{id}}/like` of 1,200 people, every request a change; `pgbench -c {CLIENTS}` of an"
            f" INSERT; all on the same {CORES} cores, median of {ROUNDS}"),
        Row(f"PostgreSQL: likes of {CLIENTS} clients at 2 servers, of memes of one author",
            f"{writes['author']:,.0f} a second, p99 {writes['p99']:.0f} ms", "≥ 300 a second, p99 ≤ 300 ms",
            writes["author"] >= 300 and writes["p99"] <= 300, f"the same, median of {ROUNDS}"),
        Row("PostgreSQL: connections that wait for a lock in the meantime", f"{100 * writes['locks']:.1f} %", "≤ 5 %",
            writes["locks"] <= 0.05, f"{writes['samples']:,} samples of `pg_stat_activity`, at memes of many authors"),
        Row("PostgreSQL: a change at one of three servers, seen at another", f"p50 {statistics.median(latency):.1f} ms, p99"
            f" {p99:.1f} ms", "p99 ≤ 20 ms", p99 <= 20,
            f"from the response to `PATCH /memes/{{id}}` to that of a waiting `GET /memes/changes`, {CHANGES} changes"),
        Row("PostgreSQL: the list, nothing changes", f"{hot['ours']:,.0f} a second, {hot['ratio']:.2f} × that with SQLite",
            "≥ 0.95 ×", hot["ratio"] >= 0.95, f"`wrk -t{CORES} -c32 -d2s`, by turns"),
    ]
    for name, (few, many, ratio) in sizes.items():
        result.append(Row(
            f"PostgreSQL: {name}, p99 with {MANY:,} memes ÷ with {FEW:,}", f"{many:.2f} ms ÷ {few:.2f} ms = {ratio:.2f}", "≤ 1.5",
            ratio <= 1.5, f"median of {ROUNDS} rounds by turns of `wrk -t1 -c4 -d3s`, no answers kept in memory"))
    result.append(Row(f"PostgreSQL: start to ready at {MANY:,} memes", f"{start:.2f} s", "≤ 0.5 s", start <= 0.5,
                      "from the command to the first 200 of `/readyz`, median of 7"))
    return result
