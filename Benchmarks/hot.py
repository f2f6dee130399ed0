"""Rows about hot content: MemeMe and nginx serve the same bytes alternately, on the same cores."""

import contextlib
import getpass
import re
import signal
import statistics
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

from harness import CORES, ROOT, Row, free_port, photo, run, server, upload

ROUNDS = 7
CONNECTIONS = 32

# Tuned for files as nginx's documentation recommends: no copies, no checks of the disk, persistent connections.
NGINX = """
daemon off;
{user}
worker_processes {cores};
worker_rlimit_nofile 4096;
pid nginx.pid;
error_log error.log;
events {{ worker_connections 2048; }}
http {{
  access_log {log};
  sendfile on;
  tcp_nopush on;
  open_file_cache max=100;
  keepalive_requests 1000000000;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  types {{ image/jpeg jpg; application/json json; }}
  server {{ listen 127.0.0.1:{port}; root files; }}
}}
"""

# Buffered like the server's own log.
LOG = "access.log combined buffer=64k flush=1s"


@contextlib.contextmanager
def nginx(files: dict[str, bytes], *, logs: bool):
    """Runs nginx on a free port with these files, with or without an access log. Yields its URL."""
    with tempfile.TemporaryDirectory(prefix="nginx-bench-", dir=ROOT / ".build") as folder:
        root = Path(folder)
        (root / "files").mkdir()
        for name, content in files.items():
            (root / "files" / name).write_bytes(content)
        port = free_port()
        # Otherwise its workers run as a user who may not read the folder.
        user = f"user {getpass.getuser()};" if getpass.getuser() == "root" else ""
        (root / "nginx.conf").write_text(NGINX.format(user=user, cores=CORES, port=port, log=LOG if logs else "off"))
        process = subprocess.Popen(
            ["nginx", "-p", folder, "-c", "nginx.conf", "-e", "error.log"], stderr=subprocess.DEVNULL)
        try:
            url = f"http://127.0.0.1:{port}"
            wait_until_served(f"{url}/{next(iter(files))}")
            yield url
        finally:
            process.send_signal(signal.SIGQUIT)
            process.wait(timeout=30)


def wait_until_served(url: str) -> None:
    for _ in range(100):
        with contextlib.suppress(OSError):
            fetch(url)
            return
        time.sleep(0.05)
    fetch(url)


def fetch(url: str) -> bytes:
    with urllib.request.urlopen(url) as answer:
        return answer.read()


def load(url: str, seconds: int) -> tuple[float, int]:
    """Requests per second, and the number of failures."""
    output = run("wrk", f"-t{CORES}", f"-c{CONNECTIONS}", f"-d{seconds}s", url)
    failed = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    broken = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", output)
    failures = int(failed[1]) if failed else 0
    return float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1]), failures + sum(map(int, broken.groups() if broken else ()))


def rounds(ours: str, theirs: str, seconds: int) -> dict:
    """Medians over rounds that alternate between the servers, because the load of other tenants of the host varies."""
    load(ours, 1), load(theirs, 1)
    measured = []
    for _ in range(ROUNDS):
        (own, own_failures), (other, other_failures) = load(ours, seconds), load(theirs, seconds)
        measured.append({"own": own, "other": other, "ratio": own / other, "failures": own_failures + other_failures})
    middle = {name: statistics.median(each[name] for each in measured) for name in measured[0]}
    return middle | {"failures": sum(each["failures"] for each in measured)}


def rows(seconds: int) -> list[Row]:
    """Pictures and the first page of the list: without access logs, as servers are usually compared, and with them."""
    return measure(seconds, logs=False) + measure(seconds, logs=True)


def measure(seconds: int, *, logs: bool) -> list[Row]:
    result = []
    with server(log_level="info" if logs else "warning") as (url, _):
        # These sizes in pixels give files of about 20 and 200 KB.
        small = upload(url, photo(2725, 2225), top="small", maxEdge="372")["image"]
        large = upload(url, photo(2725, 2225), top="large", bottom="and with two captions", maxEdge="1400")["image"]
        for number in range(30):
            upload(url, photo(2725, 2225), top=f"meme number {number}", bottom="of a page", maxEdge="256")
        page = f"{url}/memes?limit=30"
        files = {"small.jpg": fetch(url + small["url"]), "large.jpg": fetch(url + large["url"]), "page.json": fetch(page)}
        with nginx(files, logs=logs) as other:
            for name, address, file, least in (
                ("picture", url + small["url"], "small.jpg", 0.75), ("picture", url + large["url"], "large.jpg", 0.75),
                ("`GET /memes?limit=30`, nothing changes", page, "page.json", 0.2),
            ):
                measured = rounds(address, f"{other}/{file}", seconds)
                kilobytes = len(files[file]) / 1000
                work = f"GET of a picture of {kilobytes:.0f} KB, hot" if name == "picture" else f"{name}, {kilobytes:.0f} KB"
                result.append(Row(
                    work + (", both with an access log" if logs else ""),
                    f"{measured['own']:,.0f} a second, {measured['ratio']:.2f} × nginx ({measured['other']:,.0f})"
                    + (f", {measured['failures']} errors" if measured["failures"] else ""),
                    "" if logs else f"≥ {least} ×",
                    None if logs else measured["ratio"] >= least and measured["failures"] == 0,
                    f"median of {ROUNDS} rounds by turns of `wrk -t{CORES} -c{CONNECTIONS} -d{seconds}s` on the same cores;"
                    " nginx with sendfile and open_file_cache"))
    return result
