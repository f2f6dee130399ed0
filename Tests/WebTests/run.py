#!/usr/bin/env python3
"""Runs the scenarios of the web app in Chromium.

    run.py [OPTION ...] [FILE | FILE.PART_OF_TITLE | NUMBER ...]

    run.py                      all scenarios
    run.py sent editor          the scenarios of two files
    run.py 1.7 5                scenario 1.7, and all scenarios whose number begins with "5."
    run.py "sent.swiped far"    the scenarios of a file whose title has these words

Each scenario runs once. The last line is "161 passed, 0 failed". A failed scenario leaves failed-NUMBER.png and
failed-NUMBER.log (the log of its servers) in .build/screenshots. Exit codes: 1 if a scenario failed, 2 for wrong
arguments, 3 if something is not installed.
"""

import argparse
import importlib
import inspect
import json
import multiprocessing
import os
import pathlib
import signal
import sys
import time
from multiprocessing import connection

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PYTHON = ROOT / ".build" / "python" / "bin" / "python"
# The time of each scenario in the last run, by its number, in seconds.
DURATIONS = ROOT / ".build" / "web-scenarios.json"
# A scenario that takes longer stands still, also on a slow machine, so it is stopped and fails. In seconds.
LIMIT = 300


def arguments():
    parser = argparse.ArgumentParser(
        usage="%(prog)s [OPTION ...] [FILE | FILE.PART_OF_TITLE | NUMBER ...]", description="Runs the scenarios of the web app in Chromium.")
    parser.add_argument("scenarios", nargs="*", metavar="FILE | FILE.PART_OF_TITLE | NUMBER")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / ".build" / "release" / "mememe", help="the server (%(default)s)")
    parser.add_argument("--chromium", metavar="PATH", help="the browser (chromium-headless-shell or chromium in /usr/bin, else Playwright's)")
    parser.add_argument("--workers", type=int, default=2, help="the number of browsers that run in parallel (%(default)s)")
    parser.add_argument("--repeat", type=int, default=1, metavar="TIMES", help="how often to run each scenario")
    parser.add_argument("--address", metavar="URL", help="the app's URL, if it differs from the server's")
    running = parser.add_argument_group("for a server that is already running (it loses all of its memes)")
    running.add_argument("--server", metavar="URL")
    running.add_argument("--admin-token", metavar="TOKEN")
    running.add_argument("--outbox", type=pathlib.Path, metavar="FOLDER", help="the folder to which that server writes its mails")
    pictures = parser.add_argument_group("for script/screenshots")
    pictures.add_argument("--pictures", type=pathlib.Path, metavar="FOLDER", help="take pictures, and run only scenarios that take any")
    options = parser.parse_args()
    if options.server and not options.admin_token:
        parser.error("--server needs --admin-token")
    if options.server:
        # Each scenario starts without memes, so two cannot share a server.
        options.workers = 1
    return options


def chromium():
    """Returns the browser's path, or None if it is not installed. The headless one takes two thirds of the time."""
    for path in ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"]:
        if os.path.exists(path):
            return path
    from playwright.sync_api import sync_playwright
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if os.path.exists(own) else None


def missing(options):
    """Returns an error that names a missing dependency and how to install it, or None if all are installed."""
    try:
        import axe_playwright_python  # noqa: F401
        import playwright  # noqa: F401
    except ImportError:
        return "Playwright is missing. Install it: script/setup --browser"
    options.chromium = options.chromium or chromium()
    if not options.chromium:
        return "Chromium is missing. Install it: script/setup --browser"
    if not options.server and not options.program.is_file():
        return f"The server {options.program} is missing. Build it: swift build -c release --product mememe"
    return None


def all_scenarios(folder):
    """Returns (module, title, function) of each scenario in a folder."""
    from app import scenarios_of
    for file in sorted(folder.glob("*.py")):
        importlib.import_module(file.stem)
    return [
        (module, title, function) for module, scenarios in scenarios_of.items()
        if (folder / f"{module}.py").exists() for title, function in scenarios]


def number_of(title):
    """Returns the first word of a title: of a scenario such as "1.7", of pictures such as "editor"."""
    return title.split()[0].rstrip(":")


def is_meant(wanted, module, title):
    """Returns whether an argument selects this scenario."""
    file, _, part = wanted.partition(".")
    if file == module:
        return part in title
    number = number_of(title)
    return number == wanted or number.startswith(f"{wanted}.")


def chosen(options):
    """Returns the scenarios to run, the longest of the last run first, so that no long one runs alone at the end."""
    found = all_scenarios(HERE / "Scenarios")
    if options.pictures:
        found = [each for each in found if "photograph(" in inspect.getsource(each[2])] + all_scenarios(HERE / "Pictures")
        # The pictures of the README go into another folder.
        found = [each for each in found if (each[0] == "readme") == (options.scenarios == ["readme"])]
    for wanted in options.scenarios:
        if not any(is_meant(wanted, module, title) for module, title, _ in found):
            print(f"No scenario matches “{wanted}”.", file=sys.stderr)
            sys.exit(2)
    titles = [
        (module, title) for module, title, _ in found
        if not options.scenarios or any(is_meant(wanted, module, title) for wanted in options.scenarios)]
    durations = known_durations()
    # A new scenario may be long.
    titles.sort(key=lambda each: -durations.get(number_of(each[1]), LIMIT))
    return titles * options.repeat


def known_durations():
    try:
        return json.loads(DURATIONS.read_text())
    except (OSError, ValueError):
        return {}


class Worker:
    """A process with its own browser and servers, and its current scenario."""

    def __init__(self, options):
        self.options = options
        self.start()

    def start(self):
        import worker
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=worker.work, args=(self.options, theirs), daemon=True)
        self.process.start()
        theirs.close()
        self.task, self.begin = None, 0

    def run(self, task):
        self.task, self.begin = task, time.monotonic()
        self.pipe.send(task)

    def result(self):
        """Returns (seconds, output, failure) of its scenario."""
        self.task = None
        try:
            return self.pipe.recv()
        except EOFError:
            self.process.join()
            return self.lost(f"The worker exited with code {self.process.exitcode}.")

    def lost(self, why):
        """Starts a new process. Returns the result of the lost scenario."""
        seconds = time.monotonic() - self.begin
        self.kill()
        self.start()
        return seconds, "", why

    def is_late(self):
        return self.task is not None and time.monotonic() - self.begin > LIMIT

    def end(self):
        """Closes the pipe, so that the process closes its browser and its servers."""
        self.pipe.close()
        self.process.join(20)
        self.kill()

    def kill(self):
        # The process leads a group with its servers.
        if self.process.is_alive():
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.join()


def report(title, seconds, output, failure):
    print(f"{'failed' if failure else 'passed'} ({seconds:.1f} s): {title}", flush=True)
    for text in (output, failure):
        if text:
            print(text.rstrip("\n"), flush=True)


def run_all(tasks, options):
    """Runs every scenario once. Returns the numbers of passed and failed ones, and the time of each."""
    passed, failed, durations = 0, 0, {}
    waiting = list(tasks)
    workers = [Worker(options) for _ in range(min(options.workers, len(tasks)))]
    try:
        for worker in workers:
            worker.run(waiting.pop(0))
        while busy := [worker for worker in workers if worker.task]:
            ready = connection.wait([worker.pipe for worker in busy], timeout=1)
            for worker in busy:
                if worker.pipe not in ready and not worker.is_late():
                    continue
                title = worker.task[1]
                result = worker.result() if worker.pipe in ready else worker.lost(f"Stopped after {LIMIT} s.")
                report(title, *result)
                durations[number_of(title)] = round(result[0], 1)
                passed, failed = passed + (not result[2]), failed + bool(result[2])
                if waiting:
                    worker.run(waiting.pop(0))
    finally:
        for worker in workers:
            worker.end()
    return passed, failed, durations


def main():
    # The virtual environment has Playwright, whichever Python started this program.
    if PYTHON.exists() and pathlib.Path(sys.prefix) != PYTHON.parents[1]:
        os.execv(PYTHON, [str(PYTHON), *sys.argv])
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.path[:0] = [str(HERE / "Scenarios"), str(HERE / "Pictures")]
    if problem := missing(options):
        print(problem, file=sys.stderr)
        sys.exit(3)
    passed, failed, durations = run_all(chosen(options), options)
    if not options.pictures:
        DURATIONS.parent.mkdir(parents=True, exist_ok=True)
        DURATIONS.write_text(json.dumps(known_durations() | durations, indent=0, sort_keys=True))
    print(f"{passed} passed, {failed} failed", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
