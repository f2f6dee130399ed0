"""4. Share: a meme is saved when it is shared, and not before."""

import os
import re

from app import PASSWORD, eventually, expect, scenario
from editing import PHOTO, choose, finish, given, is_drawn, newest, open_editor, png, write, write_both
from machine import machine

# Headless Chromium has no share sheet. This one waits until the scenario ends it.
SHEET = """
  navigator.canShare = (data) => !data.files || data.files.every((file) => file.type.startsWith('image/'));
  navigator.share = (data) => {
    window.shared = data;
    return new Promise((resolve, reject) => {
      window.complete = resolve;
      window.cancel = () => reject(new DOMException('closed', 'AbortError'));
      window.refuse = () => reject(new DOMException('no click', 'NotAllowedError'));
    });
  };
"""
# Windows of other sites are simulated too, because no test should open them.
WINDOWS = """
  window.opened = [];
  window.open = () => {
    const opened = { closed: false, opener: window, close() { this.closed = true }, location: { replace(address) { window.opened.push(address) } } };
    window.lastOpened = opened;
    return opened;
  };
"""


def make(app, stub="", **window):
    """Makes a meme, up to sharing it."""
    if window:
        app.open_window(**window)
    page = app.page
    if stub:
        page.add_init_script(stub)
    page.goto("/")
    page.get_by_role("link", name="Add a meme").click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Album", exact=True).click()
    chooser.value.set_files(PHOTO)
    write_both(page)
    is_drawn(page)
    return page


def sign_in(page, name):
    """Signs in without leaving the page."""
    page.evaluate("""async ([name, password]) => {
      const session = document.querySelector('script[type=module]').src.replace('main.js', 'session.js');
      await (await import(session)).session.signIn(name, password);
    }""", [name, PASSWORD])


def flush(page):
    """Sends the waiting memes."""
    page.evaluate("""async () => {
      const at = document.querySelector('script[type=module]').src.replace('app/main.js', 'offline/outbox.js');
      await (await import(at)).outbox.flush();
    }""")


def save_later(page):
    share(page)
    page.get_by_role("button", name="Save and send later").click()
    expect(heading(page)).to_have_text("Sent Memes")


def share(page):
    page.get_by_role("button", name="Share", exact=True).click()


def open_sheet(page, button="Share"):
    """Shares with the system's sheet, and waits until it is open."""
    page.evaluate("() => { window.shared = null }")
    page.get_by_role("button", name=button, exact=True).click()
    page.wait_for_function("() => window.shared")


def are_shares(app, count):
    """Waits until the newest meme has `count` shares, which are recorded after the page moves on."""
    eventually(f"{count} shares", lambda: newest(app)["counts"]["shares"] == count, app.page)


def heading(page):
    return page.get_by_role("heading", level=1).filter(visible=True)


@scenario("4.1 the system's share sheet gets the picture, and the meme is saved when the sheet completes")
def sheet(app):
    app.server.memes(30)
    page = make(app, SHEET)
    open_sheet(page)
    facts = page.evaluate("""async () => {
      const [file] = shared.files;
      const picture = await createImageBitmap(file);
      return { name: file.name, type: file.type, width: picture.width, height: picture.height, url: shared.url ?? null };
    }""")
    assert facts == {"name": "meme.jpg", "type": "image/jpeg", "width": 640, "height": 480, "url": None}, facts
    # While the sheet is open, nothing is saved.
    assert newest(app)["top"] == "meme number 30"
    page.evaluate("() => complete()")
    expect(heading(page)).to_have_text("Sent Memes")
    expect(page.get_by_role("listitem").first.get_by_role("link")).to_contain_text("one does not simply")
    assert page.evaluate("() => scrollY") == 0
    meme = newest(app)
    assert meme["top"] == "one does not simply"
    are_shares(app, 1)
    # Going back does not lead into the editor again.
    assert page.evaluate("() => history.length") == 3


@scenario("4.2 closing the share sheet saves nothing, and offers the other ways to share and to save")
def sheet_canceled(app):
    page = make(app, SHEET)
    open_sheet(page)
    page.evaluate("() => cancel()")
    dialog = page.get_by_role("dialog")
    for name in ["Share …", "Copy link", "Save without sharing"]:
        expect(dialog.get_by_role("button", name=name)).to_be_visible()
    app.check_access("after the sheet")
    dialog.get_by_role("button", name="Cancel").click()
    expect(heading(page)).to_have_text("New Meme")
    expect(page.get_by_role("textbox", name="Top text")).to_have_value("one does not simply")
    assert newest(app) is None
    # A sheet that requires a new click gets one.
    open_sheet(page)
    page.evaluate("() => refuse()")
    open_sheet(page, "Share …")
    page.evaluate("() => complete()")
    expect(heading(page)).to_have_text("Sent Memes")
    assert newest(app)["bottom"] == "walk into mordor"
    page = make(app, SHEET)
    open_sheet(page)
    page.evaluate("() => cancel()")
    page.get_by_role("button", name="Save without sharing").click()
    expect(heading(page)).to_have_text("Sent Memes")
    expect(page.get_by_role("listitem")).to_have_count(2)


@scenario("4.3 without a share sheet, a dialog offers Facebook, X, WhatsApp, SMS, email, copy link and save image")
def dialog(app):
    for theme in ["light", "dark"]:
        page = make(app, theme=theme)
        for width, height in [(320, 568), (390, 844), (844, 390), (1440, 900)]:
            page.set_viewport_size({"width": width, "height": height})
            share(page)
            for name in ["Facebook", "X", "WhatsApp", "SMS", "Email", "Copy link", "Save image", "Save without sharing"]:
                expect(page.get_by_role("dialog").get_by_role("button", name=name, exact=True)).to_be_visible()
            expect(page.get_by_role("button", name="Facebook")).to_be_focused()
            if (width, theme) in [(320, "light"), (1440, "dark")]:
                app.check_access(f"share {theme} {width}")
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog")).to_have_count(0)
            expect(page.get_by_role("button", name="Share", exact=True)).to_be_focused()
    assert newest(app) is None


@scenario("4.4 choosing an app saves the meme and opens the app's composer with the link")
def composers(app):
    hosts = {"Facebook": "www.facebook.com", "X": "x.com", "WhatsApp": "wa.me"}
    for name, host in hosts.items():
        page = make(app, WINDOWS, width=390)
        share(page)
        page.get_by_role("button", name=name, exact=True).click()
        expect(heading(page)).to_have_text("Sent Memes")
        meme = newest(app)
        [opened] = page.evaluate("() => opened")
        assert opened.startswith(f"https://{host}/") and meme["id"] in opened, opened
        are_shares(app, 1)
        app.server.empty()
    for name, scheme in {"SMS": "sms:", "Email": "mailto:"}.items():
        page = make(app, width=390)
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("dialog", lambda dialog: (app.complaints.append(f"asked by {dialog.type}"), dialog.accept()))
        session = page.context.new_cdp_session(page)
        session.send("Page.enable")
        session.on("Page.frameRequestedNavigation", lambda event: asked.append(event["url"]))
        share(page)
        page.get_by_role("button", name=name, exact=True).click()
        expect(heading(page)).to_have_text("Sent Memes")
        eventually(f"{scheme} is opened", lambda id=newest(app)["id"]: any(url.startswith(scheme) and id in url for url in asked), page)
        app.complaints = [complaint for complaint in app.complaints if "external protocol" not in complaint and scheme not in complaint]
        app.server.empty()


@scenario("4.5 copying the link, saving the image, and saving without sharing each save the meme")
def others(app):
    page = make(app, width=390, permissions=["clipboard-read", "clipboard-write"])
    share(page)
    page.get_by_role("button", name="Copy link").click()
    expect(heading(page)).to_have_text("Sent Memes")
    expect(page.locator("notice-bar")).to_contain_text("Link copied.")
    assert page.evaluate("() => navigator.clipboard.readText()").endswith(f"/m/{newest(app)['id']}")
    app.server.empty()
    page = make(app, width=390)
    share(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save image").click()
    assert download.value.suggested_filename == "meme.jpg"
    expect(heading(page)).to_have_text("Sent Memes")
    assert os.path.getsize(download.value.path()) == newest(app)["image"]["bytes"]
    app.server.empty()
    page = make(app, width=390)
    asked = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    share(page)
    page.get_by_role("button", name="Save without sharing").click()
    expect(heading(page)).to_have_text("Sent Memes")
    meme = newest(app)
    # The browser stores the delete token.
    page.get_by_role("link", name="one does not simply").click()
    expect(page.get_by_role("button", name="Delete", exact=True)).to_be_visible()
    # A share would have been recorded before the request for the meme.
    assert not [each for each in asked if each.startswith("POST") and "/share" in each], asked
    assert newest(app)["counts"]["shares"] == 0
    assert meme["author"] is None


@scenario("4.6 the upload of a picture shows its progress and can be canceled, which saves nothing")
def progress(app):
    page = open_editor(app)
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 150_000})
    noise = given(noisy(2_000_000))
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Album", exact=True).click()
    chooser.value.set_files(noise)
    expect(page.locator(".editor-state")).to_have_text(re.compile(r"Uploading picture: [1-9]\d? %"))
    # The texts can be edited during the upload.
    write_both(page)
    share(page)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(re.compile(r"Uploading picture: [1-9]\d? %"))
    share_of = float(dialog.get_by_role("progressbar").get_attribute("value"))
    assert share_of > 0
    eventually(
        "the upload progresses", lambda: float(dialog.get_by_role("progressbar").get_attribute("value")) > share_of, page)
    app.check_access("progress")
    app.photograph("share-progress")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    expect(heading(page)).to_have_text("New Meme")
    session.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Discard").click()
    assert newest(app) is None


@scenario("4.7 a lost response causes no duplicate, and the meme waits in the list until the server confirms it")
def lost(app):
    page = make(app, width=390, hurried=True)
    asked = []

    def swallow(route):
        if route.request.method != "POST":
            return route.fallback()
        asked.append(route.request.headers["idempotency-key"])
        if len(asked) > 1:
            return route.fallback()
        # The server receives the meme, but its response is lost.
        route.fetch()
        return route.abort("connectionreset")

    page.route(re.compile(r"/memes$"), swallow)
    share(page)
    page.get_by_role("button", name="Save without sharing").click()
    expect(heading(page)).to_have_text("Sent Memes")
    app.forgive("ERR_CONNECTION_RESET")
    expect(page.get_by_role("listitem").first).to_contain_text("one does not simply")
    page.evaluate("() => dispatchEvent(new Event('online'))")
    eventually("the meme is sent again", lambda: len(asked) > 1, page)
    expect(page.locator("li.is-waiting")).to_have_count(0)
    assert len(set(asked)) == 1 and len(asked) >= 2, asked
    memes = app.server.call("GET", "/memes")["items"]
    assert [meme["top"] for meme in memes] == ["one does not simply"], memes
    expect(page.get_by_role("listitem")).to_have_count(1)


@scenario("4.10 without the server, a new meme waits, can be edited, and is sent when the server is back")
def later(app):
    app.open_window(hurried=True)
    page = open_editor(app)
    page.route(re.compile(r"/(uploads|memes)(/|$)"), lambda route: route.abort("connectionrefused"))
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Album", exact=True).click()
    chooser.value.set_files(PHOTO)
    write_both(page)
    save_later(page)
    expect(page.get_by_role("listitem").first).to_contain_text("one does not simply")
    page.get_by_role("listitem").first.get_by_role("link").click()
    page.get_by_role("link", name="Edit").click()
    expect(page.get_by_role("textbox", name="Bottom text")).to_have_value("walk into mordor")
    write(page, "Bottom text", "drive into mordor")
    # The browser's Back button keeps the changes for the editor of this meme alone.
    page.go_back()
    expect(page.locator("notice-bar")).to_contain_text("Draft kept")
    page.go_back()
    page.get_by_role("link", name="Add a meme").click()
    expect(page.get_by_text("Choose a picture")).to_be_visible()
    page.go_back()
    page.get_by_role("listitem").first.get_by_role("link").click()
    page.get_by_role("link", name="Edit").click()
    expect(page.locator("notice-bar")).to_contain_text("Draft restored.")
    expect(page.get_by_role("textbox", name="Bottom text")).to_have_value("drive into mordor")
    page.unroute_all()
    app.forgive("ERR_CONNECTION_REFUSED")
    # During an edit the old version is not sent, although the server is reachable.
    with page.expect_response(re.compile("/healthz$")):
        page.evaluate("() => dispatchEvent(new Event('online'))")
    flush(page)
    assert newest(app) is None
    share(page)
    page.get_by_role("button", name="Save without sharing").click()
    expect(heading(page)).to_have_text("Sent Memes")
    # A hidden page below updates when it is shown.
    expect(page.locator("li.is-waiting:visible")).to_have_count(0)
    memes = app.server.call("GET", "/memes")["items"]
    assert [(meme["top"], meme["bottom"]) for meme in memes] == [("one does not simply", "drive into mordor")], memes
    expect(page.get_by_role("listitem")).to_have_count(1)


@scenario("4.11 a meme whose author was signed out waits for them, and another account cannot send it")
def signed_out(app):
    with machine(app) as server:
        ada, token = app.sign_in("Ada Lovelace")
        app.open_window(hurried=True)
        app.sign_in(who=(ada, token))
        for visibility in ["Everyone", "Only me"]:
            page = open_editor(app, PHOTO)
            is_drawn(page)
            page.get_by_role("button", name="More").click()
            page.locator("more-panel").get_by_text(visibility, exact=True).click()
            # The session ends elsewhere. The next drawing of the server reports that.
            server.sign_out(ada)
            write_both(page)
            expect(page.locator("notice-bar")).to_contain_text("Your session has ended.")
            share(page)
            dialog = page.get_by_role("dialog")
            expect(dialog).to_contain_text("You’re signed out.")
            app.check_access("share signed out")
            dialog.get_by_role("button", name="Save and send later").click()
            expect(page.locator("notice-bar")).to_contain_text("Sign in to send it.")
            expect(page.get_by_role("listitem")).to_have_count(0)
            flush(page)
            assert newest(app) is None
            page.get_by_role("button", name="Sign in").click()
            page.get_by_label("Username or email").fill(ada)
            page.get_by_label("Password", exact=True).fill(PASSWORD)
            page.get_by_role("button", name="Sign in").click()
            expect(heading(page)).to_have_text("Sent Memes")
            expect(page.locator("li.row:not(.is-waiting)")).to_have_count(1)
            meme = newest(app)
            assert meme["author"]["username"] == ada, meme
            assert meme["visibility"] == {"Everyone": "public", "Only me": "private"}[visibility], meme
            server.empty()
        app.forgive("401")
        # She cannot see drawings of her picture while she is signed out.
        app.forgive("422")

        # The session ends while memes wait for the network, and the page does not know. The first rejected request
        # deletes the cookie, so the second meme would be anonymous.
        page.route(re.compile(r"/(uploads|memes|users)(/|$)"), lambda route: route.abort("connectionrefused"))
        for _ in range(2):
            page.get_by_role("link", name="Add a meme").click()
            choose(page, PHOTO)
            write_both(page)
            save_later(page)
        server.sign_out(ada)
        page.unroute_all()
        flush(page)
        assert newest(app) is None
        sign_in(page, ada)
        expect(page.locator("li.row:not(.is-waiting)")).to_have_count(2)
        memes = server.call("GET", "/memes", token=server.admin_token)["items"]
        assert [meme["author"]["username"] for meme in memes] == [ada, ada], memes
        server.empty()
        app.forgive("ERR_CONNECTION_REFUSED")

        # Another user signs in on this device while she edits. Her draft waits for her.
        page = open_editor(app, PHOTO)
        write_both(page)
        is_drawn(page)
        sign_in(page, server.person("Bob")[0])
        expect(page.get_by_text("Choose a picture")).to_be_visible()
        sign_in(page, ada)
        expect(page.get_by_role("textbox", name="Top text")).to_have_value("one does not simply")
        is_drawn(page)
        finish(page)
        assert newest(app)["author"]["username"] == ada
        app.forgive("401")


@scenario("4.12 a draft that was begun without an account belongs to the user who signs in next")
def signed_in_later(app):
    page = make(app)
    (ada, token), (bob, _) = app.server.person(), app.server.person("Bob")
    app.server.json("PATCH", "/users/me/settings", {"visibility": "private"}, token)
    page.get_by_role("button", name="More").click()
    sign_in(page, ada)
    expect(page.get_by_role("radio", name="Only me")).to_be_checked()
    # It stays hers when her session ends.
    app.server.call("DELETE", "/sessions", token=token)
    write(page, "Top text", "two do not simply")
    expect(page.locator("notice-bar")).to_contain_text("Your session has ended.")
    share(page)
    expect(page.get_by_role("dialog")).to_contain_text("You’re signed out.")
    page.get_by_role("button", name="Save and send later").click()
    expect(page.locator("notice-bar")).to_contain_text("Sign in to send it.")
    sign_in(page, ada)
    expect(page.locator("li.row:not(.is-waiting)")).to_have_count(1)
    meme = newest(app)
    assert (meme["author"]["username"], meme["visibility"]) == (ada, "private"), meme
    for status in ["401", "422"]:
        app.forgive(status)

    # The same applies to a draft that was left.
    page = make(app, width=390)
    page.go_back()
    expect(page.locator("notice-bar")).to_contain_text("Draft kept")
    sign_in(page, ada)
    sign_in(page, bob)
    page.get_by_role("link", name="Add a meme").click()
    expect(page.get_by_text("Choose a picture")).to_be_visible()
    sign_in(page, ada)
    expect(page.get_by_role("textbox", name="Top text")).to_have_value("one does not simply")


@scenario("4.13 a picture whose upload has expired is uploaded again when the meme is shared")
def expired(app):
    page = open_editor(app)
    with page.expect_response(lambda answer: answer.request.method == "POST" and answer.url.endswith("/uploads")) as sent:
        choose(page, PHOTO)
    app.server.call("DELETE", f"/uploads/{sent.value.json()['id']}")
    write_both(page)
    share(page)
    page.get_by_role("button", name="Save without sharing").click()
    expect(heading(page)).to_have_text("Sent Memes")
    assert newest(app)["top"] == "one does not simply"
    app.forgive("422")


@scenario("4.8 the upload of a large picture resumes after a connection failure")
def pieces(app):
    page = open_editor(app)
    cuts = []

    def cut(route):
        if route.request.method != "PATCH" or len(cuts) >= 2:
            return route.fallback()
        cuts.append(route.request.headers["upload-offset"])
        # Half of the piece arrives.
        if len(cuts) == 1:
            body = route.request.post_data_buffer
            route.fetch(post_data=body[: len(body) // 2])
        return route.abort("connectionreset")

    page.route(re.compile(r"/uploads/"), cut)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Album", exact=True).click()
    chooser.value.set_files(given(noisy(5_000_000)))
    write_both(page)
    is_drawn(page)
    app.forgive("ERR_CONNECTION_RESET")
    assert cuts[0] == "0" and int(cuts[1]) > 2_000_000, cuts
    share(page)
    page.get_by_role("button", name="Save without sharing").click()
    expect(heading(page)).to_have_text("Sent Memes")


@scenario("4.9 sharing a private meme says who can open its link")
def audience(app):
    app.sign_in()
    page = open_editor(app, PHOTO)
    write_both(page)
    page.get_by_role("button", name="More").click()
    page.get_by_text("Only me", exact=True).click()
    share(page)
    expect(page.get_by_role("dialog")).to_contain_text("Only you can open its link.")


def noisy(size):
    """Returns an incompressible picture of at least `size` bytes."""
    import struct
    import zlib
    side = int((size / 3) ** 0.5) + 1

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\x00" + os.urandom(side * 3) for _ in range(side))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b""))
