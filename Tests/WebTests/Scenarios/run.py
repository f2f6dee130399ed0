"""Runs the scenarios of one file in Chromium, against a server that runs.

    run.py FILE SERVER ADMIN_TOKEN SCREENSHOTS [PART_OF_A_NAME] [--outbox=FOLDER]

FOLDER is where the server leaves its mails.
"""

import importlib
import os
import pathlib
import sys
import time
import traceback

from playwright.sync_api import sync_playwright

from app import App, Server, scenarios_of

CHROMIUM = "/usr/bin/chromium"


def main():
    options = [argument for argument in sys.argv[1:] if argument.startswith("--outbox=")]
    outbox = pathlib.Path(options[0].removeprefix("--outbox=")) if options else None
    name, url, token, screenshots, *rest = [argument for argument in sys.argv[1:] if argument not in options]
    wanted = rest[0] if rest else ""
    importlib.import_module(name)
    folder = pathlib.Path(screenshots)
    folder.mkdir(parents=True, exist_ok=True)
    failures = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM if os.path.exists(CHROMIUM) else None,
            # Chromium does not run as root with its sandbox, as in a container.
            args=["--no-sandbox"] if os.geteuid() == 0 else [],
        )
        for title, scenario in scenarios_of[name]:
            if wanted not in title:
                continue
            begin = time.monotonic()
            server = Server(url, token, outbox)
            server.empty()
            app = App(browser, server, folder)
            try:
                scenario(app)
                app.finish()
                print(f"passed ({time.monotonic() - begin:.1f} s): {title}", flush=True)
            except Exception:
                failures += 1
                app.photograph(f"failed-{title.split()[0]}")
                print(f"FAILED: {title}\n{traceback.format_exc()}", file=sys.stderr, flush=True)
            finally:
                app.close()
        browser.close()
    sys.exit(1 if failures else 0)


main()
