"""The app in a browser, and its server, for use by scenarios."""

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

# The time limit for a condition, in seconds.
PATIENCE = 10
expect.set_options(timeout=PATIENCE * 1000)

AXE = Axe().axe_script
PICTURES = pathlib.Path(__file__).resolve().parents[2] / "Support" / "Fixtures"
PASSWORD = "a cat on a keyboard"
# The window sizes for checks of pages, from the smallest to the largest.
SIZES = [(320, 568), (390, 844), (844, 390), (768, 1024), (1440, 900)]


# Shortens the app's pauses of a second or more to a twentieth, or to the factor in `window.pace`. The app polls the
# server or stores data after such pauses. Notices keep their times: 5 and 12 seconds.
HURRIED = """
  const setTimeoutBefore = globalThis.setTimeout;
  globalThis.setTimeout = (work, delay = 0, ...rest) => setTimeoutBefore(
    work, delay < 1000 || delay === 5000 || delay === 12000 ? delay : delay * (globalThis.pace ?? 0.05), ...rest);
"""


def eventually(name, condition, page=None):
    """Waits until the condition is true and returns its value. Fails after ten seconds with `name` or its result.

    With `page`, Playwright handles the page's requests between two checks.
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
    """Calls of the server's API, outside the browser."""

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
        """Remembers the server's current log length."""

    def noted(self):
        """Returns the lines logged since `note`, or none if the server runs elsewhere."""
        return []

    def empty(self):
        """Deletes the memes of the previous scenario."""
        while items := self.call("GET", "/memes?view=grid&limit=100", token=self.admin_token)["items"]:
            for item in items:
                self.call("DELETE", f"/memes/{item['id']}", token=self.admin_token)

    def meme(self, top="", bottom="", token=None, picture="photo.jpg", **fields):
        """Creates a meme, from a picture file unless another field names its picture."""
        boundary = uuid.uuid4().hex
        parts = []
        for name, value in {"top": top, "bottom": bottom, **fields}.items():
            parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode())
        if "remix" not in fields:
            data = picture if isinstance(picture, bytes) else (PICTURES / picture).read_bytes()
            parts.append(
                f'--{boundary}\r\nContent-Disposition: form-data; name="image"; filename="x"\r\n\r\n'.encode()
                + data + b"\r\n")
        parts.append(f"--{boundary}--\r\n".encode())
        return self.call(
            "POST", "/memes", b"".join(parts), token,
            {"Content-Type": f"multipart/form-data; boundary={boundary}"})

    def memes(self, count, **fields):
        """Creates `count` memes. The first in the list is the newest."""
        return [self.meme(f"meme number {number}", **fields) for number in range(1, count + 1)][::-1]

    def mail(self, to, part):
        """Waits for the newest mail to an address that contains `part`. Mails are sent after the response."""
        def found():
            for file in sorted(self.outbox.glob("*.eml"), reverse=True) if self.outbox.is_dir() else []:
                text = file.read_text().replace("\r\n", "\n")
                if f"\nTo: {to}\n" in text and part in text:
                    return text
            return None

        return eventually(f"a mail to {to}", found)

    def person(self, display_name="Ada Lovelace"):
        """Registers a person. Returns the username and a token."""
        name = "p" + uuid.uuid4().hex[:12]
        self.json("POST", "/users", {
            "username": name, "email": f"{name}@example.org", "password": PASSWORD, "displayName": display_name})
        token = self.json("POST", "/sessions", {"username": name, "password": PASSWORD})["token"]
        return name, token


class App:
    """A browser window with the app. Unexpected console messages fail the scenario.

    `window` has the module's defaults for windows. script/screenshots sets `takes_pictures`.
    """

    # The path of the browser's executable.
    chromium = None

    def __init__(self, browser, server, folder, address=None, window=None, takes_pictures=False):
        self.browser, self.server, self.folder = browser, server, folder
        self.window, self.takes_pictures = window or {}, takes_pictures
        # The app's address, if it differs from the server's.
        self.address = address
        self.complaints = []
        self.context = self.page = None
        self.open_window()

    def open_window(self, width=390, height=844, theme="light", touch=False, motion="reduce", **more):
        """Opens a window with a new browser profile.

        It has no service worker and the app's normal pauses, unless the module's `WINDOW` overrides them: see `HURRIED`.
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
        """Signs in through the app: a new person, or `who`. Returns the username and a token for API calls."""
        name, token = who or self.server.person(display_name)
        self.page.goto("/")
        self.page.evaluate(
            """async ([name, password]) => {
              const session = document.querySelector('script[type=module]').src.replace('main.js', 'session.js');
              await (await import(session)).session.signIn(name, password);
            }""", [name, PASSWORD])
        return name, token

    def note(self, message):
        # A window without service workers logs this on each page.
        if message.type in ("error", "warning") and "Service Worker registration blocked" not in message.text:
            self.complaints.append(f"{message.type}: {message.text}")

    def forgive(self, part):
        """Allows console messages with `part`, which the scenario causes on purpose."""
        self.complaints = [complaint for complaint in self.complaints if part not in complaint]

    def check_access(self, name=""):
        """Checks WCAG 2.2 AA as far as a program can."""
        # During a transition a color has another contrast.
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
        """Takes a picture of the window, or of the whole page, if script/screenshots requests it."""
        if self.takes_pictures:
            self.page.screenshot(path=str(self.folder / f"{name}.png"), full_page=whole)

    def is_settled(self):
        """Waits until the page's requests have completed."""
        expect(self.page.locator("h1:visible")).to_have_count(1)
        expect(self.page.locator("main:visible[aria-busy=true]")).to_have_count(0)

    def finish(self):
        assert not self.complaints, self.complaints

    def close(self):
        if self.context:
            self.context.close()
            self.context = None


# The scenarios of each module: title and function.
scenarios_of = {}


def looks(app, sizes=SIZES):
    """Iterates over the sizes in both themes. Yields a look's name, and whether the page must be opened and checked.

    That is once in each theme: light in the smallest window, dark in the largest. After that only the window size changes.
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
    """Asserts that nothing is cut off horizontally."""
    over = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert over <= 0, f"{name}: {over} pixels too wide"


@contextlib.contextmanager
def answered(page, method, path):
    """Waits at the end for the response to a request that begins in the block. Pages show some changes earlier."""
    with page.expect_response(lambda response: response.request.method == method and re.search(path, response.url)):
        yield


def frames(page, count=2):
    """Waits for `count` frames. With the second frame, earlier changes are painted."""
    page.evaluate("""async (count) => {
      for (let frame = 0; frame < count; frame++) await new Promise(requestAnimationFrame);
    }""", count)


def comes_to_rest(page):
    """Waits until all finite transitions and animations have ended."""
    frames(page, 1)
    page.wait_for_function("""() => document.getAnimations().every(
      (animation) => animation.playState !== 'running' || animation.effect.getComputedTiming().endTime === Infinity)""")


def at_rest(locator):
    """Waits until an element has not moved for six frames, and returns its box."""
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
    """Registers a function as a scenario."""
    def mark(function):
        scenarios_of.setdefault(function.__module__, []).append((title, function))
        return function
    return mark
