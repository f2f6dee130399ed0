"""Drafts in the editor: their defaults, late responses, and failed requests."""

import re

from app import PICTURES, eventually, expect, frames, scenario
from editing import PHOTO, choose, finish, given, is_drawn, newest, open_editor, pick, pixels, png, write, write_both

SETTINGS_PATH = re.compile("/users/me/settings$")


def choices(page):
    """Opens the panel with the visibility, unless it is open."""
    if page.locator("more-panel").count() == 0:
        page.get_by_role("button", name="More", exact=True).filter(visible=True).click()


def settings_on_device(page, visibility):
    """Waits until the device has this default visibility."""
    eventually("the device has the settings", lambda: page.evaluate(
        "() => JSON.parse(localStorage.getItem('mememe.settings'))?.visibility") == visibility, page)


@scenario("3.40 a new meme has the default visibility also if the server does not return the settings")
def without_settings(app):
    name, token = app.server.person()
    app.server.json("PATCH", "/users/me/settings", {"visibility": "private"}, token)
    app.sign_in(who=(name, token))
    page = app.page
    settings_on_device(page, "private")
    page.route(SETTINGS_PATH, lambda route: route.fulfill(status=503, body=""))
    open_editor(app, PHOTO)
    write_both(page)
    finish(page)
    meme = newest(app, token)
    assert meme["visibility"] == "private", meme
    app.forgive("503")

    # The same applies to a draft that was begun without an account.
    page.unroute(SETTINGS_PATH)
    app.open_window()
    page = open_editor(app, PHOTO)
    write_both(page)
    page.evaluate("""() => localStorage.setItem('mememe.settings', JSON.stringify({ visibility: 'private' }))""")
    page.evaluate("() => dispatchEvent(new StorageEvent('storage', { key: 'mememe.settings' }))")
    page.route(SETTINGS_PATH, lambda route: route.fulfill(status=503, body=""))
    page.evaluate("""async ([name, password]) => {
      const session = document.querySelector('script[type=module]').src.replace('main.js', 'session.js');
      await (await import(session)).session.signIn(name, password);
    }""", [name, "a cat on a keyboard"])
    choices(page)
    expect(page.get_by_role("radio", name="Only me")).to_be_checked()
    app.forgive("503")


@scenario("3.41 settings that arrive late keep the user's choice and changes, and may narrow the visibility but not widen it")
def late_settings(app):
    name, token = app.sign_in()
    page = app.page
    settings_on_device(page, "public")
    # The setting on the server, the user's choice meanwhile, and the visibility of the meme.
    for default, choice, result in [
        ("private", None, "Only me"), ("private", "Friends", "Friends"), ("public", None, "Only me"), ("public", "Everyone", "Everyone"),
    ]:
        held = []
        page.route(SETTINGS_PATH, lambda route: held.append(route))
        open_editor(app, PHOTO)
        app.server.json("PATCH", "/users/me/settings", {"visibility": default}, token)
        choices(page)
        if choice:
            pick(page, page.get_by_role("radio", name=choice))
        eventually("the settings are requested", lambda: len(held) == 2, page)
        for route in held:
            route.continue_()
        page.unroute(SETTINGS_PATH)
        settings_on_device(page, default)
        frames(page)
        expect(page.get_by_role("radio", name=result)).to_be_checked()
        # The draft still counts as changed.
        page.get_by_role("button", name="Cancel").click()
        page.get_by_role("dialog").get_by_role("button", name="Discard").click()
        expect(page.get_by_role("heading", level=1).filter(visible=True)).to_have_text("Sent Memes")


@scenario("3.42 while Save runs, neither a text nor the picture can change, and both can after a failure")
def saving(app):
    name, token = app.sign_in()
    meme = app.server.meme("one", "two", token=token)
    page = open_editor(app, address=f"/app/editor/{meme['id']}")
    write(page, "Top text", "three")
    is_drawn(page)
    place = page.get_by_role("group", name="Bottom text").bounding_box()
    held = []
    page.route(re.compile(f"/memes/{meme['id']}$"), lambda route: held.append(route) if route.request.method == "PATCH" else route.continue_())
    for is_saved in [False, True]:
        page.get_by_role("button", name="Save", exact=True).click()
        eventually("the meme is sent", lambda: len(held) == 1, page)
        page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
        page.keyboard.type(" lost")
        page.evaluate("""(bytes) => {
          const data = new DataTransfer();
          data.items.add(new File([new Uint8Array(bytes)], 'given.png', { type: 'image/png' }));
          document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
        }""", list(png(300, 100)))
        frames(page)
        assert page.locator(".stage-fields textarea").evaluate_all("fields => fields.map(({ value }) => value)") == ["three", "two"]
        expect(page.locator(".stage-picture")).to_have_js_property("naturalWidth", 640)
        if not is_saved:
            held.pop().fulfill(status=503, body="")
            expect(page.get_by_role("button", name="Save", exact=True)).to_be_enabled()
            write(page, "Bottom text", "two")
    held.pop().continue_()
    expect(page.get_by_role("heading", level=1).filter(visible=True)).to_have_text(re.compile("three"))
    app.forgive("503")


@scenario("3.43 a picture that opens late does not replace a newer one")
def late_picture(app):
    page = open_editor(app, PHOTO)
    held = []
    page.route("**/memes/preview", lambda route: held.append(route))
    # The server converts it.
    choose(page, given((PICTURES / "photo.heic").read_bytes(), "IMG_0001.HEIC", "image/heic"))
    eventually("the picture is sent", lambda: any(b"HEIC" in route.request.post_data_buffer for route in held), page)
    choose(page, given(png(300, 100)))
    expect(page.locator(".stage-picture")).to_have_js_property("naturalWidth", 300)
    # Its upload begins when it is open.
    with page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/uploads")):
        for route in held:
            route.continue_()
    page.unroute("**/memes/preview")
    frames(page)
    is_drawn(page)
    expect(page.locator(".stage-picture")).to_have_js_property("naturalWidth", 300)


@scenario("3.44 captions are visible in a font of the device until the font's file can be loaded")
def without_font(app):
    page = app.page
    page.route("**/fonts/*/file*", lambda route: route.abort())
    page.route("**/memes/preview", lambda route: route.abort())
    open_editor(app, PHOTO)
    write_both(page)
    eventually("the captions are drawn", lambda: all(half["white"] > 200 for half in pixels(page).values()), page)
    app.photograph("editor-without-font")
    page.unroute("**/fonts/*/file*")
    page.unroute("**/memes/preview")
    write(page, "Top text", "one does not simply fall back")
    page.wait_for_function("() => [...document.fonts].some(({ family }) => family.includes('MemeMe impact'))")
    eventually("the captions are drawn", lambda: all(half["white"] > 200 for half in pixels(page).values()), page)
    app.forgive("ERR_FAILED")


@scenario("3.45 while a picture is being opened, Save and Share say so, and save nothing")
def opening_picture(app):
    name, token = app.sign_in()
    meme = app.server.meme("one", "two", token=token)
    for address, button in [(f"/app/editor/{meme['id']}", "Save"), ("/app/editor", "Share")]:
        page = open_editor(app, PHOTO if button == "Share" else None, address=address)
        if button == "Share":
            write_both(page)
        is_drawn(page)
        held = []
        page.route("**/memes/preview", lambda route: held.append(route))
        # The server converts it.
        choose(page, given((PICTURES / "photo.heic").read_bytes(), "IMG_0001.HEIC", "image/heic"))
        eventually("the picture is sent", lambda: any(b"HEIC" in (route.request.post_data_buffer or b"") for route in held), page)
        expect(page.get_by_text("Opening the picture …")).to_be_visible()
        page.get_by_role("button", name=button, exact=True).click(force=True)
        expect(page.get_by_text("The picture is still being opened.")).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
        before = page.locator(".stage-picture").get_attribute("src")
        for route in held:
            route.continue_()
        page.unroute("**/memes/preview")
        expect(page.locator(".stage-picture")).not_to_have_attribute("src", before)
        expect(page.get_by_role("button", name=button, exact=True)).to_have_attribute("aria-disabled", "false")
        if button == "Save":
            page.get_by_role("button", name="Save", exact=True).click()
            expect(page.get_by_role("heading", level=1).filter(visible=True)).to_have_text("one – two")
    saved = app.server.call("GET", f"/memes/{meme['id']}", token=token)
    assert saved["version"] == 2 and saved["original"]["bytes"] != meme["original"]["bytes"], saved


@scenario("3.46 two quick clicks load the next templates once")
def more_templates(app):
    page = open_editor(app)
    thumbnail = app.server.call("GET", f"/memes/{app.server.meme('x')['id']}")["thumbnails"]["grid"]
    held = []

    def answer(route):
        if "cursor" in route.request.url:
            held.append(route)
        else:
            route.fulfill(json={"items": [template(1)], "nextCursor": "next"})

    def template(number):
        return {"id": str(number), "name": f"template {number}", "altText": f"template {number}", "thumbnail": thumbnail}

    page.route(re.compile(r"/templates\?"), answer)
    page.get_by_role("button", name="Template", exact=True).click()
    page.get_by_role("button", name="More templates").dblclick()
    eventually("both requests are sent", lambda: len(held) == 2, page)
    for route in held:
        route.fulfill(json={"items": [template(2)], "nextCursor": None})
    expect(page.locator("button.template")).to_have_text(["template 1", "template 2"])
    expect(page.get_by_role("button", name="More templates")).to_be_hidden()
    frames(page)
    expect(page.locator("button.template")).to_have_count(2)


@scenario("3.48 a template with fewer boxes than typed texts keeps all of them")
def fewer_boxes(app):
    page = open_editor(app, PHOTO)
    write_both(page, "first words", "second words")
    meme = app.server.call("GET", f"/memes/{app.server.meme('x')['id']}")
    box = {"text": "example", "x": 0.1, "y": 0.1, "width": 0.8, "height": 0.3, "rotation": 0, "verticalAlign": "middle"}
    page.route(re.compile(r"/templates\?"), lambda route: route.fulfill(json={"nextCursor": None, "items": [{
        "id": "1", "name": "one box", "altText": "one box", "thumbnail": meme["thumbnails"]["grid"], "image": meme["image"], "boxes": [box]}]}))
    page.get_by_role("button", name="Template", exact=True).click()
    page.get_by_role("button", name="one box").click()
    expect(page.get_by_role("textbox", name="Text 1")).to_have_value("first words\nsecond words")
    app.forgive("422")
