"""3. Meme Editor: crops, and texts that are moved, resized and rotated."""

from app import at_rest, eventually, expect, frames, scenario
from editing import PHOTO, drag, finish, given, is_alike, is_drawn, newest, open_editor, png, write_both


def add_text(page, words="free"):
    """Adds a box with some words, which stays selected."""
    page.get_by_role("button", name="Add text").click()
    page.keyboard.type(words)
    page.keyboard.press("Enter")


def near(value, wanted, by=0.02):
    return abs(value - wanted) <= by


@scenario("3.20 Crop works with handles, dragging, keys, numbers and fixed aspect ratios")
def crop(app):
    page = open_editor(app, given(png(1000, 500)))
    write_both(page)
    page.get_by_role("button", name="Crop").click()
    frame = page.locator(".crop-frame").bounding_box()
    drag(page, page.get_by_role("button", name="Bottom right corner"), -frame["width"] / 2, -frame["height"] / 2)
    numbers = {name: page.get_by_role("spinbutton", name=name) for name in ["Left", "Top", "Width", "Height"]}
    values = lambda: [int(numbers[name].input_value()) for name in numbers]
    assert all(near(value, wanted, 12) for value, wanted in zip(values(), [0, 0, 500, 250])), values()
    drag(page, page.get_by_role("button", name="Move crop area"), frame["width"] / 4, frame["height"] / 4)
    assert all(near(value, wanted, 12) for value, wanted in zip(values(), [250, 125, 500, 250])), values()
    # With the keyboard: a hundredth of the longer edge, or a twentieth with Shift.
    before = values()
    page.get_by_role("button", name="Left edge").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowRight")
    assert values() == [before[0] + 40, before[1], before[2] - 40, before[3]], (before, values())
    page.get_by_role("button", name="Move crop area").focus()
    page.keyboard.press("ArrowDown")
    assert values()[1] == before[1] + 10
    page.locator("crop-panel").get_by_text("1:1", exact=True).click()
    assert values()[2] == values()[3]
    page.get_by_role("button", name="Bottom right corner").focus()
    page.keyboard.press("Shift+ArrowLeft")
    assert abs(values()[2] - values()[3]) <= 1, values()
    page.locator("crop-panel").get_by_text("Free", exact=True).click()
    for name, value in {"Left": 100, "Top": 50, "Width": 9999, "Height": 300}.items():
        numbers[name].fill(str(value))
        numbers[name].press("Tab")
    assert values() == [0, 50, 1000, 300], values()
    numbers["Width"].fill("600")
    numbers["Width"].press("Tab")
    app.photograph("editor-crop")
    page.get_by_role("button", name="Close Crop").click()
    expect(page.get_by_role("button", name="Crop", exact=True)).to_be_focused()
    is_alike(page, "the crop")
    finish(page)
    meme = newest(app)
    assert meme["crop"] == {"x": 0, "y": 50, "width": 600, "height": 300}, meme["crop"]
    assert (meme["image"]["width"], meme["image"]["height"]) == (600, 300)


@scenario("3.21 a free text can be moved, resized and rotated by mouse, and is saved that way")
def by_mouse(app):
    app.open_window(1200, 900)
    page = open_editor(app, given(png(1200, 900)))
    write_both(page)
    add_text(page)
    box = page.get_by_role("group", name="Text 1")
    expect(page.get_by_role("button", name="Move Text 1", exact=True)).to_be_focused()
    frame = at_rest(page.locator(".stage-frame"))
    at = box.bounding_box()
    drag(page, box, -0.1 * frame["width"], 0.2 * frame["height"])
    now = box.bounding_box()
    assert near(now["x"], at["x"] - 0.1 * frame["width"], 3) and near(now["y"], at["y"] + 0.2 * frame["height"], 3), (at, now)
    drag(page, page.get_by_role("button", name="Resize Text 1", exact=True), 30, 40)
    sized = box.bounding_box()
    assert near(sized["width"], now["width"] + 60, 6) and near(sized["height"], now["height"] + 80, 6), (now, sized)
    # It stops at the picture's left edge.
    drag(page, box, -frame["width"], 0)
    assert near(box.bounding_box()["x"], frame["x"], 3)
    drag(page, box, 0.2 * frame["width"], 0)
    turn = page.get_by_role("button", name="Rotate Text 1", exact=True)
    drag(page, turn, 60, -60)
    is_alike(page, "the text", white=0.8)
    app.photograph("editor-boxes")
    app.check_access("boxes")
    finish(page)
    meme = newest(app)
    captions = meme["captions"]
    assert [caption["text"] for caption in captions] == ["one does not simply", "walk into mordor", "free"], captions
    # The top and bottom texts keep their places.
    assert [captions[0][name] for name in ["x", "y", "width", "height", "verticalAlign"]] == [0.03, 0.03, 0.94, 0.24, "top"]
    assert abs(captions[2]["rotation"]) > 5 and near(captions[2]["x"], 0.2, 0.03), captions[2]


@scenario("3.22 dragging a caption makes it a free text, and a click starts editing")
def free(app):
    page = open_editor(app, PHOTO)
    group = page.get_by_role("group", name="Top text")
    group.click()
    expect(page.get_by_role("textbox", name="Top text")).to_be_focused()
    page.keyboard.type("moved")
    page.keyboard.press("Enter")
    frame = page.locator(".stage-frame").bounding_box()
    drag(page, group, 0, 0.3 * frame["height"])
    expect(page.get_by_role("textbox", name="Top text")).not_to_be_focused()
    expect(page.get_by_role("button", name="Rotate Top text")).to_be_visible()
    # The other text is independent now, and can be removed. Then the meme needs no further text.
    page.get_by_role("textbox", name="Bottom text").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Share", exact=True)).to_be_disabled()
    page.get_by_role("button", name="Remove Bottom text").click()
    expect(page.get_by_role("group", name="Bottom text")).to_have_count(0)
    finish(page)
    captions = newest(app)["captions"]
    assert len(captions) == 1 and near(captions[0]["y"], 0.33, 0.03), captions


@scenario("3.23 free texts can be moved, resized, rotated and removed by keyboard, and placed by numbers")
def by_keys(app):
    page = open_editor(app, PHOTO)
    write_both(page)
    # Existing texts can be made free with the keyboard too.
    page.get_by_role("button", name="Style").click()
    page.get_by_role("radio", name="On the picture").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("radio", name="Bottom text")).to_be_focused()
    page.get_by_role("button", name="Close Style").click()
    page.get_by_role("textbox", name="Top text").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Move Top text", exact=True)).to_be_focused()
    add_text(page)
    said = page.locator("editor-stage [role=status]")
    for key in ["ArrowRight", "ArrowDown", "Shift+ArrowDown"]:
        page.keyboard.press(key)
    expect(said).to_contain_text("21 % from the left, 48 % from the top")
    page.get_by_role("button", name="Resize Text 1", exact=True).focus()
    page.keyboard.press("Shift+ArrowRight")
    expect(said).to_contain_text("70 % wide")
    page.get_by_role("button", name="Rotate Text 1", exact=True).focus()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(said).to_contain_text("rotated 14 degrees")
    page.get_by_role("button", name="Style").click()
    app.check_access("style of a box")
    left = page.get_by_role("spinbutton", name="Left")
    left.fill("5")
    left.press("Tab")
    turned = page.get_by_role("spinbutton", name="Rotation")
    turned.fill("-30")
    turned.press("Tab")
    page.get_by_role("group", name="Text color").locator("label", has=page.get_by_role("radio", name="Green")).click()
    page.get_by_role("button", name="Close Style").click()
    is_drawn(page)
    page.get_by_role("textbox", name="Top text").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Delete")
    expect(page.get_by_role("group", name="Top text")).to_have_count(0)
    finish(page)
    captions = newest(app)["captions"]
    assert len(captions) == 2, captions
    assert (captions[1]["x"], captions[1]["rotation"], captions[1]["fill"]) == (0.05, -30, "#34c759"), captions[1]
    assert captions[0]["fill"] is None


@scenario("3.24 one finger moves a free text, and two fingers resize and rotate it")
def by_touch(app):
    page = app.open_window(touch=True)
    open_editor(app, PHOTO)
    write_both(page)
    add_text(page)
    group = page.get_by_role("group", name="Text 1")
    session = page.context.new_cdp_session(page)

    def touch(kind, *points):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
            {"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]})
        frames(page, 1)

    at = group.bounding_box()
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    touch("touchStart", (x, y))
    for step in range(1, 6):
        touch("touchMove", (x, y - 6 * step))
    touch("touchEnd")
    now = group.bounding_box()
    assert near(now["y"], at["y"] - 30, 3), (at, now)
    y -= 30
    touch("touchStart", (x - 30, y))
    touch("touchStart", (x - 30, y), (x + 30, y))
    for step in range(1, 6):
        touch("touchMove", (x - 30, y - 3 * step), (x + 30, y + 3 * step))
    # The first finger lifts, and the second one moves before it lifts too.
    touch("touchEnd", (x - 30, y - 15))
    session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + 32, "y": y + 15, "id": 1}]})
    frames(page, 1)
    touch("touchEnd")
    assert group.evaluate("group => parseFloat(getComputedStyle(group).rotate)") > 20
    assert page.get_by_role("textbox", name="Text 1").input_value() == "free"


@scenario("3.25 each text can have its own style, and the style of all texts applies to the others")
def styles(app):
    page = open_editor(app, PHOTO)
    write_both(page)
    add_text(page, "small")
    page.get_by_role("button", name="Style").click()
    page.get_by_role("slider", name="Max size").fill("0.05")
    panel = page.locator("style-panel")
    panel.get_by_text("All texts").click()
    panel.get_by_text("Abc", exact=True).click()
    expect(page.get_by_role("radio", name="In white bars")).to_be_disabled()
    expect(page.get_by_role("radio", name="Free")).to_be_checked()
    page.get_by_role("button", name="Close Style").click()
    is_drawn(page)
    finish(page)
    meme = newest(app)
    assert meme["style"]["case"] == "typed" and [box["size"] for box in meme["captions"]] == [None, None, 0.05], meme


@scenario("3.35 the handles of a small text do not overlap, also on a phone")
def small(app):
    page = app.open_window(touch=True)
    open_editor(app, PHOTO)
    write_both(page)
    add_text(page)
    page.get_by_role("button", name="Style").click()
    for name in ["Width", "Height"]:
        number = page.get_by_role("spinbutton", name=name)
        number.fill("5")
        number.press("Tab")
    page.get_by_role("button", name="Close Style").click()
    page.get_by_role("group", name="Text 1").focus()
    handles = {name: page.get_by_role("button", name=f"{name} Text 1", exact=True).bounding_box() for name in [
        "Move", "Rotate", "Resize", "Remove"]}
    for name, one in handles.items():
        assert one["width"] >= 44 and one["height"] >= 44, (name, one)
        for other, box in handles.items():
            apart = max(abs(one["x"] - box["x"]) - one["width"], abs(one["y"] - box["y"]) - one["height"])
            assert name == other or apart >= 0, (name, other, one, box)
    # At the edge of the picture they stay within the stage.
    stage = page.locator("editor-stage").bounding_box()
    for keys in [["ArrowLeft", "ArrowUp"], ["ArrowRight", "ArrowDown"]]:
        page.get_by_role("button", name="Move Text 1", exact=True).focus()
        for key in keys:
            for _ in range(25):
                page.keyboard.press(f"Shift+{key}")
        frames(page)
        for name in handles:
            box = page.get_by_role("button", name=f"{name} Text 1", exact=True).bounding_box()
            for side, length in [("x", "width"), ("y", "height")]:
                assert stage[side] - 1 <= box[side] <= stage[side] + stage[length] - box[length] + 1, (keys, side, box, stage)
    for key in ["ArrowLeft", "ArrowUp"]:
        for _ in range(10):
            page.keyboard.press(f"Shift+{key}")
    app.check_access("a small box")
    app.photograph("editor-small-box")
    # A drag of a handle begins at the size of the box.
    group = page.get_by_role("group", name="Text 1")
    before = group.bounding_box()
    drag(page, page.get_by_role("button", name="Resize Text 1", exact=True), 10, 5)
    after = group.bounding_box()
    assert near(after["width"], before["width"] + 20, 2) and near(after["height"], before["height"] + 10, 2), (before, after)
    # The middle is free to tap and to drag.
    group.tap()
    expect(page.get_by_role("textbox", name="Text 1")).to_be_focused()


@scenario("3.36 Undo puts a removed text back in its place, and moved top and bottom texts can return to theirs")
def removed(app):
    page = open_editor(app, PHOTO)
    write_both(page)
    add_text(page, "third")
    add_text(page, "fourth")
    told = page.locator("notice-bar")
    page.get_by_role("textbox", name="Text 1").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Remove Text 1").click()
    expect(page.get_by_role("group", name="Text 1")).to_have_count(0)
    expect(told.get_by_role("status")).to_have_text("Text 1 removed.")
    told.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("group", name="Text 1")).to_be_focused()
    fields = page.locator("caption-field textarea")
    assert [fields.nth(index).input_value() for index in range(4)] == ["one does not simply", "walk into mordor", "third", "fourth"]

    # Removing the last text brings back the top and the bottom text, which Undo replaces.
    for name in ["Top text", "Bottom text", "Text 1", "Text 2"]:
        page.get_by_role("textbox", name=name).focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Delete")
    expect(page.get_by_role("textbox", name="Top text")).to_have_value("")
    page.keyboard.press("Control+z")
    expect(fields).to_have_count(1)
    expect(fields).to_have_value("fourth")

    page = open_editor(app, PHOTO)
    write_both(page)
    drag(page, page.get_by_role("group", name="Top text"), 0, 80)
    expect(page.get_by_role("button", name="Rotate Top text")).to_be_visible()
    page.get_by_role("button", name="Style").click()
    page.locator("style-panel").get_by_text("All texts").click()
    page.locator("style-panel").get_by_text("On the picture").click()
    page.get_by_role("button", name="Close Style").click()
    expect(page.get_by_role("button", name="Rotate Top text")).to_have_count(0)
    is_drawn(page)
    finish(page)
    assert newest(app)["top"] == "one does not simply" and newest(app)["captions"] == [], newest(app)


@scenario("3.49 lines of the browser's own drawing break where the server's do, also in Japanese and Korean")
def line_breaks(app):
    app.page.goto("/")
    parts = app.page.evaluate("""async (texts) => {
      const app = document.querySelector('script[type=module]').src;
      const { chunks, prepare } = await import(app.replace('app/main.js', 'editor/words.js'));
      return texts.map((text) => chunks(prepare(text, 'typed')).map((chunk) => chunk.text + (chunk.endsLine ? '/' : '')).join('|'));
    }""", ["「えっ、マジで？」と言った。", "待ってーー！！", "오늘도 PC방에 개발자의", "你好，世界（真的）吗", "well-known (x)", "one\u2028two\r\nthree"])
    assert parts == [
        "「えっ、|マ|ジ|で？」|と|言っ|た。", "待っ|てーー！！", "오늘도|PC방에|개발자의", "你|好，|世|界|（真|的）|吗", "well-|known|(x)", "one/|two/|three"], parts


@scenario("3.47 the numbers of a text's place follow its changes, and an emptied number keeps its value")
def numbers_follow(app):
    page = open_editor(app, PHOTO)
    write_both(page)
    add_text(page)
    page.get_by_role("button", name="Style").click()
    numbers = {name: page.get_by_role("spinbutton", name=name) for name in ["Left", "Top", "Width", "Height", "Rotation"]}
    values = lambda: [int(number.input_value()) for number in numbers.values()]

    def put(name, value):
        numbers[name].fill(value)
        numbers[name].press("Tab")
        return values()

    left, top, width, height, _ = values()
    # The box grows around its middle, and stays within the picture.
    assert put("Width", "100") == [0, top, 100, height, 0], values()
    assert put("Width", str(width)) == [left, top, width, height, 0], values()
    assert put("Left", "100") == [100 - width, top, width, height, 0], values()
    assert put("Left", "") == [100 - width, top, width, height, 0], values()
    box = page.get_by_role("group", name="Text 1")
    frame = page.locator(".stage-frame").bounding_box()
    drag(page, box, -0.1 * frame["width"], 0)
    eventually("the number follows the box", lambda: near(values()[0], 100 - width - 10, 2), page)
    page.get_by_role("button", name="Close Style").click()
    page.get_by_role("button", name="Crop").click()
    page.locator("crop-panel").get_by_text("1:1").click()
    side = numbers["Width"].input_value()
    numbers["Width"].fill("")
    numbers["Width"].press("Tab")
    expect(numbers["Width"]).to_have_value(side)
    # After Reset, the frame keeps no ratio.
    page.get_by_role("button", name="Reset").click()
    expect(page.get_by_role("radio", name="Free")).to_be_checked()
