"""2. Comments: typed text stays until it is sent."""

import re

from accounts import sign_in_by_form
from app import PASSWORD, answered, eventually, expect, scenario
from meme import open_meme


@scenario("2.19 a comment that is being typed outlives the end of the session, and a change of the user's name")
def typed(app):
    name, token = app.sign_in()
    meme = app.server.meme("to be talked about")
    page = open_meme(app, meme)
    field = page.get_by_role("textbox", name="Your comment")
    field.fill("a long careful comment")
    other = app.context.new_page()
    other.goto("/app/settings/profile")
    other.get_by_label("Name", exact=True).fill("Countess")
    with answered(other, "PATCH", "/users/me"):
        other.get_by_role("button", name="Save").click()
    other.close()
    eventually("the name is known", lambda: page.evaluate("() => localStorage.getItem('mememe.person')").find("Countess") > 0, page)
    expect(field).to_have_value("a long careful comment")
    expect(field).to_be_focused()

    app.server.call("DELETE", "/sessions", token=token)
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("Your session has ended.")
    expect(field).to_have_count(0)
    page.get_by_role("button", name="Sign in").click()
    sign_in_by_form(page, name)
    expect(field).to_have_value("a long careful comment")
    expect(page.locator("comment-form .field-problem")).to_have_text("")
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(page.locator("li.comment")).to_have_count(1)
    # Another user sees neither it nor an edit.
    page.get_by_role("button", name="Edit your comment: a long careful comment").click()
    page.locator("li.comment textarea").fill("my change alone")
    field.first.fill("mine alone")
    app.server.call("DELETE", "/sessions", token=app.server.json("POST", "/sessions", {"username": name, "password": PASSWORD})["token"])
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("Your session has ended.")
    page.get_by_role("button", name="Sign in").click()
    sign_in_by_form(page, app.server.person("Bob")[0])
    expect(field).to_have_count(1)
    expect(field).to_have_value("")
    app.forgive("401")


@scenario("2.20 a comment that is being edited keeps its words while other comments are loaded, posted and edited")
def edited(app):
    name, token = app.sign_in()
    meme = app.server.meme("much discussed")
    for number in range(32):
        app.server.json("POST", f"/memes/{meme['id']}/comments", {"text": f"comment {number}"}, token=token)
    page = open_meme(app, meme)
    comments = page.locator("li.comment")
    page.get_by_role("button", name="Edit your comment: comment 31").click()
    first = comments.nth(0).get_by_role("textbox")
    first.fill("words that are not saved")
    page.get_by_role("button", name="More comments").click()
    expect(comments).to_have_count(32)
    expect(first).to_have_value("words that are not saved")
    page.get_by_role("textbox", name="Your comment").first.fill("another one")
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(comments).to_have_count(33)
    first = comments.nth(1).get_by_role("textbox")
    expect(first).to_have_value("words that are not saved")
    page.get_by_role("button", name="Edit your comment: comment 30").click()
    second = comments.nth(2).get_by_role("textbox")
    expect(second).to_be_focused()
    second.fill("other words")
    expect(first).to_have_value("words that are not saved")
    app.check_access("two forms")
    # The focus stays in the form that is being typed in, also when the other one closes.
    with answered(page, "PATCH", "/comments/"):
        comments.nth(1).get_by_role("button", name="Save").click()
        second.focus()
    expect(comments.nth(1)).to_contain_text("words that are not saved")
    expect(second).to_have_value("other words")
    expect(second).to_be_focused()
    page.keyboard.press("Escape")
    expect(comments.nth(2)).to_contain_text("comment 30")
    expect(comments.nth(2).get_by_role("button", name=re.compile("^Edit"))).to_be_focused()


@scenario("2.21 a comment that is typed while the one before is sent stays in its field")
def next_one(app):
    app.sign_in()
    meme = app.server.meme("much discussed")
    page = open_meme(app, meme)
    held = []
    page.route(re.compile(r"/comments$"), lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    field = page.get_by_role("textbox", name="Your comment")
    field.fill("first")
    page.get_by_role("button", name="Comment", exact=True).click()
    eventually("the comment is sent", lambda: len(held) == 1, page)
    field.fill("second")
    held[0].continue_()
    expect(page.locator("li.comment")).to_have_count(1)
    expect(field).to_have_value("second")
    page.get_by_role("button", name="Comment", exact=True).click()
    eventually("the comment is sent", lambda: len(held) == 2, page)
    held[1].continue_()
    expect(page.locator("li.comment")).to_have_count(2)
    expect(field).to_have_value("")


@scenario("2.25 by keyboard, the focus stays at the button that posts a comment, and keys of an input method do not close the form")
def keys(app):
    app.sign_in()
    page = open_meme(app, app.server.meme("to be talked about"))
    page.get_by_role("textbox", name="Your comment").fill("first")
    button = page.get_by_role("button", name="Comment", exact=True)
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator("li.comment")).to_have_count(1)
    expect(button).to_be_focused()
    page.get_by_role("button", name="Edit your comment: first").click()
    field = page.locator("li.comment textarea")
    expect(field).to_be_focused()
    keyboard = page.context.new_cdp_session(page)
    keyboard.send("Input.imeSetComposition", {"text": "に", "selectionStart": 1, "selectionEnd": 1})
    page.keyboard.press("Escape")
    expect(field).to_be_focused()
    keyboard.send("Input.insertText", {"text": "日"})
    expect(field).to_have_value(re.compile("first.*日"))
    page.keyboard.press("Escape")
    expect(field).to_have_count(0)
