"""5. People: connections, which send events to other programs."""

import base64
import contextlib
import hmac
import http.server
import json
import queue
import re
import threading

from app import PATIENCE, eventually, expect, is_whole, scenario
from accounts import heading
from machine import machine

SETTINGS = {"MEMEME_CONNECTIONS": "members", "MEMEME_CONNECTIONS_ALLOW": "127.0.0.0/8"}


class Receiver(http.server.ThreadingHTTPServer):
    """A program that gets events, and keeps them for the scenario."""

    daemon_threads = True

    def __init__(self):
        self.got = queue.Queue()
        # The status of its responses.
        self.status = 204
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/memes"

    def next(self):
        """Waits for the next event. Returns its header fields and its body."""
        return self.got.get(timeout=PATIENCE)


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.put((dict((name.lower(), value) for name, value in self.headers.items()), body))
        self.send_response(self.server.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def receiver():
    with Receiver() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def is_signed(headers, body, secret):
    """Returns whether one of the signatures is by this secret (Standard Webhooks 1.0.0)."""
    message = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    digest = hmac.digest(base64.b64decode(secret.removeprefix("whsec_")), message, "sha256")
    return f"v1,{base64.b64encode(digest).decode()}" in headers["webhook-signature"].split()


def main_of(page):
    return page.get_by_role("main").filter(visible=True)


def card(page, name):
    return main_of(page).get_by_role("listitem", name=name, exact=True)


def attempts(page):
    return main_of(page).get_by_role("list", name="Deliveries").get_by_role("listitem")


def fill_in(page, name, url):
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("URL", exact=True).fill(url)


def add(page):
    page.get_by_role("button", name="Add connection").click()


def more(page, name, action):
    page.get_by_role("button", name=f"More: {name}").click()
    page.get_by_role("dialog").get_by_role("button", name=action).click()


def confirm(page, action):
    page.get_by_role("dialog").get_by_role("button", name=action).click()


def is_told(page, text):
    expect(page.get_by_role("status")).to_have_text(text)


@scenario("5.83 a person adds a connection, whose events are signed, pauses it, changes its secret and deletes it")
def webhook(app):
    with receiver() as program, machine(app, **SETTINGS) as server:
        name, token = app.sign_in()
        page = app.page
        page.goto("/app/settings")
        page.get_by_role("link", name="Connections").click()
        heading(page, "Connections")
        expect(page.get_by_text("No connections.")).to_be_visible()
        expect(page.get_by_role("radio", name="All public memes")).to_have_count(0)
        expect(page.get_by_role("checkbox", name="Reports")).to_be_hidden()
        fill_in(page, " ", program.url)
        page.get_by_role("checkbox", name="New memes").uncheck()
        add(page)
        expect(page.get_by_label("Name", exact=True)).to_be_focused()
        expect(page.get_by_label("Name", exact=True)).to_have_accessible_description(re.compile("Required"))
        expect(page.get_by_role("checkbox", name="New memes")).to_have_accessible_description("Choose at least one.")
        page.get_by_role("checkbox", name="New memes").check()
        fill_in(page, "weekly cat", "http://10.0.0.1/memes")
        add(page)
        expect(page.get_by_label("URL", exact=True)).to_be_focused()
        expect(page.get_by_label("URL", exact=True)).to_have_accessible_description(re.compile("private"))
        app.check_access("a connection that is refused")
        fill_in(page, "weekly cat", program.url)
        page.get_by_role("checkbox", name="Comments").check()
        add(page)
        field = page.get_by_label("Secret", exact=True)
        expect(field).to_be_focused()
        secret = field.input_value()
        assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{32,}={0,2}", secret), secret
        mine = card(page, "weekly cat")
        expect(mine).to_contain_text("Running")
        expect(mine).to_contain_text("JSON webhook: New memes, Comments")
        expect(page.get_by_label("Name", exact=True)).to_have_value("")
        app.check_access("the secret of a connection")
        app.photograph("settings-connections", whole=True)

        meme = server.meme("one does not simply", "walk into mordor", token=token)
        headers, body = program.next()
        event = json.loads(body)
        assert (event["type"], event["data"]["memeId"]) == ("meme.created", meme["id"]), event
        assert event["data"]["meme"]["top"] == "one does not simply", event
        assert is_signed(headers, body, secret), headers

        page.get_by_role("link", name="Deliveries: weekly cat").click()
        heading(page, "Deliveries")
        expect(attempts(page)).to_have_count(1)
        expect(attempts(page)).to_contain_text("New meme")
        expect(attempts(page)).to_contain_text("Delivered, status 204")
        app.check_access("deliveries")
        page.get_by_role("button", name=re.compile("^Deliver again: New meme")).click()
        is_told(page, "It will be delivered again.")
        again, body = program.next()
        assert again["webhook-id"] == headers["webhook-id"], (again, headers)
        assert is_signed(again, body, secret), again
        # The page asks for new attempts by itself.
        expect(attempts(page)).to_have_count(2)
        app.photograph("settings-deliveries")
        page.get_by_role("link", name="Connections").click()
        heading(page, "Connections")
        expect(mine).to_contain_text(re.compile("[12] delivered · 0 failed · 0 waiting"))
        expect(mine).to_contain_text("Last delivery")

        page.get_by_role("button", name="Pause: weekly cat").click()
        is_told(page, "Paused. Events are kept for 7 days.")
        expect(page.get_by_role("button", name="Resume: weekly cat")).to_be_focused()
        server.meme("much", "wow", token=token)
        path = "/connections/" + server.call("GET", "/connections", token=token)["items"][0]["id"]
        eventually("the event waits", lambda: server.call("GET", path, token=token)["lag"] == 1)
        page.reload()
        expect(mine).to_contain_text("Paused")
        expect(mine).to_contain_text("1 waiting")
        expect(field).to_have_count(0)
        assert program.got.empty()
        page.get_by_role("button", name="Resume: weekly cat").click()
        is_told(page, "Resumed.")
        headers, body = program.next()
        assert json.loads(body)["data"]["meme"]["top"] == "much", body
        expect(mine).to_contain_text("0 waiting")

        more(page, "weekly cat", "Change secret")
        confirm(page, "Change secret")
        expect(field).to_be_focused()
        changed = field.input_value()
        assert changed != secret
        server.meme("such", "secret", token=token)
        headers, body = program.next()
        assert is_signed(headers, body, changed), headers
        assert is_signed(headers, body, secret), headers

        more(page, "weekly cat", "Send all memes again")
        confirm(page, "Send all")
        sent = [json.loads(program.next()[1]) for _ in range(3)]
        assert [each["data"]["meme"]["top"] for each in sent] == ["one does not simply", "much", "such"], sent
        assert all(each["data"]["reloaded"] for each in sent), sent

        more(page, "weekly cat", "Delete")
        confirm(page, "Delete")
        expect(page.get_by_text("No connections.")).to_be_visible()
        expect(page.locator("h1:visible")).to_be_focused()
        assert server.call("GET", "/connections", token=token)["items"] == []
        log = "\n".join(server.lines())
        assert secret not in log and changed not in log
    app.forgive("422")


@scenario("5.84 a connection whose receiver fails is restarted, and one whose receiver is gone stops")
def failures(app):
    with receiver() as program, machine(app, **SETTINGS) as server:
        _, token = app.sign_in()
        page = app.page
        page.goto("/app/settings/connections")
        fill_in(page, "a name that is longer than a narrow window, because people write such names", program.url)
        add(page)
        expect(page.get_by_label("Secret", exact=True)).to_be_focused()
        mine = main_of(page).get_by_role("listitem", name=re.compile("^a name"))
        program.status = 503
        server.meme("is anyone", "there", token=token)
        program.next()
        page.reload()
        expect(mine).to_contain_text("Failing")
        expect(mine).to_contain_text("Last error")
        expect(mine).not_to_contain_text(re.compile(r"\dT\d"))
        for width, theme in [(320, "light"), (320, "dark"), (1440, "light")]:
            page.emulate_media(color_scheme=theme)
            page.set_viewport_size({"width": width, "height": 844})
            is_whole(page, f"a failing connection at {width}")
            app.check_access(f"a failing connection at {width}, {theme}")
            app.photograph(f"settings-connections-failing-{width}-{theme}", whole=True)
        page.get_by_role("link", name=re.compile("^Deliveries: ")).click()
        heading(page, "Deliveries")
        expect(attempts(page).first).to_contain_text("Failed, status 503")
        page.set_viewport_size({"width": 320, "height": 844})
        is_whole(page, "deliveries")
        app.check_access("failed deliveries")
        page.get_by_role("link", name="Connections").click()
        heading(page, "Connections")

        program.status = 410
        page.get_by_role("button", name=re.compile("^Restart: ")).click()
        is_told(page, "Restarted. The next attempt is made now.")
        program.next()
        expect(mine).to_contain_text("Stopped")
        expect(page.get_by_role("button", name=re.compile("^Pause: "))).to_have_count(0)
        app.check_access("a stopped connection")
        page.get_by_role("link", name=re.compile("^Deliveries: ")).click()
        heading(page, "Deliveries")
        page.get_by_role("button", name=re.compile("^Deliver again: ")).first.click()
        is_told(page, "This connection is stopped. Restart it first.")
        page.get_by_role("link", name="Connections").click()
        program.status = 204
        page.get_by_role("button", name=re.compile("^Restart: ")).click()
        expect(mine).to_contain_text("Running")
    app.forgive("409")


@scenario("5.85 a connection to Slack gets a message with text when a meme is made")
def slack(app):
    with receiver() as channel, machine(app, **SETTINGS) as server:
        _, token = app.sign_in()
        page = app.page
        page.goto("/app/settings/connections")
        fill_in(page, "team channel", channel.url)
        page.get_by_role("radio", name="Slack").check()
        expect(page.get_by_label("URL", exact=True)).to_have_accessible_description(re.compile("incoming webhook"))
        # Without its events, the connection does not stay.
        page.route("**/mappings", lambda route: route.fulfill(status=503))
        add(page)
        expect(page.get_by_role("alert").filter(has_text="Something went wrong")).to_be_visible()
        expect(page.get_by_label("Name", exact=True)).to_have_value("team channel")
        assert server.call("GET", "/connections", token=token)["items"] == []
        page.unroute("**/mappings")
        add(page)
        is_told(page, "Connection added.")
        mine = card(page, "team channel")
        expect(mine).to_be_focused()
        expect(mine).to_contain_text("Slack: New memes")
        # The URL of a channel is a secret.
        expect(mine).not_to_contain_text("/memes")
        expect(page.get_by_label("Secret", exact=True)).to_have_count(0)
        server.meme("one does not simply", "walk into mordor", token=token)
        message = json.loads(channel.next()[1])
        assert "one does not simply" in message["text"], message
        page.get_by_role("button", name="More: team channel").click()
        expect(page.get_by_role("dialog").get_by_role("button", name="Change secret")).to_have_count(0)
        app.check_access("the menu of a connection")
    app.forgive("503")


@scenario("5.86 an admin gets the events of all public memes, and a member learns that only admins can have connections")
def scopes(app):
    with receiver() as program, machine(app, **SETTINGS | {"MEMEME_CONNECTIONS": "admins"}) as server:
        app.sign_in(who=server.admin())
        page = app.page
        page.goto("/app/settings/connections")
        fill_in(page, "moderation", program.url)
        page.get_by_role("radio", name="All public memes").check()
        page.get_by_role("checkbox", name="Reports").check()
        add(page)
        expect(page.get_by_label("Secret", exact=True)).to_be_focused()
        expect(card(page, "moderation")).to_contain_text("JSON webhook: New memes, Reports")
        expect(card(page, "moderation")).to_contain_text("All public memes")
        _, token = server.person()
        meme = server.meme("much", "wow", token=token)
        event = json.loads(program.next()[1])
        assert event["data"]["memeId"] == meme["id"], event

        page = app.open_window()
        app.sign_in(who=server.person())
        page = app.page
        page.goto("/app/settings/connections")
        expect(main_of(page)).to_contain_text("On this server, only admins can have connections.")
        expect(page.get_by_role("button", name="Add connection")).to_have_count(0)
        app.check_access("no connections")
    app.forgive("403")


def events_of(page, index):
    """The form of a mapping."""
    return main_of(page).get_by_role("list").get_by_role("listitem").nth(index)


@scenario("5.88 a person edits a connection, adds, filters and deletes events, and copies them to another one")
def editing(app):
    with receiver() as program, machine(app, **SETTINGS) as server:
        _, token = app.sign_in()
        connection = server.json("POST", "/connections", {"name": "weekly cat", "url": "http://127.0.0.1:1/memes"}, token=token)
        other = server.json("POST", "/connections", {"name": "daily dog", "url": program.url}, token=token)
        path = "/connections/" + connection["id"]
        now = lambda: server.call("GET", path, token=token)
        page = app.page
        page.goto("/app/settings/connections")
        expect(card(page, "weekly cat")).to_contain_text("It sends nothing. Choose events under “Edit”.")
        page.get_by_role("link", name="Edit: weekly cat").click()
        heading(page, "Edit connection")
        view = main_of(page)
        expect(view.get_by_text("It sends nothing.", exact=True)).to_be_visible()
        expect(view.get_by_label("Name", exact=True)).to_have_value("weekly cat")
        save = view.get_by_role("button", name="Save").first
        fill_in(view, "weekly cat", "http://10.0.0.1/memes")
        save.click()
        expect(view.get_by_label("URL", exact=True)).to_have_accessible_description(re.compile("private"))
        fill_in(view, "monthly cat", program.url)
        save.click()
        is_told(page, "Saved.")
        assert (now()["name"], now()["url"]) == ("monthly cat", program.url), now()

        view.get_by_role("button", name="Add events").click()
        expect(events_of(page, 0)).to_be_focused()
        expect(view.get_by_label("Author")).to_be_hidden()
        expect(view.get_by_role("checkbox", name="Reports")).to_be_hidden()
        view.get_by_role("radio", name="Public").check()
        view.get_by_role("checkbox", name="Deleted memes").check()
        view.get_by_role("button", name="Add", exact=True).click()
        is_told(page, "Saved.")
        expect(events_of(page, 0)).to_be_focused()
        expect(events_of(page, 0)).to_have_accessible_name("JSON webhook: New memes, Deleted memes (public memes only)")
        [mapping] = now()["mappings"]
        assert mapping["events"] == ["meme.created", "meme.deleted"], mapping
        assert mapping["filter"] == {"author": None, "visibility": "public", "tag": None}, mapping
        server.meme("not", "for you", token=token, visibility="private")
        meme = server.meme("much", "wow", token=token)
        event = json.loads(program.next()[1])
        assert event["data"]["memeId"] == meme["id"], event

        # A program has chosen parts of memes. They stay if the page changes the events.
        server.json("PUT", "/mappings/" + mapping["id"], {"events": ["meme.created"], "fields": ["top"]}, token=token)
        page.reload()
        expect(events_of(page, 0)).to_contain_text("Your program set which parts of a meme are sent.")
        view.get_by_role("checkbox", name="New memes").uncheck()
        events_of(page, 0).get_by_role("button", name="Save").click()
        expect(view.get_by_role("checkbox", name="New memes")).to_have_accessible_description("Choose at least one.")
        view.get_by_role("checkbox", name="Comments").check()
        events_of(page, 0).get_by_role("button", name="Save").click()
        is_told(page, "Saved.")
        [mapping] = now()["mappings"]
        assert (mapping["events"], mapping["fields"]) == (["comment.created"], ["top"]), mapping

        view.get_by_role("button", name="Add events").click()
        view.get_by_role("button", name="Cancel").click()
        expect(view.get_by_role("button", name="Add events")).to_be_focused()
        view.get_by_role("button", name="Add events").click()
        events_of(page, 1).get_by_role("radio", name="Slack").check()
        view.get_by_role("button", name="Add", exact=True).click()
        expect(events_of(page, 1)).to_have_accessible_name("Slack: New memes")
        for width, theme in [(320, "light"), (390, "light"), (390, "dark"), (1440, "light")]:
            page.emulate_media(color_scheme=theme)
            page.set_viewport_size({"width": width, "height": 844})
            is_whole(page, f"a connection at {width}")
            app.check_access(f"a connection at {width}, {theme}")
            app.photograph(f"settings-connection-{width}-{theme}", whole=True)

        with page.expect_download() as download:
            view.get_by_role("button", name="Export").click()
        file = download.value.path()
        assert "secret" not in file.read_text()
        page.goto(f"/app/settings/connections/{other['id']}")
        expect(view.get_by_text("It sends nothing.", exact=True)).to_be_visible()
        choose = view.get_by_label("Import a file")
        choose.set_input_files({"name": "cat.json", "mimeType": "application/json", "buffer": b"no json"})
        is_told(page, "This file is not an export of a connection.")
        choose.set_input_files({"name": "cat.json", "mimeType": "application/json", "buffer": b'{"version": 1, "mappings": [{"events": []}]}'})
        expect(page.get_by_role("status")).not_to_have_text("This file is not an export of a connection.")
        choose.set_input_files(file)
        is_told(page, "Imported.")
        expect(events_of(page, 1)).to_have_accessible_name("Slack: New memes")
        view.get_by_role("button", name="Delete: Slack: New memes").click()
        confirm(page, "Delete")
        is_told(page, "Deleted.")
        expect(view.get_by_role("button", name="Delete: Slack: New memes")).to_have_count(0)
        kept = server.call("GET", "/connections/" + other["id"], token=token)["mappings"]
        assert [(each["events"], each["fields"]) for each in kept] == [(["comment.created"], ["top"])], kept
    app.forgive("422")
