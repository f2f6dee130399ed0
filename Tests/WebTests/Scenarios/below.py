"""9. The app behind a path: `MEMEME_PUBLIC_URL=https://memes.example/part`, and a proxy that removes the path.

`script/proxies` runs the same scenarios through a real nginx and a real Caddy, at `--address`.
"""

import contextlib
import socket

from app import expect, scenario
from front import Front
from machine import Machine
from offline import font_is_kept, is_ready
from people import GUESTS, pages_of, somebody

# Options of the windows that these scenarios open.
WINDOW = {"service_workers": "allow", "hurried": True}

ADMIN = ["/app/admin", "/app/admin/reports", "/app/admin/memes", "/app/admin/backups", "/app/admin/log"]


@contextlib.contextmanager
def part(app):
    """Puts the app's window behind a proxy, by default our own. Yields the prefix of every address of the app."""
    if app.address:
        app.open_window()
        yield app.address
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    before, server = app.server, Machine(MEMEME_PUBLIC_URL=f"http://127.0.0.1:{port}/part", MEMEME_CONNECTIONS="members")
    try:
        with Front(server, port, "/part") as front:
            app.server, app.address = server, front.url
            app.open_window()
            yield front.url
            app.close()
    finally:
        app.server, app.address = before, None
        server.remove()


def sign_in(page, base, name):
    """Signs in with the form. Playwright does not support base addresses with a path, so all addresses are absolute."""
    page.goto(f"{base}/app/sign-in")
    page.get_by_label("Username").fill(name)
    page.get_by_role("textbox", name="Password").fill("a cat on a keyboard")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", level=1).filter(visible=True)).not_to_have_text("Sign in")


def visit(app, base, paths):
    for path in paths:
        app.page.goto(base + path)
        app.is_settled()
        expect(app.page.locator("#splash")).to_have_count(0)
        assert app.page.url.startswith(base), (path, app.page.url)
        broken = app.page.evaluate("() => [...document.images].filter((each) => each.getAttribute('src') && each.complete && !each.naturalWidth).map(({ src }) => src)")
        assert not broken, (path, broken)


@scenario("9.70 below a path, all pages open, the session persists, and no request leaves the path")
def pages(app):
    with part(app) as base:
        name, token, other = somebody(app)
        meme = app.server.meme("to be looked at", token=token)
        outside = []
        app.context.on("request", lambda request: None if request.url.startswith((f"{base}/", "blob:", "data:")) else outside.append(request.url))
        visit(app, base, GUESTS)
        sign_in(app.page, base, name)
        cookies = app.context.cookies(base + "/")
        assert cookies and all(base.endswith(cookie["path"].rstrip("/")) and cookie["httpOnly"] for cookie in cookies), cookies
        visit(app, base, ["/", "/app/grid", "/app/about", "/app/editor", *(f"/app/{kind}/{meme['id']}" for kind in ["meme", "editor"])])
        visit(app, base, [*pages_of(name, other), *ADMIN])
        # Navigates with links only.
        app.page.goto(base + "/")
        app.page.get_by_role("link", name="to be looked at").click()
        expect(app.page.get_by_role("heading", level=1).filter(visible=True)).to_have_text("to be looked at")
        assert app.page.url == f"{base}/app/meme/{meme['id']}", app.page.url
        assert not outside, outside


@scenario("9.71 below a path, the service worker keeps to the path and shows the app without the server")
def offline(app):
    with part(app) as base:
        app.server.meme("kept")
        page = app.page
        page.goto(base + "/")
        is_ready(app)
        scope = page.evaluate("() => navigator.serviceWorker.ready.then(({ scope }) => scope)")
        assert scope == f"{base}/", scope
        expect(page.get_by_role("link", name="kept")).to_be_visible()
        # Otherwise its request may fail.
        font_is_kept(page)
        app.context.set_offline(True)
        page.goto(base + "/app/grid")
        expect(page.get_by_role("img", name="kept")).to_be_visible()
        app.context.set_offline(False)
    app.forgive("ERR_INTERNET_DISCONNECTED")


@scenario("9.72 below a path, shared links and their preview images contain the path")
def links(app):
    with part(app) as base:
        meme = app.server.meme("passed on")
        shared = app.server.call("GET", f"/memes/{meme['id']}/share")["url"]
        assert shared == f"{base}/m/{meme['id']}", shared
        app.page.goto(shared)
        assert app.page.locator("img").first.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        picture = app.page.locator("meta[property='og:image']").get_attribute("content")
        assert picture.startswith(f"{base}/memes/{meme['id']}/"), picture
        assert app.page.request.get(picture).ok
    # The icon, which the browser requests from the host's root.
    app.forgive("404")
