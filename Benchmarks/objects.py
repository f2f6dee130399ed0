"""Rows about pictures in an object store: SeaweedFS, on the same machine. Its bare GET is the floor."""

import contextlib
import datetime
import hashlib
import hmac
import http.client
import json
import os
import re
import sqlite3
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

import postgresql
import transfer
from harness import CACHE, CORES, MEMEME, ROOT, Row, form, free_port, photo, run, server, wait_until_ready
from hot import load
from postgresql import PostgreSQL, addresses, send

KEY, SECRET = "bench", "bench-secret-bench-secret"
MEMES = 200
ROUNDS = 5
# How many objects are sent to the bare store before they are sent again.
SAMPLE = 2_000
# As many requests at once as `mememe move` sends.
WRITERS = 8


@contextlib.contextmanager
def store(folder: Path):
    """The port of an object store with an empty bucket `memes`."""
    port = free_port()
    environment = os.environ | {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET}
    with (folder / "objects.log").open("wb") as log:
        process = subprocess.Popen(
            [ROOT / "script/seaweedfs", folder / "objects", str(port)], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            env=environment)
    try:
        deadline = time.monotonic() + 60
        while subprocess.run([ROOT / "script/seaweedfs", "--is-ready", str(port)], env=environment).returncode != 0:
            assert time.monotonic() < deadline and process.poll() is None, "SeaweedFS did not start"
            time.sleep(0.1)
        yield port
    finally:
        process.kill()
        process.wait()


def settings_of(folder: Path, port: int) -> dict:
    account = folder / "account"
    account.write_text(f"{KEY}\n{SECRET}\n")
    account.chmod(0o600)
    return {
        "objects": f"s3://memes/pictures?endpoint=http://127.0.0.1:{port}&path-style=yes", "objects_key_file": account,
        "log_level": "warning"}


def signed(port: int, key: str, method: str = "GET") -> str:
    """The path of an object, with a signature in its query that is good for an hour (AWS Signature Version 4)."""
    now = datetime.datetime.now(datetime.UTC).strftime("%Y%m%dT%H%M%SZ")
    scope = f"{now[:8]}/us-east-1/s3/aws4_request"
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in (
        ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"), ("X-Amz-Credential", f"{KEY}/{scope}"), ("X-Amz-Date", now),
        ("X-Amz-Expires", "3600"), ("X-Amz-SignedHeaders", "host")))
    path = f"/memes/pictures/{key}"
    request = f"{method}\n{path}\n{query}\nhost:127.0.0.1:{port}\n\nhost\nUNSIGNED-PAYLOAD"
    text = f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{hashlib.sha256(request.encode()).hexdigest()}"
    code = f"AWS4{SECRET}".encode()
    for part in (*scope.split("/"), text):
        code = hmac.digest(code, part.encode(), "sha256")
    return f"{path}?{query}&X-Amz-Signature={code.hex()}"


def post_memes(url: str, count: int) -> list[str]:
    """Makes memes.

    Returns their IDs.
    """
    body, boundary = form(photo(1200, 900), top="one does not simply")
    host = url.removeprefix("http://")
    connection, made = http.client.HTTPConnection(host), []
    for _ in range(count):
        connection.request("POST", "/memes", body, {"Content-Type": f"multipart/form-data; boundary={boundary}"})
        response = connection.getresponse()
        meme = json.loads(response.read())
        assert response.status == 201, meme
        made.append(meme["id"])
    return made


def measure(postgres: PostgreSQL, folder: Path) -> dict:
    """The p99 in milliseconds of pictures that are not in memory and of the bare store, and requests per second of one
    that is in memory, with the object store and with SQLite."""
    postgres.psql("postgres", "-c", "CREATE DATABASE objects TEMPLATE template0 ENCODING 'UTF8'")
    result = {"cold": [], "bare": [], "ratio": [], "hot": [], "hot_ratio": []}
    with store(folder) as port:
        settings = settings_of(folder, port)
        with postgresql.servers(postgres, "objects", memory_cache_bytes=0, **settings) as [cold]:
            ids = post_memes(cold.url, MEMES)
            keys = postgres.psql(
                "objects", "-c", "SELECT object_key FROM pictures JOIN blobs ON blobs.id = blob WHERE role = 1").split()
            assert len(keys) == MEMES
            files = {
                "cold": (cold.url, addresses("objects-cold", (("GET", "-", f"/memes/{name}/image") for name in ids))),
                "bare": (f"http://127.0.0.1:{port}", addresses(
                    "objects-bare", (("GET", "-", signed(port, key)) for key in keys)))}
            for turn in range(ROUNDS + 1):
                one = {name: send(url, file, 3)[2] for name, (url, file) in files.items()}
                if turn:
                    for name, most in one.items():
                        result[name].append(most)
                    result["ratio"].append(one["cold"] / one["bare"])
        with postgresql.servers(postgres, "objects", **settings) as [hot], server(log_level="warning") as lite:
            wait_until_ready(lite.url)
            [own] = post_memes(lite.url, 1)
            for turn in range(ROUNDS + 1):
                rates = []
                for url in (f"{hot.url}/memes/{ids[0]}/image", f"{lite.url}/memes/{own}/image"):
                    rate, failures = load(url, 2)
                    assert failures == 0
                    rates.append(rate)
                if turn:
                    result["hot"].append(rates[0])
                    result["hot_ratio"].append(rates[0] / rates[1])
    return {name: statistics.median(values) for name, values in result.items()}



def put_script(port: int, pictures: list[bytes]) -> Path:
    """A script with which wrk stores these pictures, each under a key of its own."""
    paths = []
    for number, picture in enumerate(pictures):
        file = CACHE / "puts" / str(number)
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(picture)
        paths.append(f"{file} {signed(port, f'bare/{number}', 'PUT')}\n")
    list_of_paths, script = CACHE / "puts.txt", CACHE / "puts.lua"
    list_of_paths.write_text("".join(paths))
    script.write_text(
        'local requests, index = {}, 0\n'
        'function init(args)\n'
        f'  for line in io.lines("{list_of_paths}") do\n'
        '    local file, path = line:match("(%S+) (%S+)")\n'
        '    requests[#requests + 1] = wrk.format("PUT", path, {}, io.open(file, "rb"):read("*a"))\n'
        '  end\n'
        'end\n'
        'function request() index = index % #requests + 1 return requests[index] end\n'
        'function done(summary, latency)\n'
        '  io.write(string.format("JSON %d %d %d\\n", summary.requests, summary.duration, summary.errors.status)) end\n')
    return script


def measure_move(postgres: PostgreSQL, folder: Path) -> dict:
    """How many pictures `mememe move` stores in a second, and how many of the same the store takes without it."""
    # The bucket of the other rows belongs to another database.
    source, data, target = folder / "in", folder / "data", folder / "target"
    source.mkdir()
    target.mkdir()
    transfer.fill(source)
    transfer.timed(MEMEME, "import", source, "--data", data)
    # Its first start makes the keys.
    with server(data=data) as lite:
        wait_until_ready(lite.url)
    with contextlib.closing(sqlite3.connect(data / "mememe.db")) as database:
        count, size = database.execute("SELECT count(*), sum(length(bytes)) FROM blobs").fetchone()
        sample = [row[0] for row in database.execute(
            "SELECT bytes FROM blobs WHERE id % ? = 0 LIMIT ?", (max(1, count // SAMPLE), SAMPLE))]
    postgres.psql("postgres", "-c", "CREATE DATABASE moved TEMPLATE template0 ENCODING 'UTF8'")
    with store(target) as port:
        settings = settings_of(folder, port)
        script, bare = put_script(port, sample), []
        # Before and after, because the load of other tenants of the host varies.
        for turn in range(2):
            output = run("wrk", "-t1", f"-c{WRITERS}", "-d20s", "--timeout", "30s", "-s", script, f"http://127.0.0.1:{port}")
            requests, microseconds, failures = map(int, re.search(r"JSON (\d+) (\d+) (\d+)", output).groups())
            assert failures == 0, f"{failures} of the bare store's requests failed"
            bare.append(requests / microseconds * 1e6)
            if turn == 0:
                seconds, _ = transfer.timed(
                    MEMEME, "move", "--to", postgres.address("moved"), "--data", data, "--objects", settings["objects"],
                    "--objects-key-file", settings["objects_key_file"])
    return {"rate": count / seconds, "bytes": size / seconds, "bare": statistics.mean(bare), "seconds": seconds}


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="mememe-bench-") as name:
        folder = Path(name)
        # PostgreSQL has an account of its own.
        folder.chmod(0o711)
        postgres = PostgreSQL(folder / "postgresql")
        postgres.start()
        try:
            found, moved = measure(postgres, folder), measure_move(postgres, folder)
        finally:
            postgres.stop()
    return [
        Row("Object store: a picture that is not in memory, p99",
            f"{found['cold']:.1f} ms, {found['ratio']:.2f} × a bare GET ({found['bare']:.1f} ms)", "≤ 3 ×", found["ratio"] <= 3,
            f"`GET /memes/{{id}}/image` of {MEMES} photos of 1200×900, by turns with signed GETs of the same objects, SeaweedFS"
            f" on the same {CORES} cores, `wrk -t1 -c4 -d3s`, median of {ROUNDS}"),
        Row("Object store: a picture that is in memory",
            f"{found['hot']:,.0f} a second, {found['hot_ratio']:.2f} × that with SQLite", "≥ 0.95 ×", found["hot_ratio"] >= 0.95,
            f"the same picture again and again, `wrk -t{CORES} -c32 -d2s`, by turns, median of {ROUNDS}"),
        Row(f"`mememe move` of {transfer.COUNT:,} memes to PostgreSQL and an object store",
            f"{moved['seconds']:.0f} s, {moved['rate']:,.0f} pictures a second ({moved['bytes'] / 1e6:.0f} MB/s),"
            f" {moved['rate'] / moved['bare']:.2f} × what the store alone takes ({moved['bare']:,.0f})",
            "≥ 0.5 ×", moved["rate"] >= 0.5 * moved["bare"],
            f"with its verification; the same pictures by signed PUTs, `wrk -t1 -c{WRITERS} -d20s`, before and after"),
    ]
