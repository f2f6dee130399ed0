"""5. People: access tokens of scripts and bots."""

import re

from app import PASSWORD, expect, scenario
from machine import machine
from invitations import heading, member


@scenario("5.59 a person makes a token, sees it once, uses it in a script and deletes it")
def tokens(app):
    with machine(app) as server:
        name, _ = who = member(server)
        app.sign_in(who=who)
        page = app.page
        page.goto("/app/settings")
        page.get_by_role("link", name="Access tokens").click()
        heading(page, "Access tokens")
        expect(page.get_by_text("No access tokens.")).to_be_visible()
        expect(page.get_by_role("radio", name="Admin")).to_have_count(0)
        make = page.get_by_role("button", name="Make token")
        page.get_by_label("Name", exact=True).fill("weekly cat")
        page.get_by_label("Password", exact=True).fill("not my password")
        make.click()
        expect(page.get_by_label("Password", exact=True)).to_be_focused()
        expect(page.get_by_label("Password", exact=True)).to_have_accessible_description(re.compile("Wrong password"))
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        days = page.get_by_label("Days until it expires")
        # Such a text is no number, and the field then has no value.
        days.press_sequentially("3-0")
        make.click()
        expect(days).to_have_accessible_description("Enter a number.")
        for number in ["0", "999999999"]:
            days.fill(number)
            make.click()
            expect(days).to_have_accessible_description("Enter a number from 1 to 3650.")
            expect(days).to_be_focused()
        days.fill("30")
        page.get_by_role("radio", name="Write").check()
        make.click()
        secret = page.get_by_label("Access token", exact=True)
        expect(secret).to_be_focused()
        token = secret.input_value()
        assert re.fullmatch(r"mm_[\w-]{32}", token), token
        expect(page.get_by_label("Password", exact=True)).to_have_value("")
        rows = page.get_by_role("listitem").filter(has=page.get_by_role("button", name=re.compile("^Delete: ")))
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text("weekly cat")
        expect(rows).to_contain_text("Read and write · never used · expires")
        app.check_access("access tokens")
        app.photograph("settings-tokens")
        assert server.call("GET", "/users/me", token=token)["username"] == name

        page.reload()
        expect(rows).to_contain_text("used")
        expect(secret).to_have_count(0)
        assert not any(token in line for line in server.lines())
        page.get_by_role("button", name=re.compile("^Delete: weekly cat")).click()
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        expect(page.get_by_text("No access tokens.")).to_be_visible()
        listed = server.call("GET", "/users/me/tokens", token=who[1])
        assert listed["items"] == [], listed
    app.forgive("422")


@scenario("5.69 an admin makes a token with the rights of an admin")
def admin_tokens(app):
    with machine(app) as server:
        app.sign_in(who=member(server, "admin"))
        page = app.page
        page.goto("/app/settings/tokens")
        page.get_by_label("Name", exact=True).fill("watchdog")
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("radio", name="Admin").check()
        page.get_by_role("button", name="Make token").click()
        token = page.get_by_label("Access token", exact=True)
        expect(token).to_be_focused()
        assert "memes" in server.call("GET", "/admin/stats", token=token.input_value())
