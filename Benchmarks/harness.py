"""Code that all benchmarks share: the server under test, the test pictures, and the load."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
MEMEME = ROOT / ".build/release/mememe"
BENCH_RENDER = ROOT / ".build/release/bench-render"
CACHE = ROOT / "Benchmarks/.cache"
CORES = os.cpu_count() or 1


@dataclass
class Row:
    work: str
    result: str
    target: str
    met: bool | None
    how: str


def photo(width: int, height: int) -> Path:
    """A photo-like JPEG from seed 1, kept between runs."""
    path = CACHE / f"photo-{width}x{height}.jpg"
    if not path.exists():
        CACHE.mkdir(exist_ok=True)
        run(BENCH_RENDER, "--size", f"{width}x{height}", "--seed", "1", "--write-photo", path)
    return path


def run(*command) -> str:
    words = [str(word) for word in command]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


class Started(NamedTuple):
    url: str
    pid: int


@contextlib.contextmanager
def server(data: Path | None = None, **settings):
    """Runs a server on a free port, with a new data folder if none is given."""
    with tempfile.TemporaryDirectory(prefix="mememe-bench-", dir=ROOT / ".build") as folder:
        environment = os.environ | {"MALLOC_ARENA_MAX": "2", "MEMEME_RATE_LIMITS": "off"}
        environment["MEMEME_STARTER_TEMPLATES"] = "false"
        environment |= {f"MEMEME_{name.upper()}": str(value) for name, value in settings.items()}
        log, port = Path(folder) / "log", free_port()
        with log.open("wb") as output:
            process = subprocess.Popen(
                [MEMEME, "serve", "--port", str(port), "--data", str(data or f"{folder}/data")],
                stdout=output, stderr=output, env=environment)
        try:
            wait_until_listening(port, process, log)
            yield Started(f"http://127.0.0.1:{port}", process.pid)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=60)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_until_listening(port: int, process, log: Path) -> None:
    for _ in range(2000):
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port)).close()
            return
        if process.poll() is not None:
            break
        time.sleep(0.005)
    sys.exit(f"the server did not start: {log.read_text()}")


def form(picture: Path, **fields: str) -> tuple[bytes, str]:
    boundary = "bench-8f2d3c"
    body = b""
    for name, value in fields.items():
        body += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
    body += f'--{boundary}\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n'.encode()
    return body + picture.read_bytes() + f"\r\n--{boundary}--\r\n".encode(), boundary


def post_script(name: str, picture: Path, **fields: str) -> Path:
    """A script with which wrk sends a form. At the end it prints the line that `load_result` parses."""
    body, boundary = form(picture, **fields)
    (CACHE / f"{name}.bin").write_bytes(body)
    script = CACHE / f"{name}.lua"
    script.write_text(
        f'local file = io.open("{CACHE / f"{name}.bin"}", "rb")\n'
        'wrk.body = file:read("*a")\nwrk.method = "POST"\n'
        f'wrk.headers["Content-Type"] = "multipart/form-data; boundary={boundary}"\n'
        'done = function(summary, latency, requests)\n'
        '  io.write(string.format("JSON %d %d %d %d\\n", summary.requests, summary.duration,\n'
        '    summary.errors.status + summary.errors.connect + summary.errors.read\n'
        '      + summary.errors.write + summary.errors.timeout, latency:percentile(99)))\nend\n')
    return script


def load_result(output: str) -> tuple[int, float, int, float]:
    """Parses the output of wrk: requests, seconds, errors, and the p99 in milliseconds."""
    requests, microseconds, errors, p99 = map(
        int, re.search(r"JSON (\d+) (\d+) (\d+) (\d+)", output).groups())
    return requests, microseconds / 1e6, errors, p99 / 1000


def upload(url: str, picture: Path, **fields: str) -> dict:
    body, boundary = form(picture, **fields)
    request = urllib.request.Request(
        f"{url}/memes", body, {"Content-Type": f"multipart/form-data; boundary={boundary}"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def wait_until_ready(url: str) -> None:
    for _ in range(2000):
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"{url}/readyz").close()
            return
        time.sleep(0.005)
    sys.exit("the server did not get ready")


def memory(pid: int, name: str = "VmRSS") -> float:
    """The memory of a process in megabytes, by a field name of /proc/PID/status."""
    return int(re.search(rf"{name}:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1]) / 1024


def children(pid: int) -> list[int]:
    """The drawing processes of a server."""
    files = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for file in files for child in file.read_text().split()]


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def all_cpu_seconds(pid: int) -> float:
    """CPU seconds of a server and of its drawing processes, including those that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    ended = (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
    return ended + sum(cpu_seconds(each) for each in [pid, *children(pid)])
