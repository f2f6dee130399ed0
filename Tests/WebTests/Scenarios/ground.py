"""Rules for every page."""

import pathlib
import re

from app import expect, frames, is_whole, scenario


@scenario("0.1 the first view loads at most 100 KB without pictures, and preloads all of its modules")
def first_view(app):
    app.server.memes(45)
    page = app.open_window(hurried=True)
    # Prevents the requests that the page makes a second after the view.
    page.add_init_script("globalThis.pace = 1000")
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    kinds, sizes = {}, {}
    session.on("Network.responseReceived", lambda event: kinds.update({event["requestId"]: event}))
    session.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    page.goto("/")
    app.is_settled()
    expect(page.locator(".row img").first).to_be_visible()
    # Later requests do not delay the view.
    loaded = [
        (event["response"]["url"], sizes.get(request, 0)) for request, event in list(kinds.items())
        if not event["response"]["mimeType"].startswith("image/") or "/icons/" in event["response"]["url"]]
    total = sum(size for _, size in loaded)
    print(f"    the first view: {len(loaded)} responses, {total} bytes")
    assert total <= 100_000, sorted(loaded, key=lambda each: -each[1])
    preloaded = set(page.eval_on_selector_all(
        "link[rel=modulepreload], script[src]", "links => links.map((link) => link.href || link.src)"))
    modules = {url for url, _ in loaded if url.endswith(".js")}
    assert modules == preloaded, modules ^ preloaded


@scenario("0.2 app addresses can be opened directly, and unknown ones show an error page")
def addresses(app):
    meme = app.server.meme("one does not simply", "open a link")
    page = app.page
    page.goto(f"/app/meme/{meme['id']}?utm_source=somewhere")
    expect(page.get_by_role("heading", level=1)).to_have_text("one does not simply – open a link")
    expect(page).to_have_title("one does not simply – open a link · MemeMe")
    page.get_by_role("link", name="Sent Memes").click()
    expect(page).to_have_url(re.compile(r"/$"))
    expect(page.get_by_role("heading", name="Sent Memes")).to_be_visible()
    page.goto("/app/nothing/here")
    expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")
    app.check_access("unknown address")


@scenario("0.3 the browser blocks HTML injection and inline scripts")
def policy(app):
    page = app.page
    page.goto("/")
    app.is_settled()
    assert page.evaluate("() => { try { document.body.innerHTML = '<b>x</b>'; return false } catch { return true } }")
    page.evaluate("() => { const s = document.createElement('script'); s.append('window.wasRun = 1'); document.body.append(s) }")
    assert page.evaluate("() => window.wasRun") is None
    assert any("TrustedHTML" in complaint for complaint in app.complaints), app.complaints
    app.forgive("TrustedHTML")
    app.forgive("TrustedScript")
    app.forgive("Content Security Policy")


@scenario("0.4 user content is shown as plain text everywhere")
def text(app):
    bad = "<img src=x onerror=alert(1)>"
    meme = app.server.meme(bad, '"><script>alert(2)</script>', altText="<b>alt</b>")
    page = app.page
    page.on("dialog", lambda dialog: app.complaints.append("a dialog was opened"))
    for path in ["/", "/app/grid", f"/app/meme/{meme['id']}"]:
        page.goto(path)
        app.is_settled()
        expect(page.locator("main img[alt='<b>alt</b>'], main .row-caption").first).to_be_visible()
        expect(page.locator("main b, main script, main img[src=x]")).to_have_count(0)


@scenario("0.5 pages do not overflow at 320 pixels, or with text at 200 %")
def zoom(app):
    meme = app.server.meme("a long caption that has to find its way around the end of a line", "and another one")
    for width, height, size in [(320, 568, "100%"), (640, 1136, "200%"), (568, 320, "100%"), (320, 568, "200%")]:
        app.page.set_viewport_size({"width": width, "height": height})
        page = app.page
        for path in ["/", "/app/grid", f"/app/meme/{meme['id']}", "/app/editor"]:
            page.goto(path)
            app.is_settled()
            page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
            frames(page)
            is_whole(page, f"{path} at {width}, text {size}")


@scenario("0.6 controls are at least 24 pixels large, and 44 on bars")
def targets(app):
    name, token = app.sign_in()
    meme = app.server.meme("x", token=token)
    app.server.json("POST", f"/memes/{meme['id']}/comments", {"text": "y"}, token=token)
    page = app.page
    for path in ["/", "/app/grid", f"/app/meme/{meme['id']}"]:
        page.goto(path)
        app.is_settled()
        expect(page.locator("main img").first).to_be_visible()
        for control in page.locator("a:visible, button:visible, textarea:visible").all():
            box = control.bounding_box()
            least = 44 if control.evaluate("element => Boolean(element.closest('.bar, .tab-bar'))") else 24
            assert box["width"] >= least and box["height"] >= least, (path, control.inner_text(), box)


@scenario("0.7 without a network, pages show an error and can retry")
def offline(app):
    meme = app.server.meme("still", "here")
    page = app.page
    page.goto("/")
    app.is_settled()
    # The page's module loads before the network goes.
    page.get_by_role("link", name="still").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("still – here")
    page.go_back()
    app.context.set_offline(True)
    page.get_by_role("button", name="Refresh").click()
    expect(page.get_by_role("alert")).to_contain_text("You are offline.")
    page.get_by_role("link", name="still").click()
    # The list below has such an alert too.
    shown = page.locator("meme-page").filter(visible=True)
    expect(shown.get_by_role("alert")).to_contain_text("You are offline.")
    app.context.set_offline(False)
    shown.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("img", name="still")).to_be_visible()
    assert meme["id"] in page.url
    app.forgive("ERR_INTERNET_DISCONNECTED")


@scenario("0.8 server errors show the request ID")
def problems(app):
    page = app.page
    page.route("**/memes?*", lambda route: route.fulfill(
        status=503, content_type="application/problem+json", headers={"X-Request-Id": "request-12345678"},
        body='{"code": "overloaded", "detail": "inside"}'))
    page.goto("/")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("The server is busy.")
    expect(alert).to_contain_text("request-12345678")
    app.check_access("problem")
    app.forgive("503")


@scenario("0.9 after an upgrade, a page of the old version opens the next page in the new version")
def upgrade(app):
    meme = app.server.meme("old", "and new")
    page = app.page
    page.goto("/")
    app.is_settled()
    # The server has another version now: the module of the next page does not exist.
    page.route("**/meme/meme-page.js", lambda route: route.fulfill(status=404, body=""), times=1)
    page.get_by_role("link", name="old").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("old – and new")
    assert meme["id"] in page.url
    # A part of a page offers to reload it, which helps.
    page.route("**/people/meme-menu.js", lambda route: route.fulfill(status=404, body=""), times=1)
    more = page.get_by_role("button", name="More", exact=True)
    more.click()
    expect(page.get_by_text("A part of the app couldn’t be loaded.")).to_be_visible()
    page.get_by_role("button", name="Reload").click()
    more.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    app.forgive("404")


@scenario("0.10 each icon that the app names exists")
def icons(app):
    root = pathlib.Path(__file__).resolve().parents[3] / "Sources" / "Web"
    known = set(re.findall(r'<symbol id="([^"]+)"', (root / "icons" / "icons.svg").read_text()))
    named = {
        (name, file.name) for file in root.rglob("*.js")
        for name in re.findall(r"\b(?:icon\(|icon: |note\()'([a-z-]+)'", file.read_text())}
    assert len(named) > 50
    missing = [each for each in sorted(named) if each[0] not in known]
    assert not missing, missing


@scenario("0.11 if a page cannot be loaded, the page before stays as it was, also after Back")
def not_loaded(app):
    page = app.page
    page.goto("/")
    app.is_settled()
    visit = """async (name) => {
      const app = document.querySelector('script[type=module]').src;
      const [{ router }, { to }] = await Promise.all([import(app.replace('main.js', 'router.js')), import(app.replace('main.js', 'places.js'))]);
      await router.go(to[name]());
    }"""
    heading = page.get_by_role("heading", level=1).filter(visible=True)
    for name, title in [("about", "About this app"), ("editor", "New Meme")]:
        page.evaluate(visit, name)
        expect(heading).to_have_text(title)
    # The document forgets the modules of the pages before.
    page.reload()
    app.is_settled()
    page.evaluate("() => { document.querySelector('editor-page').mark = 'kept' }")
    # The browser has cached these files.
    page.route(re.compile(r"/(about|sign-in)-page\.js$"), lambda route: route.abort("internetdisconnected"))
    for leave in [lambda: page.evaluate(visit, "signIn"), page.go_back]:
        app.context.set_offline(True)
        leave()
        expect(page.locator("notice-bar")).to_contain_text("You are offline.")
        expect(page).to_have_url(re.compile("/app/editor$"))
        expect(heading).to_have_text("New Meme")
        app.context.set_offline(False)
        frames(page)
        expect(page.locator("notice-bar")).not_to_contain_text("You are offline.")
        assert page.evaluate("() => document.querySelectorAll('editor-page').length === 1 && document.querySelector('editor-page').mark") == "kept"
    app.forgive("ERR_INTERNET_DISCONNECTED")
    app.forgive("TypeError")
