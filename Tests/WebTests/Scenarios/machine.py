"""A server in a separate process, which scenarios stop and start again."""

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request

from app import PASSWORD, Server, eventually


class Machine(Server):
    """`mememe serve` with one port and one folder across restarts."""

    # The path of the program.
    program = pathlib.Path(__file__).resolve().parents[3] / ".build" / "release" / "mememe"
    # The log lines of servers that were removed.
    ended = []

    def __init__(self, **settings):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="mememe-web-"))
        self.data, self.log = self.folder / "data", self.folder / "log"
        self.data.mkdir()
        self.settings = settings
        self.process = None
        super().__init__(f"http://127.0.0.1:{self.port}", None, self.data / "outbox")
        self.start()
        self.admin_token = (self.data / "admin-token").read_text().strip()

    def start(self):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MEMEME_")}
        # The level at which each request is logged.
        environment |= {"MEMEME_RATE_LIMITS": "off", "MEMEME_LOG_LEVEL": "info", "MEMEME_STARTER_TEMPLATES": "false"}
        environment |= self.settings
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "serve", "--port", str(self.port), "--data", self.data], env=environment, stdout=log, stderr=log)
        eventually("the server responds", self.answers)

    def answers(self):
        assert self.process.poll() is None, "the server exited unexpectedly:\n" + "\n".join(self.lines()[-5:])
        with contextlib.suppress(OSError):
            urllib.request.urlopen(self.url + "/healthz", timeout=5).close()
            return True
        return False

    def lines(self):
        return self.log.read_text(errors="replace").splitlines()

    def note(self):
        self.count = len(self.lines())

    def noted(self):
        return self.lines()[self.count:]

    def end(self):
        """Kills the server, like a power failure."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def admin(self, display_name="Grace Hopper"):
        """Registers an admin. Returns the username and a token."""
        name, token = self.person(display_name)
        self.give("admin", name)
        return name, token

    def give(self, role, name):
        subprocess.run([self.program, "user", "role", name, role, "--data", self.data], check=True, capture_output=True)

    def sign_out(self, name):
        """Ends all sessions of an account, like a password change elsewhere."""
        token = self.json("POST", "/sessions", {"username": name, "password": PASSWORD})["token"]
        self.call("DELETE", "/sessions", token=token)

    def remove(self):
        self.end()
        Machine.ended += self.lines()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextlib.contextmanager
def machine(app, front=None, **settings):
    """Starts a separate server for a scenario, and opens the app's window at it or at the proxy before it."""
    server = Machine(**settings)
    before = app.server
    try:
        with front(server) if front else contextlib.nullcontext() as standing:
            app.server = server
            app.address = standing.url if standing else server.url
            app.open_window()
            yield (server, standing) if standing else server
            app.close()
    finally:
        app.server, app.address = before, None
        server.remove()
