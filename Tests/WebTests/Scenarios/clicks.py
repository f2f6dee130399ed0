"""Two quick clicks, and pages that the user leaves while they save."""

import re

from playwright.sync_api import expect

from app import eventually, scenario


def at(page, path):
    expect(page).to_have_url(re.compile(path + "$"))


@scenario("11.4 two clicks on a link open its page once, and two clicks on Back, Cancel or Delete go back once")
def twice(app):
    page = app.page
    name, token = app.sign_in()
    app.server.meme("one does not", "simply click", token)
    for motion in ["reduce", "no-preference"]:
        page.emulate_media(reduced_motion=motion)
        page.goto("/app/you")
        page.get_by_role("link", name=f"@{name}").click()
        at(page, f"/app/user/{name}")
        page.locator(".cell a").dblclick()
        page.get_by_role("heading", name="one does not – simply click").wait_for()
        page.locator("meme-page .bar-link").click()
        at(page, f"/app/user/{name}")
        page.locator(".cell a").click()
        page.locator("meme-page .bar-link").dblclick()
        at(page, f"/app/user/{name}")
        page.locator(".cell a").click()
        page.get_by_role("link", name="Edit", exact=True).click()
        page.get_by_role("button", name="Cancel").dblclick()
        expect(page.get_by_role("button", name="Delete")).to_be_visible()
        at(page, "/app/meme/[^/]+")
        page.get_by_role("button", name="Delete").dblclick()
        expect(page.get_by_role("status").get_by_text("Meme deleted.")).to_be_visible()
        at(page, f"/app/user/{name}")
        page.get_by_role("button", name="Undo").click()
        expect(page.locator(".cell a")).to_be_visible()
    # The second deletion finds the meme deleted.
    app.forgive("410")


@scenario("11.5 a second tap on a link whose page is still being loaded adds nothing to the history")
def slow(app):
    page = app.page
    app.server.meme("one does not", "simply wait")
    waiting = []
    page.route("**/meme/meme-page.js", lambda route: waiting.append(route))
    page.goto("/")
    row = page.get_by_role("link", name="one does not")
    row.click()
    at(page, "/app/meme/[^/]+")
    eventually("the page is being loaded", lambda: waiting, page)
    row.click()
    for route in waiting:
        route.continue_()
    page.get_by_role("heading", name="one does not – simply wait").wait_for()
    page.go_back()
    at(page, "/")
    expect(page.get_by_role("heading", name="Sent Memes")).to_be_visible()


@scenario("11.6 a save that ends after the user has left its page stays where the user is")
def late(app):
    page = app.page
    app.sign_in()
    waiting = []
    page.goto("/app/you")
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Profile").click()
    page.get_by_label("Name", exact=True).fill("Countess")
    page.route("**/users/me", lambda route: waiting.append(route) if route.request.method == "PATCH" else route.continue_())
    page.get_by_role("button", name="Save").click()
    eventually("the profile is being saved", lambda: waiting, page)
    page.go_back()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    waiting.pop().continue_()
    expect(page.get_by_role("status").get_by_text("Profile saved.")).to_be_visible()
    page.wait_for_timeout(300)
    at(page, "/app/settings")
    # A page that is still shown goes back.
    page.unroute("**/users/me")
    page.get_by_role("link", name="Profile").click()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    at(page, "/app/settings")


@scenario("11.11 going back with the browser closes the dialog of the page, and its answer counts as Cancel")
def dialogs(app):
    page = app.page
    name, token = app.sign_in()
    meme = app.server.meme("one does not", "simply go back", token)
    page.goto("/app/you")
    page.get_by_role("link", name=f"@{name}").click()
    page.locator(".cell a").click()
    page.get_by_role("button", name="More", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.go_back()
    at(page, f"/app/user/{name}")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator(".cell a").click()
    page.get_by_role("link", name="Edit", exact=True).click()
    page.get_by_role("textbox", name="Top text").fill("two do not")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog", name="Discard your changes?")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("dialog")).to_have_count(0)
    at(page, f"/app/meme/{meme['id']}")
    expect(page.get_by_role("status").get_by_text("Draft kept.")).to_be_visible()
