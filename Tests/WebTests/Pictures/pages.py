"""Takes pictures of the pages, at five sizes, light and dark. Run by `script/screenshots`."""

from admin import report
from app import SIZES, expect, scenario
from backups import STATES
from editing import PHOTO, choose, is_drawn, open_editor, write_both
from machine import machine
from offline import is_away, is_ready
from outbox import fail, outcome, send
from people import SIZES as PEOPLE_SIZES, somebody

THEMES = ["light", "dark"]


def visit(app, path):
    app.page.goto(path)
    app.is_settled()
    expect(app.page.locator("#splash")).to_have_count(0)
    app.page.wait_for_function("() => [...document.images].filter((image) => image.checkVisibility()).every((image) => image.complete)")


def in_all_looks(app, take):
    """Calls `take` with a part of the file name, in each theme, at each size."""
    for theme in THEMES:
        app.page.emulate_media(color_scheme=theme)
        for width, height in SIZES:
            app.page.set_viewport_size({"width": width, "height": height})
            take(f"{width}x{height}-{theme}")


def of_pages(app, prefix, pages, whole=False):
    """Takes a picture of each page, in all looks. `pages` maps names to paths."""
    def take(look):
        for name, path in pages.items():
            visit(app, path)
            app.photograph(f"{prefix}-{name}-{look}", whole)

    in_all_looks(app, take)


@scenario("sent: table and grid")
def sent(app):
    name, token = app.sign_in()
    app.server.memes(3, token=token)
    of_pages(app, "sent", {"table": "/", "grid": "/app/grid"})


@scenario("meme: a meme with a comment")
def meme(app):
    name, token = app.sign_in()
    meme = app.server.meme("one does not simply", "walk into mordor", token=token)
    app.server.json("POST", f"/memes/{meme['id']}/comments", {"text": "But my axe!"}, token=token)
    app.server.call("PUT", f"/memes/{meme['id']}/like", token=token)

    def take(look):
        visit(app, f"/app/meme/{meme['id']}")
        app.photograph(f"meme-{look}")

    in_all_looks(app, take)


@scenario("editor: empty, with a meme, and its panels")
def editor(app):
    for theme in THEMES:
        for width, height in SIZES:
            look = f"{width}x{height}-{theme}"
            app.open_window(width, height, theme)
            page = open_editor(app)
            expect(page.get_by_role("button", name="Camera")).to_be_enabled()
            app.photograph(f"editor-empty-{look}")
            choose(page, PHOTO)
            write_both(page)
            is_drawn(page)
            app.photograph(f"editor-{look}")
            for tool in ["Style", "Crop", "More"]:
                page.get_by_role("button", name=tool, exact=True).click()
                app.photograph(f"editor-{tool.lower()}-{look}")


@scenario("share: the dialog")
def share(app):
    page = open_editor(app, PHOTO)
    write_both(page)
    is_drawn(page)
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.get_by_role("button", name="Facebook")).to_be_focused()
    in_all_looks(app, lambda look: app.photograph(f"share-{look}"))


@scenario("people: guests, profiles, settings")
def people(app):
    name, token, other = somebody(app)
    shown = {
        "you": "/app/you", "profile": f"/app/user/{other}", "feed": "/app/feed", "notifications": "/app/notifications",
        "settings": "/app/settings", "captions": "/app/settings/captions", "friends": "/app/friends",
    }
    for size, theme in [*((size, "light") for size in PEOPLE_SIZES), ("390", "dark"), ("1440", "dark")]:
        app.open_window(*PEOPLE_SIZES[size], theme=theme)
        for guest in ["welcome", "sign-in", "register"]:
            visit(app, f"/app/{guest}")
            app.photograph(f"people-{guest}-{size}-{theme}")
        app.sign_in(who=(name, token))
        for title, path in shown.items():
            visit(app, path)
            app.photograph(f"people-{title}-{size}-{theme}")


@scenario("offline: lists and a meme without the server")
def offline(app):
    with machine(app) as server:
        memes = server.memes(4, altText="a cat")
        app.open_window(service_workers="allow", hurried=True)
        app.page.goto("/")
        is_ready(app, 4)
        server.end()
        of_pages(app, "offline", {"table": "/", "grid": "/app/grid", "meme": f"/app/meme/{memes[1]['id']}", "about": "/app/about"})
        is_away(app)


@scenario("outbox: waiting and failed memes")
def outbox(app):
    with machine(app) as server:
        server.memes(3)
        page = app.open_window(service_workers="allow", hurried=True)
        page.goto("/")
        is_ready(app, 3)
        server.end()
        send(page, "one does not simply")
        failed = outcome(page).split()[1]
        fail(page, failed)
        send(page, "what waits")
        waiting = outcome(page).split()[1]
        of_pages(app, "outbox", {"table": "/", "grid": "/app/grid", "waiting": f"/app/waiting/{waiting}", "failed": f"/app/waiting/{failed}"})
        is_away(app)


@scenario("admin: overview, reports, memes, log")
def admin(app):
    with machine(app) as server:
        grace, token = server.admin()
        eve, eves = server.person("Eve")
        memes = server.memes(12, token=eves)
        bob, bobs = server.person("Bob")
        for each in [None, bobs]:
            report(server, "memes", memes[0]["id"], "It is an advertisement for watches, and I have seen it four times today.", each)
        report(server, "users", eve, "Sells watches.", bobs)
        server.json("PUT", f"/admin/users/{eve}/suspension", {"reason": "sells watches"}, token=token)
        server.call("DELETE", f"/admin/users/{eve}/suspension", token=token)
        app.sign_in(who=(grace, token))
        of_pages(app, "admin", {"overview": "/app/admin", "reports": "/app/admin/reports", "log": "/app/admin/log"}, whole=True)
        page = app.page

        def take(look):
            visit(app, "/app/admin/memes")
            page.get_by_label("One person").check()
            page.get_by_role("textbox", name="Username").fill(eve)
            page.keyboard.press("Enter")
            expect(page.locator(".found img")).to_have_count(12)
            app.photograph(f"admin-memes-{look}", whole=True)

        in_all_looks(app, take)


@scenario("backups: in every state")
def backups(app):
    with machine(app) as server:
        grace, token = server.admin()
        app.sign_in(who=(grace, token))
        for name, answer in STATES.items():
            app.page.unroute_all()
            app.page.route(f"{app.address}/admin/backups", lambda route, _, answer=answer: route.fulfill(json=answer()))
            of_pages(app, "backups", {name: "/app/admin/backups"}, whole=True)
