"""The app in a browser, and the server behind it, as scenarios use them."""

import contextlib
import json
import pathlib
import re
import time
import urllib.error
import urllib.request
import uuid

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

# How long a condition is waited for, in seconds.
PATIENCE = 10
expect.set_options(timeout=PATIENCE * 1000)

AXE = Axe().axe_script
PICTURES = pathlib.Path(__file__).resolve().parents[2] / "Support" / "Fixtures"
PASSWORD = "a cat on a keyboard"
# The windows that pages are looked at in, the smallest first and the largest last.
SIZES = [(320, 568), (390, 844), (844, 390), (768, 1024), (1440, 900)]


# Lets the app's longer pauses, after which it asks the server again or keeps something, take a twentieth of their time, or the part
# that `window.pace` names. Notices stay as long as they do: 5 and 12 seconds.
HURRIED = """
  const setTimeoutBefore = globalThis.setTimeout;
  globalThis.setTimeout = (work, delay = 0, ...rest) => setTimeoutBefore(
    work, delay < 1000 || delay === 5000 || delay === 12000 ? delay : delay * (globalThis.pace ?? 0.05), ...rest);
"""


def eventually(name, condition, page=None):
    """Waits until the condition holds, and returns what it is then. Fails by the name, or what it returns then, after ten seconds.

    With `page`, Python answers between two looks what the page asks it for.
    """
    end = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < end, f"not within {PATIENCE} s: {name() if callable(name) else name}"
        if page:
            page.wait_for_timeout(20)
        else:
            time.sleep(0.02)
    return value


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

    def note(self):
        """Remembers what the server has logged by now."""

    def noted(self):
        """Returns the lines that the server has logged since; none of a server that runs elsewhere."""
        return []

    def empty(self):
        """Deletes the memes of the scenario before."""
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
        """Waits for the newest mail to an address that has this in it: mails are sent after the response."""
        def found():
            for file in sorted(self.outbox.glob("*.eml"), reverse=True) if self.outbox.is_dir() else []:
                text = file.read_text().replace("\r\n", "\n")
                if f"\nTo: {to}\n" in text and part in text:
                    return text
            return None

        return eventually(f"a mail to {to}", found)

    def person(self, display_name="Ada Lovelace"):
        """Registers somebody. Returns their name and a token."""
        name = "p" + uuid.uuid4().hex[:12]
        self.json("POST", "/users", {
            "username": name, "email": f"{name}@example.org", "password": PASSWORD, "displayName": display_name})
        token = self.json("POST", "/sessions", {"username": name, "password": PASSWORD})["token"]
        return name, token


class App:
    """A browser's window with the app in it. What goes wrong unseen, on the console, fails the scenario.

    `window` has the module's own defaults for windows, and `takes_pictures` is set by script/screenshots.
    """

    # Where the browser's program is.
    chromium = None

    def __init__(self, browser, server, folder, address=None, window=None, takes_pictures=False):
        self.browser, self.server, self.folder = browser, server, folder
        self.window, self.takes_pictures = window or {}, takes_pictures
        # Where the app is, if not at the server itself.
        self.address = address
        self.complaints = []
        self.context = self.page = None
        self.open_window()

    def open_window(self, width=390, height=844, theme="light", touch=False, motion="reduce", **more):
        """Opens a window of a browser that was never here.

        It has no service worker and the app's own pauses, unless the module's `WINDOW` says otherwise: see `HURRIED`.
        """
        self.close()
        more = {"service_workers": "block", "hurried": False} | self.window | more
        hurried = more.pop("hurried")
        self.context = self.browser.new_context(
            base_url=self.address or self.server.url, viewport={"width": width, "height": height}, color_scheme=theme,
            has_touch=touch, is_mobile=touch, reduced_motion=motion, **more)
        if hurried:
            self.context.add_init_script(HURRIED)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
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
        """Checks WCAG 2.2 AA as far as a program can."""
        # A color that changes slowly has a contrast of its own.
        comes_to_rest(self.page)
        if not self.page.evaluate("() => Boolean(window.axe)"):
            self.page.evaluate(AXE)
        results = self.page.evaluate("options => axe.run(options)", {
            "resultTypes": ["violations"],
            "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]})
        found = [
            f"{violation['id']}: {violation['help']}: {[node['html'][:160] for node in violation['nodes']][:4]}"
            for violation in results["violations"]]
        assert not found, f"{name}: " + "\n".join(found)

    def photograph(self, name, whole=False):
        """Takes a picture of the window, or of the whole page, if script/screenshots asks for it."""
        if self.takes_pictures:
            self.page.screenshot(path=str(self.folder / f"{name}.png"), full_page=whole)

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


def looks(app, sizes=SIZES):
    """Goes through the sizes in both themes. Yields a look's name, and whether a page is opened and checked anew for it.

    That is once in each theme: light in the smallest window, dark in the largest. From there on the window changes its size.
    """
    for theme, order in [("light", sizes), ("dark", sizes[::-1])]:
        app.page.emulate_media(color_scheme=theme)
        for width, height in order:
            app.page.set_viewport_size({"width": width, "height": height})
            is_new = (width, height) == order[0]
            if not is_new:
                frames(app.page)
            yield f"{width}x{height} {theme}", is_new


def is_whole(page, name):
    """Asserts that nothing is cut off to the side."""
    over = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert over <= 0, f"{name}: {over} pixels too wide"


@contextlib.contextmanager
def answered(page, method, path):
    """Waits at its end until the server has answered a request that begins in it: pages show some changes before."""
    with page.expect_response(lambda response: response.request.method == method and re.search(path, response.url)):
        yield


def frames(page, count=2):
    """Waits until so many frames have begun: with the second, what was changed before the first is painted."""
    page.evaluate("""async (count) => {
      for (let frame = 0; frame < count; frame++) await new Promise(requestAnimationFrame);
    }""", count)


def comes_to_rest(page):
    """Waits until all transitions and animations have ended that end at all."""
    frames(page, 1)
    page.wait_for_function("""() => document.getAnimations().every(
      (animation) => animation.playState !== 'running' || animation.effect.getComputedTiming().endTime === Infinity)""")


def at_rest(locator):
    """Returns where an element is when it has been there for six frames."""
    locator.evaluate("""async (element) => {
      for (let last = '', frames = 0; frames < 6;) {
        await new Promise(requestAnimationFrame);
        const { x, y, width, height } = element.getBoundingClientRect();
        const now = [x, y, width, height].join();
        frames = now === last ? frames + 1 : 0;
        last = now;
      }
    }""")
    return locator.bounding_box()


def scenario(title):
    """Marks what a file promises."""
    def mark(function):
        scenarios_of.setdefault(function.__module__, []).append((title, function))
        return function
    return mark
