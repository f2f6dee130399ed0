"""5. People, on a server without anonymous access and with rate limits."""

import re
import uuid

from app import PASSWORD, expect, scenario
from machine import machine


# Settings of the server for these scenarios.
SETTINGS = {"MEMEME_ANONYMOUS": "false", "MEMEME_RATE_LIMITS": "on"}


def heading(page, text):
    expect(page.locator("h1:visible")).to_have_text(text)


def sign_in(page, name, password=PASSWORD):
    page.get_by_label("Username or email").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


@scenario("5.50 without a session, every address shows the welcome page and loads no memes; the page opens after sign-in")
def begins(app):
    name, token = app.server.person("Ada Lovelace")
    meme = app.server.meme("for", "members", token=token)
    page = app.page
    asked = []
    page.on("request", lambda request: re.search(r"/memes(/|\?|$)", request.url) and asked.append(request.url))
    for path in ["/", "/app/grid", "/app/editor", "/app/you", "/app/people", f"/app/user/{name}"]:
        page.goto(path)
        heading(page, "MemeMe")
        expect(page.get_by_role("link", name="Browse without an account")).to_have_count(0)
    page.goto(f"/app/meme/{meme['id']}")
    heading(page, "MemeMe")
    assert asked == [], asked
    app.check_access("welcome")
    app.photograph("people-closed")
    page.get_by_role("link", name="Sign in").click()
    heading(page, "Sign in")
    sign_in(page, name)
    heading(page, "for – members")
    page.goto("/")
    expect(page.get_by_role("listitem")).to_contain_text("for")
    page.reload()
    heading(page, "Sent Memes")


@scenario("5.51 a new user registers and gets into the app")
def register(app):
    name = "c" + uuid.uuid4().hex[:12]
    page = app.page
    page.goto("/")
    page.get_by_role("link", name="Create an account").click()
    page.get_by_label("Username", exact=True).fill(name)
    page.get_by_label("Email", exact=True).fill(f"{name}@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    heading(page, "Sent Memes")
    expect(page.get_by_role("heading", name="No memes yet")).to_be_visible()


@scenario("5.52 after a sign-out, here or elsewhere, the welcome page is shown and the page contains no memes")
def out(app):
    name, token = app.sign_in()
    app.server.meme("secret", token=token)
    page = app.page
    page.goto("/")
    expect(page.get_by_role("listitem")).to_contain_text("secret")
    page.get_by_role("link", name="You").click()
    page.get_by_role("button", name="Sign out").click()
    heading(page, "MemeMe")
    page.go_back()
    heading(page, "MemeMe")
    expect(page.get_by_text("secret")).to_have_count(0)
    page.get_by_role("link", name="Sign in").click()
    sign_in(page, name)
    heading(page, "Sent Memes")
    expect(page.get_by_role("listitem")).to_contain_text("secret")
    app.server.call("DELETE", "/sessions", token=token)
    heading(page, "MemeMe")
    expect(page.get_by_role("status")).to_have_text("Your session has ended.")
    expect(page.get_by_text("secret")).to_have_count(0)
    page.get_by_role("main").get_by_role("link", name="Sign in").press("Enter")
    page.get_by_label("Username or email").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    heading(page, "Sent Memes")
    expect(page.get_by_role("status")).to_have_text("", timeout=5000)
    app.forgive("401")


@scenario("5.53 accessibility settings work before sign-in")
def readable(app):
    page = app.page
    page.goto("/")
    page.get_by_role("link", name="Accessibility").click()
    heading(page, "Settings")
    page.get_by_role("switch", name="High contrast").check()
    page.go_back()
    heading(page, "MemeMe")
    assert page.evaluate("() => document.documentElement.dataset.contrast") == "more"
    app.check_access("welcome with contrast")


@scenario("5.54 after too many sign-in attempts, the form says how long to wait")
def too_often(app):
    # A separate server, so that its limits do not affect the other scenarios.
    with machine(app, **SETTINGS):
        name, _ = app.server.person()
        page = app.page
        page.goto("/app/sign-in")
        told = re.compile("Wrong username or password.|Too many attempts")
        for number in range(11):
            sign_in(page, name, f"wrong password {number}")
            expect(page.locator("form")).to_contain_text(told)
            expect(page.get_by_role("button", name="Sign in", exact=True)).to_have_attribute("aria-busy", "false")
        expect(page.get_by_role("alert").filter(has_text="Too many attempts.")).to_have_text(
            re.compile(r"^Too many attempts\. Try again in (\d+ minutes?|\d+ seconds?)\.$"))
        app.check_access("too many attempts")
    app.forgive("401")
    app.forgive("429")
