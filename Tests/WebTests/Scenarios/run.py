"""Runs the scenarios of one file in Chromium, against a server that runs.

    run.py FILE SERVER ADMIN_TOKEN SCREENSHOTS [PART_OF_A_NAME] [--outbox=FOLDER] [--program=PATH] [--address=URL]

FOLDER is where the server leaves its mails, PATH its program, for scenarios that start and end one, and URL where the app is that is
looked at, if not at the server itself.
"""

import importlib
import os
import pathlib
import sys
import time
import traceback

from playwright.sync_api import sync_playwright

from app import App, Server, scenarios_of
from machine import Machine

CHROMIUM = "/usr/bin/chromium"


def play(title, scenario, browser, server, folder, address):
    """Whether it held."""
    begin = time.monotonic()
    server.empty()
    app = App(browser, server, folder, address)
    try:
        scenario(app)
        app.finish()
        print(f"passed ({time.monotonic() - begin:.1f} s): {title}", flush=True)
        return True
    except Exception:
        app.photograph(f"failed-{title.split()[0]}")
        print(f"failed ({time.monotonic() - begin:.1f} s): {title}", flush=True)
        print(f"FAILED: {title}\n{traceback.format_exc()}", file=sys.stderr, flush=True)
        return False
    finally:
        app.close()


def main():
    options = dict(argument[2:].split("=", 1) for argument in sys.argv[1:] if argument.startswith("--"))
    outbox = pathlib.Path(options["outbox"]) if "outbox" in options else None
    Machine.program = options.get("program", Machine.program)
    name, url, token, screenshots, *rest = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    wanted = rest[0] if rest else ""
    importlib.import_module(name)
    folder = pathlib.Path(screenshots)
    folder.mkdir(parents=True, exist_ok=True)
    failures = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM if os.path.exists(CHROMIUM) else None,
            # Chromium's own camera of moving shapes, which nobody has to allow; and it does not run as root with its sandbox,
            # as in a container.
            args=["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
            + (["--no-sandbox"] if os.geteuid() == 0 else []),
        )
        for title, scenario in scenarios_of[name]:
            if wanted not in title:
                continue
            # Two cores with a browser and a server on them have bad moments: what fails may try once more, and is told of.
            if not any(play(title, scenario, browser, Server(url, token, outbox), folder, options.get("address")) for _ in range(2)):
                failures += 1
        browser.close()
    sys.exit(1 if failures else 0)


main()
