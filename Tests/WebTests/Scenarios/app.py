"""The app in a browser, and the server behind it, as scenarios use them."""

import json
import pathlib
import time
import urllib.error
import urllib.request
import uuid

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

expect.set_options(timeout=10_000)

PICTURES = pathlib.Path(__file__).resolve().parents[2] / "Support" / "Fixtures"
PASSWORD = "a cat on a keyboard"


class Server:
    """What a scenario does beside the browser, by the API."""

    def __init__(self, url, admin_token, outbox=None):
        self.url, self.admin_token, self.outbox = url, admin_token, outbox

    def call(self, method, path, body=None, token=None, headers=()):
        request = urllib.request.Request(self.url + path, method=method, data=body)
        for name, value in dict(headers).items():
            request.add_header(name, value)
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
            return json.loads(text) if text else None

    def json(self, method, path, value, token=None):
        body = json.dumps(value).encode()
        return self.call(method, path, body, token, {"Content-Type": "application/json"})

    def empty(self):
        """Nothing is left of the scenario before."""
        while items := self.call("GET", "/memes?view=grid&limit=100", token=self.admin_token)["items"]:
            for item in items:
                self.call("DELETE", f"/memes/{item['id']}", token=self.admin_token)

    def meme(self, top="", bottom="", token=None, picture="photo.jpg", **fields):
        """Makes a meme."""
        boundary = uuid.uuid4().hex
        parts = []
        for name, value in {"top": top, "bottom": bottom, **fields}.items():
            parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode())
        data = picture if isinstance(picture, bytes) else (PICTURES / picture).read_bytes()
        parts.append(
            f'--{boundary}\r\nContent-Disposition: form-data; name="image"; filename="x"\r\n\r\n'.encode()
            + data + f"\r\n--{boundary}--\r\n".encode())
        return self.call(
            "POST", "/memes", b"".join(parts), token,
            {"Content-Type": f"multipart/form-data; boundary={boundary}"})

    def memes(self, count, **fields):
        """Makes so many; the first in the list is the last that was made."""
        return [self.meme(f"meme number {number}", **fields) for number in range(1, count + 1)][::-1]

    def mail(self, to, part):
        """Waits for the newest mail to somebody that has this in it: mails are sent after the answer."""
        for _ in range(200):
            for file in sorted(self.outbox.glob("*.eml"), reverse=True) if self.outbox.is_dir() else []:
                text = file.read_text().replace("\r\n", "\n")
                if f"\nTo: {to}\n" in text and part in text:
                    return text
            time.sleep(0.05)
        raise AssertionError(f"no mail to {to}")

    def person(self, display_name="Ada Lovelace"):
        """Registers somebody. Returns their name and a token."""
        name = "p" + uuid.uuid4().hex[:12]
        self.json("POST", "/users", {
            "username": name, "email": f"{name}@example.org", "password": PASSWORD, "displayName": display_name})
        token = self.json("POST", "/sessions", {"username": name, "password": PASSWORD})["token"]
        return name, token


class App:
    """A browser's window with the app in it. What goes wrong unseen, on the console, fails the scenario."""

    def __init__(self, browser, server, folder, address=None):
        self.browser, self.server, self.folder = browser, server, folder
        # Where the app is, if not at the server itself.
        self.address = address
        self.complaints = []
        self.context = self.page = None
        self.open_window()

    def open_window(self, width=390, height=844, theme="light", touch=False, motion="reduce", **more):
        """A window as of somebody who was never here."""
        self.close()
        self.context = self.browser.new_context(
            base_url=self.address or self.server.url, viewport={"width": width, "height": height}, color_scheme=theme,
            has_touch=touch, is_mobile=touch, reduced_motion=motion, **more)
        self.page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.page.on("console", self.note)
        self.page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))
        return self.page

    def sign_in(self, display_name="Ada Lovelace", who=None):
        """Somebody signs in, as the app does: somebody new, or `who`. Returns their name and a token for calls beside the browser."""
        name, token = who or self.server.person(display_name)
        self.page.goto("/")
        self.page.evaluate(
            """async ([name, password]) => {
              const session = document.querySelector('script[type=module]').src.replace('main.js', 'session.js');
              await (await import(session)).session.signIn(name, password);
            }""", [name, PASSWORD])
        return name, token

    def note(self, message):
        # A window that was opened without service workers says so at each page.
        if message.type in ("error", "warning") and "Service Worker registration blocked" not in message.text:
            self.complaints.append(f"{message.type}: {message.text}")

    def forgive(self, part):
        """What a scenario does on purpose, such as to lose the network, the console may say."""
        self.complaints = [complaint for complaint in self.complaints if part not in complaint]

    def check_access(self, name=""):
        """WCAG 2.2 AA as far as a program can tell."""
        results = Axe().run(self.page, options={
            "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]})
        found = [
            f"{violation['id']}: {violation['help']}: {[node['html'][:160] for node in violation['nodes']][:4]}"
            for violation in results.response["violations"]]
        assert not found, f"{name}: " + "\n".join(found)

    def photograph(self, name):
        if self.page and not self.page.is_closed():
            self.page.screenshot(path=str(self.folder / f"{name}.png"))

    def is_settled(self):
        """Waits until the page has what it asked for."""
        expect(self.page.locator("h1:visible")).to_have_count(1)
        expect(self.page.locator("main:visible[aria-busy=true]")).to_have_count(0)

    def finish(self):
        assert not self.complaints, self.complaints

    def close(self):
        if self.context:
            self.context.close()
            self.context = None


# What each file promises: titles, and what shows that it is so.
scenarios_of = {}


def at_rest(locator):
    """Where something is, once it stays there."""
    last, now = None, locator.bounding_box()
    while now != last:
        locator.page.wait_for_timeout(100)
        last, now = now, locator.bounding_box()
    return now


def scenario(title):
    """Marks what a file promises."""
    def mark(function):
        scenarios_of.setdefault(function.__module__, []).append((title, function))
        return function
    return mark
