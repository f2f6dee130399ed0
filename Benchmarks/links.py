"""Rows about memes by address: drawn for the first time, and kept in memory."""

import statistics
import urllib.request
from pathlib import Path

from harness import CACHE, CORES, Row, all_cpu_seconds, form, load_result, photo, run, server
from hot import fetch, nginx, rounds

# Every request asks for two texts that no other one has.
SCRIPT = """
local number = 0
request = function()
  number = number + 1
  return wrk.format("GET", "/images/bench/one_does_not_simply_" .. number .. "/walk_into_mordor_" .. number .. ".jpg?width=800")
end
done = function(summary, latency, requests)
  io.write(string.format("JSON %d %d %d %d\\n", summary.requests, summary.duration,
    summary.errors.status + summary.errors.connect + summary.errors.read
      + summary.errors.write + summary.errors.timeout, latency:percentile(99)))
end
"""


def keep_template(url: str, picture: Path) -> None:
    body, boundary = form(picture, name="Bench", aliases="bench")
    request = urllib.request.Request(
        f"{url}/templates", body, {"Content-Type": f"multipart/form-data; boundary={boundary}"})
    urllib.request.urlopen(request).close()


def rows(seconds: int) -> list[Row]:
    script = CACHE / "links.lua"
    script.write_text(SCRIPT)
    with server(anonymous_templates="true", log_level="warning") as (url, pid):
        keep_template(url, photo(800, 600))
        load = ["wrk", "-t1", "-c8", "--timeout", "30s", "-s", script, url]
        run(*load, "-d3s")
        measured = []
        for _ in range(5):
            before = all_cpu_seconds(pid)
            requests, elapsed, errors, p99 = load_result(run(*load, f"-d{seconds}s"))
            used = all_cpu_seconds(pid) - before
            measured.append((requests / elapsed, used * 1000 / max(1, requests), errors, p99))
        rate, cpu, _, p99 = (statistics.median(column) for column in zip(*measured))
        failures = sum(each[2] for each in measured)
        address = f"{url}/images/bench/one_does_not_simply/walk_into_mordor.jpg?width=800"
        with nginx({"meme.jpg": fetch(address)}, logs=False) as other:
            kept = rounds(address, f"{other}/meme.jpg", max(2, seconds // 2))
    return [
        Row("a meme by address, 800×600, two new texts each",
            f"{cpu:.1f} ms CPU, {rate:.0f} a second; p99 {p99:.0f} ms, {failures} errors",
            "≤ 4.5 ms, ≥ 400 a second", cpu <= 4.5 and rate >= 400 and failures == 0,
            f"CPU time of the server and its helpers, median of 5 rounds of `wrk -t1 -c8 -d{seconds}s` on the same"
            f" {CORES} cores"),
        Row("the same meme by address, kept in memory",
            f"{kept['own']:,.0f} a second, {kept['ratio']:.2f} × nginx ({kept['other']:,.0f})",
            "≥ 0.8 ×", kept["ratio"] >= 0.8 and kept["failures"] == 0,
            f"median of 7 rounds by turns of `wrk -t{CORES} -c32` on the same cores; nginx with sendfile and open_file_cache"),
    ]
