"""A client that sends requests at a fixed rate, regardless of the responses. Each wait counts from the scheduled time.

overload.py runs this as a separate process, so that no other work delays its threads:

    paced.py HOST PORT PATH REQUESTS_A_SECOND SECONDS

Prints one line of JSON: the number of requests and errors, and percentiles of the waits in milliseconds.
"""

import http.client
import json
import sys
import threading
import time

WORKERS = 4


def percentile(sorted_values: list[float], share: float) -> float:
    return sorted_values[min(len(sorted_values) - 1, int(share * len(sorted_values)))] if sorted_values else float("nan")


def ask(host: str, port: int, path: str, starts: list[float], waits: list[float], errors: list[str]) -> None:
    connection = http.client.HTTPConnection(host, port, timeout=10)
    for start in starts:
        time.sleep(max(0.0, start - time.monotonic()))
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                errors.append(str(answer.status))
        except (OSError, http.client.HTTPException) as error:
            errors.append(type(error).__name__)
            connection.close()
        waits.append((time.monotonic() - start) * 1000)


def main() -> None:
    host, port, path, rate, seconds = sys.argv[1], int(sys.argv[2]), sys.argv[3], float(sys.argv[4]), float(sys.argv[5])
    waits, errors, threads = [], [], []
    begin = time.monotonic() + 0.2
    for worker in range(WORKERS):
        starts = [begin + number / rate for number in range(worker, int(rate * seconds), WORKERS)]
        threads.append(threading.Thread(target=ask, args=(host, port, path, starts, waits, errors)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    waits.sort()
    print(json.dumps({
        "requests": len(waits), "errors": len(errors), "kinds": sorted(set(errors)),
        "p50": percentile(waits, 0.5), "p99": percentile(waits, 0.99), "most": waits[-1]}))


if __name__ == "__main__":
    main()
