"""3. Meme Editor: from a picture and two texts to a meme."""

import re

from app import PICTURES, SIZES, at_rest, comes_to_rest, eventually, expect, scenario
from editing import (
    PHOTO, bmp, choose, finish, given, is_alike, is_drawn, keep_drawn, newest, open_editor, pick, pixels, png, saved_differs, write,
    write_both)


@scenario("3.1 Add opens the editor; Cancel saves nothing, and only asks if there is work to lose")
def cancel(app):
    page = app.page
    page.goto("/")
    page.get_by_role("link", name="Add a meme").click()
    heading = page.get_by_role("heading", level=1).filter(visible=True)
    expect(heading).to_have_text("New Meme")
    expect(heading).to_be_focused()
    cancel = page.get_by_role("button", name="Cancel")
    cancel.click()
    expect(heading).to_have_text("Sent Memes")
    page.get_by_role("link", name="Add a meme").click()
    choose(page, PHOTO)
    is_drawn(page)
    cancel.click()
    dialog = page.get_by_role("dialog")
    app.check_access("discard")
    dialog.get_by_role("button", name="Cancel").click()
    expect(heading).to_have_text("New Meme")
    cancel.click()
    with page.expect_response(lambda answer: "/uploads/" in answer.url and answer.request.method == "DELETE") as taken_back:
        dialog.get_by_role("button", name="Discard").click()
    assert taken_back.value.status == 204
    expect(heading).to_have_text("Sent Memes")
    assert newest(app) is None


@scenario("3.2 the picture is scaled to fit, with text fields at its top and bottom")
def scaled(app):
    for width, height in SIZES:
        app.open_window(width, height)
        page = open_editor(app)
        for shape in [(1600, 400), (400, 1600), (640, 480)]:
            choose(page, given(png(*shape)))
            expect(page.locator(".stage-picture")).to_have_js_property("naturalWidth", shape[0])
            frame = at_rest(page.locator(".stage-frame"))
            main = page.locator(".editor").bounding_box()
            case = (width, height, shape, frame, main)
            assert abs(frame["width"] / frame["height"] / (shape[0] / shape[1]) - 1) < 0.03, case
            assert frame["x"] >= main["x"] and frame["x"] + frame["width"] <= main["x"] + main["width"], case
            assert frame["y"] >= main["y"] and frame["y"] + frame["height"] <= main["y"] + main["height"], case
            # It fills the room in one direction.
            assert main["width"] - frame["width"] < 26 or main["height"] - frame["height"] < 26, case
            top, bottom = [page.get_by_role("group", name=name).bounding_box() for name in ["Top text", "Bottom text"]]
            assert top["y"] - frame["y"] < frame["height"] * 0.05 + 1, case
            assert frame["y"] + frame["height"] - bottom["y"] - bottom["height"] < frame["height"] * 0.05 + 1, case


@scenario("3.3 the placeholders TOP and BOTTOM disappear on focus, and return if the field stays empty")
def standard_texts(app):
    page = open_editor(app, PHOTO)
    is_drawn(page)
    before = pixels(page)
    assert before["upper"]["white"] > 200 and before["lower"]["white"] > 200, before
    for name, half, standard in [("Top text", "upper", "TOP"), ("Bottom text", "lower", "BOTTOM")]:
        field = page.get_by_role("textbox", name=name)
        expect(field).to_have_attribute("placeholder", standard)
        # With a click into the picture, as people do.
        page.get_by_role("group", name=name).click()
        expect(field).to_be_focused()
        expect(field).to_have_attribute("placeholder", "")
        eventually(f"{standard} is gone", lambda: pixels(page)[half] == {"white": 0, "black": 0}, page)
        page.keyboard.type("  ")
        page.keyboard.press("Enter")
        expect(field).to_have_attribute("placeholder", standard)
        expect(field).to_have_value("")
        eventually(f"{standard} is back", lambda: pixels(page) == before, page)
    write(page, "Top text", "words")
    expect(page.get_by_role("textbox", name="Top text")).to_have_value("words")


@scenario("3.4 during text editing only Cancel is enabled; Return finishes the text, and Shift+Return adds a line")
def editing(app):
    page = open_editor(app, PHOTO)
    others = ["Album", "Add text", "Style", "Crop", "More", "Template"]
    field = page.get_by_role("textbox", name="Top text")
    for end in ["Enter", "Escape", "click"]:
        page.get_by_role("group", name="Top text").click()
        for name in others:
            expect(page.get_by_role("button", name=name, exact=True)).to_be_disabled()
        share = page.get_by_role("button", name="Share", exact=True)
        expect(share).to_be_disabled()
        expect(share).to_have_attribute("title", "Finish the text first")
        expect(page.get_by_role("button", name="Cancel")).to_be_enabled()
        if end == "click":
            page.mouse.click(10, page.viewport_size["height"] / 4)
        else:
            page.keyboard.press(end)
        expect(field).not_to_be_focused()
        for name in others:
            expect(page.get_by_role("button", name=name, exact=True)).to_be_enabled()
    page.get_by_role("group", name="Top text").click()
    page.keyboard.type("one")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("two")
    page.keyboard.press("Tab")
    expect(field).to_have_value("one\ntwo")
    expect(page.get_by_role("textbox", name="Bottom text")).to_be_focused()
    # From the last field Tab leads to the tools, which are shown again.
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Camera")).to_be_focused()


@scenario("3.5 Share is disabled until there is a picture and both texts are set, and says what is missing")
def ready(app):
    page = open_editor(app)
    share = page.get_by_role("button", name="Share", exact=True)
    expect(share).to_be_disabled()
    share.click(force=True)
    expect(page.locator("notice-bar")).to_contain_text("Choose a picture first.")
    choose(page, PHOTO)
    expect(share).to_be_disabled()
    write(page, "Top text", "one")
    expect(share).to_be_disabled()
    write(page, "Bottom text", "two")
    expect(share).to_be_enabled()
    write(page, "Top text", "")
    expect(share).to_be_disabled()
    share.click(force=True)
    expect(page.locator("notice-bar")).to_contain_text("Fill in each text first.")
    expect(page.get_by_role("textbox", name="Top text")).to_be_focused()


@scenario("3.6 Album accepts pictures from file picker, drag and drop, and paste, and rejects other files")
def album(app):
    page = open_editor(app, PHOTO)
    give = """([type, bytes]) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], 'given.png', { type: 'image/png' }));
      const target = document.querySelector('editor-page .editor');
      if (type === 'paste') document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
      else for (const step of ['dragover', 'drop']) target.dispatchEvent(new DragEvent(step, { dataTransfer: data, bubbles: true, cancelable: true }));
    }"""
    for how, size in [("drop", (300, 100)), ("paste", (100, 300))]:
        page.evaluate(give, [how, list(png(*size))])
        expect(page.locator(".stage-picture")).to_have_js_property("naturalWidth", size[0])
        is_drawn(page)
    choose(page, PHOTO)
    expect(page.locator(".stage-picture")).to_have_js_property("naturalWidth", 640)
    is_drawn(page)
    page.evaluate(give, ["drop", list(b"this is no picture")])
    expect(page.locator("notice-bar").get_by_role("status")).to_have_text("The browser can’t open this picture.")
    expect(page.locator(".stage-picture")).to_have_js_property("naturalWidth", 640)


@scenario("3.7 Camera takes a photo, or opens a phone's camera app; without a camera it is disabled and says why")
def camera(app):
    # Chromium's fake device simulates a camera.
    page = open_editor(app)
    page.get_by_role("button", name="Camera").click()
    shutter = page.get_by_role("button", name="Take the photo")
    expect(shutter).to_be_enabled()
    app.check_access("camera")
    app.photograph("editor-camera")
    shutter.click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    is_drawn(page)
    assert page.locator(".stage-picture").evaluate("image => image.naturalWidth") >= 320
    page.get_by_role("button", name="Camera").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_have_count(0)

    page = app.open_window(touch=True)
    open_editor(app)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Camera").click()
    assert chooser.value.element.get_attribute("capture") == "environment"
    chooser.value.set_files(PHOTO)
    is_drawn(page)

    for stub, why in [
        ("navigator.mediaDevices.enumerateDevices = async () => []", "no camera"),
        ("""Object.defineProperty(navigator, 'mediaDevices', { value: undefined });
            Object.defineProperty(window, 'isSecureContext', { value: false })""", "HTTPS"),
    ]:
        page = app.open_window()
        page.add_init_script(stub)
        open_editor(app)
        button = page.get_by_role("button", name="Camera")
        expect(button).to_be_disabled()
        expect(button).to_have_accessible_description(re.compile(why))
        expect(page.locator("#camera-why")).to_be_visible()


@scenario("3.8 the edited field stays completely visible above the on-screen keyboard")
def keyboard(app):
    page = app.open_window(touch=True)
    # Headless Chromium has no on-screen keyboard, so this simulates its events.
    page.add_init_script("""
      const viewport = new EventTarget();
      Object.assign(viewport, { height: innerHeight, offsetTop: 0 });
      Object.defineProperty(window, 'visualViewport', { value: viewport });
      window.keyboard = (height) => { viewport.height = innerHeight - height; viewport.dispatchEvent(new Event('resize')) };
    """)
    open_editor(app, given(png(600, 900)))

    def is_above(box):
        return 0 <= box["y"] and box["y"] + box["height"] <= 844 - 420

    def is_in_the_middle():
        frame, main = page.locator(".stage-frame").bounding_box(), page.locator(".editor").bounding_box()
        return abs(frame["y"] + frame["height"] / 2 - main["y"] - main["height"] / 2) < 1

    for name in ["Bottom text", "Top text"]:
        group = page.get_by_role("group", name=name)
        group.tap()
        page.evaluate("() => keyboard(420)")
        eventually(f"{name} is above the keyboard", lambda: is_above(group.bounding_box()), page)
        box = at_rest(group)
        assert is_above(box), (name, box)
        page.keyboard.press("Enter")
        page.evaluate("() => keyboard(0)")
        eventually("the picture is centered again", is_in_the_middle, page)
    at_rest(page.locator(".stage-frame"))
    assert is_in_the_middle()


@scenario("3.9 the local preview matches the server's drawing in every font, and the saved meme equals that drawing")
def alike(app):
    app.open_window(1000, 844)
    page = open_editor(app, given(png(1200, 900)))
    fonts = [face["id"] for face in app.server.call("GET", "/fonts")["items"]]
    texts = [
        ("one does not simply", "bake a cake"),
        ("I don't always test my code but when I do", "I do it in production because that is where the users are"),
        ("ÄÖÜ çà été Ångström", "gjpqy TYPED words, with: punctuation!"),
    ]
    for font in fonts:
        page.get_by_role("button", name="Style").click()
        pick(page, page.locator(f".fonts input[value={font}]"))
        page.get_by_role("button", name="Close Style").click()
        for top, bottom in texts:
            write_both(page, top, bottom)
            is_alike(page, (font, top), black=0.6)
    for setting in [{"Align": "Left", "Case": "Abc"}, {"Align": "Right"}, {"Layout": "In white bars"}]:
        page.get_by_role("button", name="Style").click()
        for legend, name in setting.items():
            page.get_by_role("group", name=legend).get_by_text(name, exact=True).click()
        page.get_by_role("button", name="Close Style").click()
        is_alike(page, setting)
    keep_drawn(page)
    finish(page)
    difference = saved_differs(page, newest(app))
    assert difference == 0, difference


@scenario("3.10 font, colors, outline, size, case, alignment and layout are saved with the meme")
def style(app):
    page = open_editor(app, PHOTO)
    write_both(page)
    page.get_by_role("button", name="Style").click()
    panel = page.locator("style-panel")
    pick(page, page.get_by_role("radio", name="Comic Sans"))
    pick(page, page.get_by_role("group", name="Text color").get_by_role("radio", name="Yellow"))
    page.get_by_label("Outline, another color").fill("#123456")
    page.get_by_role("slider", name="Outline width").fill("0.2")
    page.get_by_role("slider", name="Max size").fill("0.1")
    panel.get_by_text("Abc", exact=True).click()
    panel.get_by_text("Right", exact=True).click()
    panel.evaluate("panel => { panel.closest('.panels').scrollTop = 0 }")
    app.check_access("style")
    # With the keyboard too: from one choice to the next.
    page.get_by_role("radio", name="On the picture").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="In white bars")).to_be_focused()
    panel.get_by_text("Same for all", exact=True).click()
    finish(page)
    assert newest(app)["style"] == {
        "font": "comic", "fill": "#ffe500", "outline": "#123456", "outlineWidth": 0.2, "size": 0.1, "case": "typed",
        "align": "right", "layout": "bar", "sameSize": True}, newest(app)["style"]


@scenario("3.11 alt text and visibility are saved with the meme; memes without an account are public")
def more(app):
    page = open_editor(app, PHOTO)
    page.get_by_role("button", name="More").focus()
    page.keyboard.press("Enter")
    # The panel is before the tools in the document, so the focus moves into it.
    expect(page.get_by_role("heading", name="More")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Close More")).to_be_focused()
    expect(page.get_by_role("radio", name="Only me")).to_be_disabled()
    app.check_access("more")
    name, token = app.sign_in()
    app.server.json("PATCH", "/users/me/settings", {"captions": {"font": "comic"}, "visibility": "friends"}, token)
    page = open_editor(app, PHOTO)
    write_both(page)
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("radio", name="Friends")).to_be_checked()
    pick(page, page.get_by_role("radio", name="Only me"))
    page.get_by_label("Alt text").fill("Clouds of colour")
    finish(page)
    meme = newest(app, token)
    assert (meme["visibility"], meme["altText"], meme["style"]["font"]) == ("private", "Clouds of colour", "comic"), meme


@scenario("3.26 tags are saved with the meme, link to the memes with them, and can be changed")
def tags(app):
    name, token = app.sign_in()
    other = app.server.meme("much", token=token, tags="cat")
    page = open_editor(app, PHOTO)
    write_both(page)
    page.get_by_role("button", name="More").click()
    field = page.get_by_label("Tags")
    told = page.locator("more-panel").get_by_role("alert")
    field.fill("cat!")
    field.press("Tab")
    expect(told).to_have_text("“cat!” isn’t a tag. Use 1 to 40 letters, digits and hyphens.")
    app.check_access("tags")
    field.fill(",".join(f"tag {number}" for number in range(11)))
    expect(told).to_have_text("Use at most 10 tags.")
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Save without sharing").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("at most 10 tags")
    page.get_by_role("dialog").get_by_role("button", name="Back to editing").click()
    page.get_by_role("button", name="More").click()
    expect(told).to_have_text("Use at most 10 tags.")
    field.fill("Cat, #grumpy  cat - , 日本語")
    expect(told).to_have_count(0)
    finish(page)
    meme = newest(app, token)
    assert meme["tags"] == ["cat", "grumpy-cat", "日本語"], meme
    page.goto(f"/app/meme/{meme['id']}")
    links = page.get_by_role("list", name="Tags").get_by_role("link")
    expect(links).to_have_text(["#cat", "#grumpy-cat", "#日本語"])
    app.check_access("a meme with tags")
    app.photograph("meme-tags")
    links.first.click()
    shown = page.get_by_role("main").filter(visible=True)
    expect(page.get_by_role("heading", level=1).filter(visible=True)).to_have_text("#cat")
    expect(shown.get_by_role("img")).to_have_count(2)
    app.check_access("memes with a tag")
    page.goto("/app/tag/日本語")
    expect(shown.get_by_role("img")).to_have_count(1)
    page.goto("/app/tag/none")
    expect(shown).to_contain_text("You can see no memes with this tag.")
    app.check_access("a tag without memes")

    page.goto(f"/app/editor/{meme['id']}")
    is_drawn(page)
    page.get_by_role("button", name="More").click()
    expect(field).to_have_value("cat, grumpy-cat, 日本語")
    field.fill("")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("heading", level=1).filter(visible=True)).to_have_text(re.compile("one does not simply"))
    assert newest(app, token)["tags"] == [], newest(app, token)
    app.server.call("DELETE", f"/memes/{other['id']}", token=token)
    app.forgive("422")


@scenario("3.27 a meme shows its newest remixes, which link to it, and a page has all of them")
def remixes(app):
    name, token = app.sign_in()
    meme = app.server.meme("the first", token=token)
    made = [app.server.meme(f"remix {number}", token=token, remix=meme["id"]) for number in range(7)]
    page = app.page
    page.goto(f"/app/meme/{made[0]['id']}")
    page.get_by_role("link", name="Remix of another meme").click()
    expect(page.get_by_role("heading", level=1).filter(visible=True)).to_have_text("the first")
    shown = page.get_by_role("main").filter(visible=True)
    links = shown.get_by_role("list", name="Remixes").get_by_role("link")
    expect(links).to_have_count(6)
    assert links.first.get_attribute("href").endswith(made[-1]["id"])
    app.check_access("a meme with remixes")
    app.photograph("meme-remixes")
    shown.get_by_role("link", name="All remixes").click()
    expect(page.get_by_role("heading", level=1).filter(visible=True)).to_have_text("Remixes")
    expect(shown.get_by_role("img")).to_have_count(7)
    app.check_access("all remixes")
    with page.expect_response(re.compile(f"{made[0]['id']}/remixes")):
        shown.get_by_role("link").last.click()
    # A remix without remixes of its own has no such list.
    expect(page.get_by_role("heading", level=1).filter(visible=True)).to_have_text("remix 0")
    expect(page.get_by_role("list", name="Remixes").filter(visible=True)).to_have_count(0)
    # A remix that is deleted elsewhere disappears.
    page.goto(f"/app/meme/{meme['id']}")
    expect(links.first).to_have_attribute("href", re.compile(made[-1]["id"]))
    app.server.call("DELETE", f"/memes/{made[-1]['id']}", token=token)
    expect(links.first).to_have_attribute("href", re.compile(made[-2]["id"]))
    expect(links).to_have_count(5)
    page.goto(f"/app/meme/{made[1]['id']}/remixes")
    expect(shown).to_contain_text("You can see no memes with the picture of this one.")


@scenario("3.12 a template can be used as the picture")
def template(app):
    boundary = "picture"
    body = (f'--{boundary}\r\nContent-Disposition: form-data; name="name"\r\n\r\nSurprised cat\r\n'
            f'--{boundary}\r\nContent-Disposition: form-data; name="image"; filename="x"\r\n\r\n').encode() + (
        PICTURES / "photo.jpg").read_bytes() + f"\r\n--{boundary}--\r\n".encode()
    kept = app.server.call("POST", "/templates", body, app.server.admin_token, {"Content-Type": f"multipart/form-data; boundary={boundary}"})
    page = open_editor(app)
    page.get_by_role("button", name="Template").click()
    choice = page.get_by_role("button", name="Surprised cat")
    expect(choice).to_be_visible()
    app.check_access("templates")
    choice.click()
    is_drawn(page)
    write_both(page)
    finish(page)
    assert newest(app)["top"] == "one does not simply"
    app.server.call("DELETE", f"/templates/{kept['id']}", token=app.server.admin_token)


@scenario("3.17 a meme is saved as a template, whose boxes and examples the editor shows")
def boxes(app):
    app.sign_in("Ada Lovelace")
    page = open_editor(app, PHOTO)
    write_both(page)
    page.get_by_role("button", name="Add text").click()
    page.keyboard.type("a third text")
    page.keyboard.press("Enter")
    finish(page)
    page.goto(f"/app/meme/{newest(app)['id']}")
    page.get_by_role("button", name="More", exact=True).filter(visible=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Save as template").click()
    name = page.get_by_label("Name")
    expect(name).not_to_have_value("")
    app.check_access("save-template")
    name.fill("Three places")
    page.get_by_role("button", name="Save template").click()
    expect(page.get_by_text("Template saved.")).to_be_visible()

    page = open_editor(app)
    page.get_by_role("button", name="Template").click()
    search = page.get_by_label("Search templates")
    search.fill("nothing like it")
    expect(page.get_by_text("No template has these words.")).to_be_visible()
    search.fill("?!")
    expect(page.get_by_text("No template has these words.")).to_be_visible()
    app.forgive("422")
    search.fill("pla thr")
    page.get_by_role("button", name="Three places").click()
    is_drawn(page)
    fields = page.locator("caption-field textarea")
    expect(fields).to_have_count(3)
    expect(fields.nth(2)).to_have_attribute("placeholder", "a third text")
    share = page.get_by_role("button", name="Share", exact=True)
    share.click(force=True)
    expect(page.locator("notice-bar")).to_contain_text("Fill in each text first.")
    expect(fields.first).to_be_focused()
    for index, text in enumerate(["one", "two", "three"]):
        fields.nth(index).focus()
        page.keyboard.type(text)
        page.keyboard.press("Enter")
    finish(page)
    assert [caption["text"] for caption in newest(app)["captions"]] == ["one", "two", "three"]


@scenario("3.18 a draft is saved as a template before it is shared")
def draft_as_template(app):
    page = open_editor(app, PHOTO)
    page.get_by_role("button", name="More").click()
    expect(page.get_by_text("Memes made without an account are public.")).to_be_visible()
    save = page.get_by_role("button", name="Save as template")
    expect(save).to_have_count(0)

    app.sign_in("Ada Lovelace")
    page = open_editor(app, PHOTO)
    page.get_by_role("button", name="Add text").click()
    page.keyboard.type("a third text")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="More").click()
    save.click()
    page.get_by_label("Name").fill("From a draft")
    page.get_by_role("button", name="Save template").click()
    expect(page.get_by_text("Template saved.")).to_be_visible()
    template = app.server.call("GET", "/templates?q=draft")["items"][0]
    assert template["name"] == "From a draft", template
    assert [box["text"] for box in template["boxes"]] == ["TOP", "BOTTOM", "a third text"], template
    assert [box["name"] for box in template["boxes"]] == [None] * 3, template

    # A template of the cropped picture would show what was cropped away.
    page.get_by_role("button", name="Crop").click()
    page.get_by_label("Width").fill("100")
    page.get_by_role("button", name="More").click()
    expect(save).to_be_disabled()
    expect(page.get_by_text("remove the crop or save the meme first")).to_be_visible()
    app.check_access("a draft that cannot be a template")
    # Another picture has no crop yet.
    choose(page, PHOTO)
    expect(save).to_be_enabled()
    write_both(page)
    finish(page)
    meme = newest(app)
    assert meme["captions"][2]["text"] == "a third text", meme
    page.goto(f"/app/editor/{meme['id']}")
    is_drawn(page)
    page.get_by_role("button", name="More").click()
    expect(page.get_by_label("Alt text")).to_be_visible()
    expect(save).to_have_count(0)


@scenario("3.13 a picture that is too large, or in a format that the server rejects, is converted")
def large(app):
    page = open_editor(app, given(bmp(300, 100), "picture.bmp", "image/bmp"))
    expect(page.get_by_text("Picture resized")).to_be_visible()
    is_drawn(page)
    app.forgive("415")
    choose(page, given(png(10_400, 10_400)))
    expect(page.locator(".stage-picture")).to_have_js_property("naturalWidth", 4096)
    is_drawn(page)


@scenario("3.16 HEIC pictures, which the browser cannot decode, are converted by the server")
def heic(app):
    page = open_editor(app, given((PICTURES / "photo.heic").read_bytes(), "IMG_0001.HEIC", "image/heic"))
    expect(page.locator(".stage-picture")).to_have_js_property("naturalWidth", 640)
    is_drawn(page)


@scenario("3.15 leaving with the browser's Back button keeps a draft, which the editor restores or starts over")
def left(app):
    page = app.page
    page.goto("/")
    page.get_by_role("link", name="Add a meme").click()
    choose(page, PHOTO)
    write(page, "Top text", "half done")
    page.go_back()
    expect(page.locator("notice-bar")).to_contain_text("Draft kept")
    page.get_by_role("button", name="Continue editing").click()
    expect(page.get_by_role("textbox", name="Top text")).to_have_value("half done")
    write(page, "Bottom text", "and done")
    is_drawn(page)
    finish(page)
    meme = newest(app)
    assert (meme["top"], meme["bottom"]) == ("half done", "and done")
    # Without unsaved work there is no notice.
    page.get_by_role("link", name="Add a meme").click()
    expect(page.get_by_role("heading", level=1).filter(visible=True)).to_have_text("New Meme")
    page.go_back()
    expect(page.get_by_role("heading", level=1).filter(visible=True)).to_have_text("Sent Memes")
    expect(page.locator("notice-bar")).not_to_contain_text("Draft kept")

    # The draft outlives the notice about it.
    page.get_by_role("link", name="Add a meme").click()
    choose(page, PHOTO)
    write(page, "Top text", "for later")
    page.go_back()
    page.get_by_role("button", name="Dismiss").click()
    # The editor of another meme does not take it.
    page.get_by_role("listitem").first.get_by_role("link").click()
    page.get_by_role("link", name="Edit").click()
    expect(page.get_by_role("textbox", name="Top text")).to_have_value("half done")
    page.get_by_role("button", name="Cancel").click()
    page.go_back()
    page.get_by_role("link", name="Add a meme").click()
    expect(page.locator("notice-bar")).to_contain_text("Draft restored.")
    expect(page.get_by_role("textbox", name="Top text")).to_have_value("for later")
    page.get_by_role("button", name="Start over").click()
    expect(page.get_by_text("Choose a picture")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Add a meme").click()
    expect(page.get_by_text("Choose a picture")).to_be_visible()


@scenario("3.14 the editor is accessible in light and dark themes at all window sizes, without layout shifts")
def layouts(app):
    for theme in ["light", "dark"]:
        for width, height in SIZES:
            app.open_window(width, height, theme)
            page = open_editor(app)
            expect(page.get_by_role("button", name="Camera")).to_be_enabled()
            page.evaluate("""() => {
              const entries = [];
              const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
              observer.observe({ type: 'layout-shift', buffered: true });
              window.shifts = () => [...entries, ...observer.takeRecords()].filter((shift) => !shift.hadRecentInput).map((shift) => shift.value);
            }""")
            is_checked = (width, theme) in [(320, "light"), (1440, "dark")]
            if is_checked:
                app.check_access(f"empty {theme} {width}")
            choose(page, PHOTO)
            write_both(page)
            is_drawn(page)
            if is_checked:
                app.check_access(f"written {theme} {width}")
            for tool in ["Style", "Crop", "More"]:
                page.get_by_role("button", name=tool, exact=True).click()
                comes_to_rest(page)
                if is_checked:
                    app.check_access(f"{tool} {theme} {width}")
            shifts = page.evaluate("() => window.shifts()")
            assert sum(shifts) < 0.05, (width, height, shifts)
            assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), (width, height)
