"""5. People, on servers that require an invitation or accept no new accounts."""

import re
import uuid

from app import PASSWORD, expect, scenario
from machine import machine


def heading(page, text):
    expect(page.locator("h1:visible")).to_have_text(text)


def fill_in(page, name):
    page.get_by_label("Username", exact=True).fill(name)
    page.get_by_label("Email", exact=True).fill(f"{name}@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)


def create_account(page):
    page.get_by_role("main").filter(visible=True).get_by_role("button", name="Create account", exact=True).click()


def new_name():
    return "i" + uuid.uuid4().hex[:12]


def member(server, role=None):
    """Creates an account with an invitation. Returns the username and a token."""
    invitation = server.json("POST", "/invitations", {"role": role}, token=server.admin_token)
    name = new_name()
    server.json("POST", "/users", {
        "username": name, "email": f"{name}@example.org", "password": PASSWORD, "invitation": invitation["code"]})
    return name, server.json("POST", "/sessions", {"username": name, "password": PASSWORD})["token"]


@scenario("5.55 the link of an invitation opens the form with its code, and creates one account")
def join(app):
    with machine(app, MEMEME_REGISTRATION="invite") as server:
        invitation = server.json("POST", "/invitations", {}, token=server.admin_token)
        page = app.page
        page.goto("/app/you")
        page.get_by_role("link", name="Create an account").click()
        heading(page, "Create an account")
        code = page.get_by_label("Invitation code", exact=True)
        fill_in(page, new_name())
        create_account(page)
        expect(code).to_be_focused()
        expect(code).to_have_accessible_description(re.compile("Required"))
        code.fill("wrong")
        create_account(page)
        expect(code).to_be_focused()
        expect(code).to_have_accessible_description(re.compile("This invitation isn’t valid"))
        app.check_access("wrong invitation")

        page = app.open_window()
        server.note()
        page.goto("/app/join#" + invitation["code"])
        heading(page, "Create an account")
        expect(page.get_by_label("Invitation code", exact=True)).to_have_value(invitation["code"])
        app.photograph("people-join")
        fill_in(page, new_name())
        create_account(page)
        expect(page.get_by_role("status")).to_have_text("Welcome to MemeMe! Your account is ready.")
        assert server.call("GET", "/invitations", token=server.admin_token)["items"] == []
        assert any("/app/join" in line for line in server.noted())
        assert not any(invitation["code"] in line for line in server.lines())
    app.forgive("422")


@scenario("5.56 a member creates, sees and deletes an invitation, and the link is shown once")
def member_invites(app):
    with machine(app, MEMEME_REGISTRATION="invite", MEMEME_MEMBER_INVITES="2") as server:
        app.sign_in(who=member(server))
        page = app.page
        page.goto("/app/settings")
        page.get_by_role("link", name="Invitations").click()
        heading(page, "Invitations")
        expect(page.get_by_text("No open invitations.")).to_be_visible()
        expect(page.get_by_role("radio", name="Admin")).to_have_count(0)
        page.get_by_label("Email (optional)").fill("zoe@example.org")
        page.get_by_role("button", name="Create invitation").click()
        link = page.get_by_label("Invitation link")
        expect(link).to_be_focused()
        assert re.fullmatch(re.escape(server.url) + r"/app/join#[\w-]{22}", link.input_value()), link.input_value()
        rows = page.get_by_role("listitem").filter(has=page.get_by_role("button", name=re.compile("^Delete: ")))
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text("zoe@example.org")
        app.check_access("invitations")
        app.photograph("people-invitations")
        page.reload()
        expect(rows).to_have_count(1)
        expect(link).to_have_count(0)

        for _ in range(2):
            page.get_by_role("button", name="Create invitation").click()
            expect(page.get_by_role("button", name="Create invitation")).to_have_attribute("aria-busy", "false")
        expect(page.get_by_role("alert").filter(has_text="too many open invitations")).to_be_visible()
        expect(rows).to_have_count(2)
        page.get_by_role("button", name=re.compile("^Delete: zoe@example.org")).click()
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text("For one person")
    app.forgive("409")


@scenario("5.57 an admin invites several people and admins, and sees who invited")
def admin_invites(app):
    with machine(app, MEMEME_REGISTRATION="invite", MEMEME_MEMBER_INVITES="1") as server:
        name, token = member(server)
        server.json("POST", "/invitations", {}, token=token)
        app.sign_in(who=member(server, "admin"))
        page = app.page
        page.goto("/app/admin")
        page.get_by_role("navigation", name="Admin").get_by_role("link", name="Invite").click()
        heading(page, "Invitations")
        rows = page.get_by_role("listitem").filter(has=page.get_by_role("button", name=re.compile("^Delete: ")))
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text(f"by {name}")
        page.get_by_label("Accounts", exact=True).fill("1001")
        page.get_by_role("button", name="Create invitation").click()
        expect(page.get_by_label("Accounts", exact=True)).to_have_accessible_description(re.compile("1 to 1000"))
        page.get_by_label("Accounts", exact=True).fill("3")
        page.get_by_label("Days until it expires").fill("30")
        page.get_by_role("radio", name="Admin").check()
        page.get_by_role("button", name="Create invitation").click()
        expect(page.get_by_label("Invitation link")).to_be_focused()
        made = server.call("GET", "/invitations", token=server.admin_token)["items"][0]
        assert (made["role"], made["uses"]) == ("admin", 3), made
        expect(rows.first).to_contain_text("For 3 accounts")
        app.check_access("admin invitations")
        app.photograph("admin-invitations")
        page.get_by_role("navigation", name="Admin").get_by_role("link", name="Log").click()
        expect(page.get_by_text("created an invitation").first).to_be_visible()
    app.forgive("422")


@scenario("5.58 a server that accepts no new accounts offers none")
def closed(app):
    with machine(app, MEMEME_REGISTRATION="closed", MEMEME_MEMBER_INVITES="1"):
        page = app.page
        for path in ["/app/welcome", "/app/sign-in", "/app/you"]:
            page.goto(path)
            expect(page.locator("h1:visible")).to_be_visible()
            expect(page.get_by_role("link", name="Sign in").or_(page.get_by_role("button", name="Sign in")).first).to_be_visible()
            expect(page.get_by_role("link", name="Create an account")).to_have_count(0)
        page.goto("/app/register")
        expect(page.get_by_text("This server accepts no new accounts.")).to_be_visible()
        expect(page.get_by_role("button", name="Create account")).to_have_count(0)
        app.check_access("closed registration")


@scenario("5.70 on a new server that accepts no accounts, the link in the log creates an admin, and no other code does")
def first_admin(app):
    with machine(app, MEMEME_REGISTRATION="closed") as server:
        page = app.page
        page.goto("/app/join#wrong")
        fill_in(page, new_name())
        create_account(page)
        expect(page.get_by_role("alert").filter(has_text="accepts new accounts only with an invitation")).to_be_visible()
        link = re.search(r"/app/join#[\w-]{22}", "\n".join(server.lines()))
        page.goto("/app/you")
        page.goto(link.group())
        fill_in(page, new_name())
        create_account(page)
        expect(page.get_by_role("status").filter(has_text="Your account is ready.")).to_be_visible()
        page.goto("/app/admin")
        heading(page, "Overview")
    app.forgive("403")
