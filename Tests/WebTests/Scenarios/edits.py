"""3. Meme Editor: editing an existing meme."""

import re

from app import expect, scenario
from editing import PHOTO, choose, given, is_drawn, newest, open_editor, png, write, write_both


def edit(app, meme):
    page = open_editor(app, address=f"/app/editor/{meme['id']}")
    expect(page.locator(".stage-frame")).to_be_visible()
    return page


@scenario("3.30 Edit opens a meme with its original picture and its style, and Save creates a new version")
def saved(app):
    name, token = app.sign_in()
    meme = app.server.meme("one", "two", token=token, crop="0,0,400,300", font="comic", layout="bar", altText="A joke")
    page = app.page
    page.goto(f"/app/meme/{meme['id']}")
    page.get_by_role("link", name="Edit").click()
    heading = page.get_by_role("heading", level=1).filter(visible=True)
    expect(heading).to_have_text("Edit Meme")
    expect(page.get_by_role("textbox", name="Top text")).to_have_value("one")
    expect(page.locator(".stage-picture")).to_have_js_property("naturalWidth", 640)
    save = page.get_by_role("button", name="Save", exact=True)
    expect(save).to_be_disabled()
    page.get_by_role("button", name="More", exact=True).filter(visible=True).click()
    expect(page.get_by_label("Alt text")).to_have_value("A joke")
    write(page, "Top text", "three")
    is_drawn(page)
    app.check_access("edit")
    with page.expect_request(lambda request: request.method == "PATCH") as sent:
        save.click()
    # Only the change is sent.
    assert sent.value.post_data_json == {"top": "three"} and sent.value.headers["if-match"] == '"1"'
    expect(heading).to_have_text(re.compile("three"))
    expect(page.locator(".meme-picture img")).to_have_attribute("src", re.compile("v=2"))
    now = newest(app, token)
    assert (now["version"], now["top"], now["bottom"], now["style"]["font"], now["crop"]["width"], now["altText"]) == (
        2, "three", "two", "comic", 400, "A joke"), now


@scenario("3.31 guests can edit memes that they made on this device, including the picture; other devices cannot")
def anonymous(app):
    page = open_editor(app, PHOTO)
    write_both(page)
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Save without sharing").click()
    page.get_by_role("link", name="one does not simply").click()
    page.get_by_role("link", name="Edit").click()
    expect(page.get_by_role("textbox", name="Bottom text")).to_have_value("walk into mordor")
    choose(page, given(png(300, 300)))
    is_drawn(page)
    with page.expect_request(lambda request: request.method == "PATCH") as sent:
        page.get_by_role("button", name="Save", exact=True).click()
    assert list(sent.value.post_data_json) == ["upload"]
    expect(page.get_by_role("heading", level=1).filter(visible=True)).to_have_text(re.compile("one does not simply"))
    meme = newest(app)
    assert meme["version"] == 2
    app.open_window()
    page = app.page
    page.goto(f"/app/editor/{meme['id']}")
    expect(page.get_by_role("alert")).to_contain_text("You don’t have permission.")


@scenario("3.32 Cancel returns to the meme, and texts that were empty may stay empty")
def canceled(app):
    name, token = app.sign_in()
    meme = app.server.meme("only above", token=token)
    page = app.page
    page.goto(f"/app/meme/{meme['id']}")
    page.get_by_role("link", name="Edit").click()
    expect(page.get_by_role("textbox", name="Bottom text")).to_have_attribute("placeholder", "")
    # The alt text that the server made of the caption was not typed.
    page.get_by_role("button", name="More", exact=True).filter(visible=True).click()
    expect(page.get_by_label("Alt text")).to_have_value("")
    expect(page.get_by_role("button", name="Share", exact=True)).to_be_enabled()
    write(page, "Top text", "changed")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_contain_text("Discard your changes?")
    page.get_by_role("dialog").get_by_role("button", name="Discard").click()
    expect(page.get_by_role("heading", level=1).filter(visible=True)).to_have_text("only above")
    assert newest(app, token)["version"] == 1


def changed_elsewhere(app, **mine):
    """Begins an edit, and changes the meme elsewhere before it is saved. Returns the conflict dialog."""
    name, token = app.sign_in()
    meme = app.server.meme("one", "two", token=token)
    page = app.page
    page.goto(f"/app/meme/{meme['id']}")
    page.get_by_role("link", name="Edit").click()
    for text, words in mine.items():
        write(page, f"{text.capitalize()} text", words)
    app.server.json("PATCH", f"/memes/{meme['id']}", {"top": "theirs", "fill": "#ffe500"}, token)
    page.get_by_role("button", name="Save", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("changed elsewhere")
    app.forgive("412")
    return dialog, token


@scenario("3.33 an edit conflict shows both versions, and offers the current version, the own one, or further editing")
def conflict(app):
    dialog, token = changed_elsewhere(app, top="mine")
    page = app.page
    row = dialog.get_by_role("row", name="Top text")
    expect(row).to_contain_text("theirs")
    expect(row).to_contain_text("mine")
    expect(dialog.get_by_role("row", name="Text color")).to_contain_text("unchanged")
    app.check_access("conflict")
    app.photograph("editor-conflict")
    dialog.get_by_role("button", name="Continue editing").click()
    expect(page.get_by_role("textbox", name="Top text")).to_have_value("mine")
    assert newest(app, token)["version"] == 2
    page.get_by_role("button", name="Save", exact=True).click()
    dialog.get_by_role("button", name="Keep mine").click()
    expect(page.get_by_role("heading", level=1).filter(visible=True)).to_have_text(re.compile("mine"))
    app.forgive("412")
    meme = newest(app, token)
    # Fields without local changes have the other version's values.
    assert (meme["version"], meme["top"], meme["style"]["fill"]) == (3, "mine", "#ffe500"), meme

    app.open_window()
    dialog, token = changed_elsewhere(app, bottom="mine")
    page = app.page
    dialog.get_by_role("button", name="Use current").click()
    expect(page.get_by_role("textbox", name="Top text")).to_have_value("theirs")
    expect(page.get_by_role("textbox", name="Bottom text")).to_have_value("two")
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    assert newest(app, token)["version"] == 2


@scenario("3.34 editing a meme with free texts keeps their positions and styles")
def boxes(app):
    name, token = app.sign_in()
    box = '[{"text": "me", "x": 0.1, "y": 0.6, "width": 0.3, "height": 0.2, "rotation": -12, "fill": "#ff0000"}]'
    meme = app.server.meme(token=token, captions=box)
    page = edit(app, meme)
    expect(page.get_by_role("textbox", name="Text 1")).to_have_value("me")
    expect(page.get_by_role("textbox", name="Top text")).to_have_count(0)
    write(page, "Text 1", "you")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("heading", level=1).filter(visible=True)).to_have_text("you")
    captions = newest(app, token)["captions"]
    assert [captions[0][name] for name in ["text", "x", "y", "width", "height", "rotation", "fill"]] == [
        "you", 0.1, 0.6, 0.3, 0.2, -12, "#ff0000"], captions
