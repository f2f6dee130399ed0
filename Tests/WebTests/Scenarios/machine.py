"""A server in a process of its own, which scenarios end and start again."""

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request

from app import PASSWORD, Server


class Machine(Server):
    """`mememe serve` at one port and over one folder, however often it is ended."""

    # Where the program is: of the build that the tests are of.
    program = pathlib.Path(__file__).resolve().parents[3] / ".build" / "debug" / "mememe"

    def __init__(self, **settings):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.data = pathlib.Path(tempfile.mkdtemp(prefix="mememe-web-"))
        self.settings = settings
        self.process = None
        super().__init__(f"http://127.0.0.1:{self.port}", None)
        self.start()
        self.admin_token = (self.data / "admin-token").read_text().strip()

    def start(self):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MEMEME_")}
        environment |= {"MEMEME_RATE_LIMITS": "off", **self.settings}
        self.process = subprocess.Popen(
            [self.program, "serve", "--port", str(self.port), "--data", self.data], env=environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(400):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(self.url + "/healthz", timeout=5).close()
                return
            assert self.process.poll() is None, "the server ended by itself"
            time.sleep(0.05)
        raise AssertionError("the server does not start")

    def end(self):
        """At once, as by a failure of power."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def admin(self, display_name="Grace Hopper"):
        """Registers somebody with the admin's role. Returns their name and a token."""
        name, token = self.person(display_name)
        self.give("admin", name)
        return name, token

    def give(self, role, name):
        subprocess.run([self.program, "user", "role", name, role, "--data", self.data], check=True, capture_output=True)

    def sign_out(self, name):
        """Ends all sessions of somebody, as when they change their password elsewhere."""
        token = self.json("POST", "/sessions", {"username": name, "password": PASSWORD})["token"]
        self.call("DELETE", "/sessions", token=token)

    def remove(self):
        self.end()
        shutil.rmtree(self.data, ignore_errors=True)


@contextlib.contextmanager
def machine(app, front=None, **settings):
    """A server of the scenario's own; the app's window is at it, or at what stands before it."""
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
