"""A process that runs scenarios one after another, with one browser, and one server for each set of settings."""

import contextlib
import importlib
import io
import os
import pathlib
import signal
import sys
import time
import traceback

from playwright.sync_api import sync_playwright

from app import App, Server, scenarios_of
from machine import Machine

SCREENSHOTS = pathlib.Path(__file__).resolve().parents[3] / ".build" / "screenshots"


def work(options, pipe):
    """Runs scenarios from the pipe until it is closed."""
    # The process leads a group with its servers, so that the runner can end all of them.
    os.setsid()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    Machine.program, App.chromium = options.program.absolute(), options.chromium
    with Stand(options) as stand, contextlib.suppress(EOFError, OSError):
        while True:
            module, title = pipe.recv()
            module = importlib.import_module(module)
            function = dict(scenarios_of[module.__name__])[title]
            pipe.send(stand.play(title, function, module))


class Stand:
    """The browser and the servers of this process."""

    def __init__(self, options):
        self.options = options
        self.folder = options.pictures or SCREENSHOTS
        self.folder.mkdir(parents=True, exist_ok=True)
        self.browser = None
        # The servers by their settings.
        self.servers = {}

    def __enter__(self):
        self.playwright = sync_playwright().start()
        return self

    def __exit__(self, *_):
        for server in self.servers.values():
            server.remove()
        if self.browser:
            self.browser.close()
        self.playwright.stop()

    def running_browser(self):
        if not self.browser or not self.browser.is_connected():
            self.browser = self.playwright.chromium.launch(
                executable_path=App.chromium,
                # A simulated camera that needs no permission. Chromium has no sandbox for root, as in a container.
                args=["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
                + (["--no-sandbox"] if os.geteuid() == 0 else []),
            )
        return self.browser

    def server(self, settings):
        """Returns the server with these settings, without memes."""
        if self.options.server:
            server = Server(self.options.server, self.options.admin_token, self.options.outbox)
        else:
            key = tuple(sorted(settings.items()))
            if key not in self.servers:
                self.servers[key] = Machine(**settings)
            server = self.servers[key]
        server.empty()
        return server

    def play(self, title, scenario, module):
        """Runs one scenario. Returns its time in seconds, its output, and the reason of its failure, or nothing."""
        begin, output = time.monotonic(), io.StringIO()
        app, failure = None, ""
        with contextlib.redirect_stdout(output):
            try:
                Machine.ended.clear()
                server = self.server(getattr(module, "SETTINGS", {}))
                server.note()
                app = App(
                    self.running_browser(), server, self.folder, self.options.address, getattr(module, "WINDOW", {}),
                    bool(self.options.pictures))
                scenario(app)
                app.finish()
                app.close()
                errors = [line for line in [*Machine.ended, *server.noted()] if " status=500 " in line]
                assert not errors, "\n".join(["the server failed:", *errors])
            except Exception:
                failure = traceback.format_exc()
                with contextlib.suppress(Exception):
                    self.keep_evidence(app, title.split()[0])
                with contextlib.suppress(Exception):
                    app.close()
        return time.monotonic() - begin, output.getvalue(), failure

    def keep_evidence(self, app, number):
        (SCREENSHOTS / f"failed-{number}.log").write_text("\n".join([*Machine.ended, *app.server.noted()]))
        if app.page and not app.page.is_closed():
            app.page.screenshot(path=str(SCREENSHOTS / f"failed-{number}.png"))
