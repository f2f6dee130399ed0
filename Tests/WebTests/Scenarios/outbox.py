"""6. Without the server: memes made offline are sent later, once."""

import re

from app import PICTURES, eventually, expect, is_whole, looks, scenario
from front import Front
from machine import machine
from offline import is_away, is_ready

# Options of the windows that these scenarios open.
WINDOW = {"service_workers": "allow", "hurried": True}

# Sends a meme as the editor does when a person shares it.
SEND = """async ([top, bytes, more]) => {
  const at = document.querySelector('script[type=module]').src.replace('app/main.js', 'offline/outbox.js');
  const { outbox } = await import(at);
  const picture = new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' });
  window.stop = new AbortController();
  window.parts = [];
  window.sent = outbox.send({
    fields: { top, bottom: 'and waits', ...more }, picture, progress: (part) => window.parts.push(part), signal: window.stop.signal,
  }).then(({ meme, waits }) => (meme ? `sent ${meme.id}` : `waits ${waits.key}`), (error) => `${error.name} ${error.code ?? ''}`);
}"""


def send(page, top="made here", picture=None, **more):
    """Starts sending a meme."""
    data = (PICTURES / "photo.jpg").read_bytes() if picture is None else picture
    page.evaluate(SEND, [top, list(data), more])


def outcome(page):
    return page.evaluate("() => window.sent")


def fail(page, key):
    """Marks a waiting meme as failed."""
    page.evaluate("""async (key) => {
      const at = document.querySelector('script[type=module]').src.replace('app/main.js', 'offline/queue.js');
      const { queue } = await import(at);
      await queue.update(key, { state: 'failed', problem: { code: 'storage-full', status: 507, sentence: 'The server’s disk is full.' } });
    }""", key)


def titles(server, token=None):
    return [item["top"] for item in server.call("GET", "/memes?view=table&limit=100", token=token or server.admin_token)["items"]]


def is_sent(page):
    """Waits until no meme waits to be sent."""
    expect(page.locator("li.is-waiting")).to_have_count(0)


def row_of(page, text):
    return page.get_by_role("listitem").filter(has_text=text)


@scenario("6.20 a meme made without the server is first in both lists, outlives its tab, and is sent once when the server is back")
def later(app):
    with machine(app) as server:
        server.meme("there before")
        page = app.page
        page.goto("/")
        is_ready(app)
        server.end()
        send(page)
        assert outcome(page).startswith("waits")
        rows = page.get_by_role("listitem")
        expect(rows).to_have_count(2)
        expect(rows.nth(0)).to_contain_text("made here")
        expect(rows.nth(0)).to_contain_text("Waiting to be sent")
        assert rows.nth(0).locator("img").evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        page.get_by_role("link", name="Grid").click()
        expect(page.get_by_role("listitem").nth(0)).to_contain_text("Waiting to be sent")
        app.photograph("waiting-grid")
        # Closes the tab and opens two others.
        page.close()
        page = app.page = app.context.new_page()
        other = app.context.new_page()
        for each in [page, other]:
            each.goto("/")
            expect(row_of(each, "made here")).to_contain_text("Waiting to be sent")
        server.start()
        for each in [page, other]:
            is_sent(each)
            expect(each.get_by_role("listitem")).to_have_count(2)
        assert titles(server) == ["made here", "there before"]
        # The browser has the delete token, so the meme can be deleted here.
        row_of(page, "made here").get_by_role("button", name="Delete made here").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("listitem")).to_have_count(1)
        eventually("the server deletes the meme", lambda: titles(server) == ["there before"], page)
    is_away(app)


@scenario("6.21 a meme made without a network is sent when the network is back")
def offline_and_online(app):
    name, token = app.sign_in()
    page = app.page
    page.goto("/")
    is_ready(app, 0)
    app.context.set_offline(True)
    send(page)
    assert outcome(page).startswith("waits")
    expect(row_of(page, "made here")).to_contain_text("Waiting to be sent")
    app.context.set_offline(False)
    is_sent(page)
    mine = app.server.call("GET", "/memes?author=me", token=token)["items"]
    assert [meme["top"] for meme in mine] == ["made here"] and mine[0]["author"]["username"] == name
    is_away(app)


@scenario("6.22 sending reports its progress, and a lost response causes no duplicate")
def once(app):
    with machine(app, Front) as (server, front):
        page = app.page
        page.goto("/")
        app.is_settled()
        send(page, "sent at once")
        assert outcome(page).startswith("sent")
        parts = page.evaluate("() => window.parts")
        assert parts and parts == sorted(parts) and parts[-1] == 1, parts
        is_sent(page)
        front.loses.add("/memes")
        send(page, "told of too late")
        assert outcome(page).startswith("waits")
        assert titles(server).count("told of too late") == 1
        is_sent(page)
        expect(row_of(page, "told of too late")).to_have_count(1)
        assert titles(server) == ["told of too late", "sent at once"], titles(server)
        assert front.seen.count("POST /memes") == 3
    is_away(app)


@scenario("6.23 a waiting meme can be discarded by mouse and by keyboard, and Undo restores it")
def taken_back(app):
    name, token = app.sign_in()
    page = app.page
    page.goto("/")
    is_ready(app, 0)
    app.context.set_offline(True)
    for top in ["first", "second"]:
        send(page, top)
        assert outcome(page).startswith("waits")
    rows = page.get_by_role("listitem")
    expect(rows).to_have_count(2)
    page.get_by_role("button", name="Don’t send second").click()
    expect(rows).to_have_count(1)
    told = page.locator("notice-bar")
    expect(told.get_by_role("status")).to_have_text("It won’t be sent.")
    told.get_by_role("button", name="Undo").click()
    expect(rows).to_have_count(2)
    row_of(page, "first").get_by_role("link").focus()
    page.keyboard.press("Delete")
    expect(rows).to_have_count(1)
    app.context.set_offline(False)
    is_sent(page)
    assert [meme["top"] for meme in app.server.call("GET", "/memes?author=me", token=token)["items"]] == ["second"]
    is_away(app)


@scenario("6.24 a meme canceled during sending is deleted, even if the server has already saved it")
def taken_back_late(app):
    with machine(app, Front) as (server, front):
        page = app.page
        page.goto("/")
        app.is_settled()
        front.may_answer.clear()
        send(page, "better not")
        eventually("the server has the meme", lambda: titles(server) == ["better not"], page)
        page.evaluate("() => window.stop.abort()")
        front.may_answer.set()
        assert outcome(page).startswith("AbortError"), outcome(page)
        eventually("the server deletes the meme", lambda: titles(server) == [], page)
        expect(page.get_by_role("listitem")).to_have_count(0)


@scenario("6.25 a rejected meme fails immediately; one that waited stays for an edit, a retry or its removal")
def refused(app):
    with machine(app) as server:
        page = app.page
        page.goto("/")
        is_ready(app, 0)
        send(page, "no picture", picture=b"this is no picture")
        assert outcome(page) == "Problem unsupported-picture", outcome(page)
        expect(page.get_by_role("listitem")).to_have_count(0)
        server.end()
        send(page, "no picture", picture=b"this is no picture")
        assert outcome(page).startswith("waits")
        server.start()
        row = row_of(page, "no picture")
        expect(row).to_contain_text("Couldn’t be sent")
        expect(page.get_by_role("status").filter(has_text="couldn’t be sent")).to_be_visible()
        app.photograph("refused")
        page.reload()
        expect(row).to_contain_text("Couldn’t be sent")
        row.get_by_role("link").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("no picture – and waits")
        expect(page.get_by_role("main").filter(visible=True)).to_contain_text("This picture format isn’t supported. It stays on this device")
        expect(page.get_by_role("link", name="Edit")).to_have_attribute("href", re.compile(r"/app/editor\?waiting=[0-9a-f-]{36}$"))
        app.check_access("refused")
        page.get_by_role("button", name="Try again").click()
        expect(page.locator(".waiting-state")).to_have_text("Couldn’t be sent")
        page.get_by_role("button", name="Discard").click()
        expect(page.get_by_role("heading", name="Sent Memes")).to_be_visible()
        expect(page.get_by_role("listitem")).to_have_count(0)
        page.reload()
        app.is_settled()
        expect(page.get_by_role("listitem")).to_have_count(0)
    is_away(app)
    app.forgive("415")


@scenario("6.26 signing out discards waiting memes after a confirmation; the end of a session only hides them")
def sign_out(app):
    with machine(app, Front) as (server, front):
        ada, token = app.sign_in("Ada Lovelace")
        page = app.page
        page.goto("/app/you")
        front.loses = Forever("/memes")
        send(page, "of ada")
        assert outcome(page).startswith("waits")
        server.empty()
        page.get_by_role("button", name="Sign out").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("Discard 1 meme?")
        app.check_access("sign out")
        dialog.get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("button", name="Sign out")).to_be_visible()
        # The session ends elsewhere. The waiting meme is hidden until she signs in again.
        server.sign_out(ada)
        page.goto("/app/notifications")
        expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
        page.goto("/")
        app.is_settled()
        expect(row_of(page, "of ada")).to_have_count(0)
        app.sign_in(who=(ada, token))
        page.goto("/")
        expect(row_of(page, "of ada")).to_have_count(1)
        page.goto("/app/you")
        page.get_by_role("button", name="Sign out").click()
        dialog.get_by_role("button", name="Sign out").click()
        expect(page.get_by_role("status").filter(has_text="You’re signed out.")).to_be_visible()
        front.loses = set()
        app.sign_in(who=(ada, token))
        page.goto("/")
        app.is_settled()
        expect(row_of(page, "of ada")).to_have_count(0)
    is_away(app)
    app.forgive("401")
    # A meme that the server has deleted may be sent again before she signs out.
    app.forgive("410")


@scenario("6.34 a meme that waits outlives a change of the username, also one that an earlier version stored")
def renamed(app):
    with machine(app, Front) as (server, front):
        ada, token = app.sign_in("Ada Lovelace")
        page = app.page
        page.goto("/")
        front.loses = Forever("/memes")
        send(page, "of ada")
        key = outcome(page).removeprefix("waits ")
        page.evaluate("""async ([key, person]) => {
          const at = document.querySelector('script[type=module]').src.replace('app/main.js', 'offline/queue.js');
          const { queue } = await import(at);
          await queue.update(key, { person });
          const { id, ...others } = JSON.parse(localStorage.getItem('mememe.person'));
          localStorage.setItem('mememe.person', JSON.stringify(others));
        }""", [key, ada])
        page.reload()
        waiting = page.locator("li.is-waiting").filter(has_text="of ada")
        expect(waiting).to_have_count(1)
        page.goto("/app/settings/username")
        page.get_by_label("New username").fill(f"{ada}_2")
        page.get_by_role("button", name="Change username").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
        page.goto("/")
        expect(waiting).to_have_count(1)
        front.loses = set()
        page.reload()
        expect(row_of(page, "of ada").and_(page.locator("li:not(.is-waiting)"))).to_have_count(1)
        is_sent(page)
        assert titles(server, token) == ["of ada"], titles(server, token)
    is_away(app)


class Forever(set):
    """The responses for this path are always lost."""

    def __init__(self, path):
        super().__init__([path])

    def discard(self, path):
        pass


@scenario("6.27 a meme made without an account stays anonymous, even if a user signs in before it is sent")
def anonymous(app):
    with machine(app, Front) as (server, front):
        page = app.page
        page.goto("/")
        is_ready(app, 0)
        server.end()
        send(page, "of nobody")
        assert outcome(page).startswith("waits")
        server.start()
        front.loses = Forever("/memes")
        ada, token = app.sign_in("Ada Lovelace")
        expect(page.get_by_text("of nobody")).to_have_count(0)
        front.loses = set()
        page.reload()
        eventually("the meme is sent", lambda: titles(server) == ["of nobody"], page)
        [meme] = server.call("GET", "/memes")["items"]
        assert meme["top"] == "of nobody" and meme["author"] is None, meme
        assert server.call("GET", "/memes?author=me", token=token)["items"] == []
    is_away(app)


@scenario("6.28 if the browser supports background sync, the service worker sends memes without an open page")
def in_the_background(app):
    with machine(app) as server:
        page = app.page
        session = app.context.new_cdp_session(page)
        registrations = []
        session.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
        session.send("ServiceWorker.enable")
        page.goto("/")
        is_ready(app, 0)
        server.end()
        send(page, "sent by nobody")
        assert outcome(page).startswith("waits")
        # A page of the server outside the app: from here on only the service worker can send.
        server.start()
        page.goto("/docs")
        session.send("ServiceWorker.dispatchSyncEvent", {
            "origin": server.url, "registrationId": registrations[0]["registrationId"], "tag": "outbox", "lastChance": False})
        eventually("the service worker sends the meme", lambda: titles(server), page)
        assert titles(server) == ["sent by nobody"], titles(server)
        page.goto("/")
        expect(row_of(page, "sent by nobody").get_by_role("button", name=re.compile("^Delete"))).to_have_count(1)
    is_away(app)


@scenario("6.29 waiting and failed memes are accessible in light and dark themes at all window sizes")
def access(app):
    with machine(app) as server:
        server.memes(3)
        page = app.page
        page.goto("/")
        is_ready(app, 3)
        server.end()
        send(page, "one does not simply")
        assert outcome(page).startswith("waits")
        failed = outcome(page).split()[1]
        fail(page, failed)
        send(page, "what waits")
        waiting = outcome(page).split()[1]
        for name, path in [("table", "/"), ("grid", "/app/grid"), ("waiting", f"/app/waiting/{waiting}"), ("failed", f"/app/waiting/{failed}")]:
            for look, is_new in looks(app):
                if is_new:
                    page.goto(path)
                expect(page.locator("main:visible img").first).to_have_js_property("complete", True)
                if is_new:
                    app.check_access(f"{name} {look}")
                is_whole(page, f"{name} {look}")
    is_away(app)


@scenario("6.38 a meme that is made after the browser closed the databases outlives its tab")
def closed_database(app):
    with machine(app) as server:
        page = app.page
        page.goto("/")
        app.is_settled()
        # Deleting the data of the site closes its databases, like a lack of memory on some systems.
        session = page.context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", {"origin": app.address, "storageTypes": "indexeddb"})
        page.route(re.compile(r"/memes$"), lambda route: route.abort())
        send(page)
        assert outcome(page).startswith("waits")
        page.reload()
        expect(row_of(page, "made here")).to_contain_text("Waiting to be sent")
        page.unroute(re.compile(r"/memes$"))
        is_sent(page)
        assert titles(server) == ["made here"]
        # The token of the meme is on this device too.
        page.reload()
        expect(page.get_by_role("button", name="Delete made here")).to_have_count(1)
    is_away(app)


@scenario("6.39 a waiting meme is sent although the clock of the device was set back by days since its last attempt")
def clock_set_back(app):
    with machine(app) as server:
        page = app.page
        page.goto("/")
        is_ready(app, 0)
        server.end()
        send(page)
        assert outcome(page).startswith("waits")
        page.evaluate("""async (key) => {
          const at = document.querySelector('script[type=module]').src.replace('app/main.js', 'offline/queue.js');
          const { queue } = await import(at);
          await queue.update(key, { notBefore: Date.now() + 40 * 86400000 });
        }""", outcome(page).split()[1])
        server.start()
        page.reload()
        is_sent(page)
        assert titles(server) == ["made here"]
    is_away(app)
