"""2. Meme Detail."""

import re

from app import PASSWORD, SIZES, answered, at_rest, eventually, expect, frames, looks, scenario


def open_meme(app, meme):
    app.page.goto(f"/app/meme/{meme['id']}")
    app.is_settled()
    return app.page


@scenario("2.1 a meme is shown completely, with its aspect ratio, as large as the window allows")
def scaled(app):
    shapes = {"wide": (1600, 400), "tall": (400, 1600), "usual": (640, 480)}
    memes = {name: app.server.meme(name, picture=png(*size)) for name, size in shapes.items()}
    page = app.page
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for name, meme in memes.items():
            open_meme(app, meme)
            box = page.locator(".meme-picture img").bounding_box()
            ratio = meme["image"]["width"] / meme["image"]["height"]
            assert abs(box["width"] / box["height"] - ratio) < ratio * 0.03, (name, width, box)
            assert box["x"] >= 0 and box["x"] + box["width"] <= width + 0.5, (name, width, box)
            assert box["y"] + box["height"] <= height + 0.5, (name, width, box)
            # It is either as wide as its place or nearly as high.
            place = page.locator(".meme-picture").bounding_box()
            assert box["width"] >= place["width"] - 33 or box["height"] >= min(place["height"], height - 260), (name, width, box)


@scenario("2.2 the meme page slides in and out, and the back arrow restores tab, scroll position and focus")
def there_and_back(app):
    app.server.memes(40, altText="a cat")
    page = app.open_window(motion="no-preference")
    page.goto("/app/grid")
    cells = page.get_by_role("listitem")
    expect(cells.nth(5)).to_be_visible()
    page.evaluate("() => scrollTo(0, 600)")
    cell = page.locator("li[data-place='20'] a")
    at_rest(cell)
    # The browser's own animations show what slides.
    page.evaluate("""() => {
      window.seen = [];
      const start = document.startViewTransition.bind(document);
      document.startViewTransition = (change) => {
        const transition = start(change);
        transition.ready.then(() => window.seen.push(
          document.getAnimations().map((animation) => animation.animationName)));
        return transition;
      };
    }""")

    def has_slid(count):
        page.wait_for_function("count => window.seen.length === count && !document.documentElement.dataset.transition", arg=count)

    cell.click()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("meme number"))
    has_slid(1)
    back = page.get_by_role("banner").filter(visible=True).get_by_role("link", name="Sent Memes")
    box = back.bounding_box()
    assert box["x"] < 20 and box["y"] < 10, box
    back.click()
    expect(cell).to_be_focused()
    assert page.evaluate("() => scrollY") == 600
    expect(page).to_have_url(re.compile("/app/grid$"))
    expect(page).to_have_title("Sent Memes · MemeMe")
    has_slid(2)
    seen = page.evaluate("() => window.seen")
    assert "come-in" in seen[0] and "go-out" in seen[1], seen


@scenario("2.3 pages change without a transition if the system asks for reduced motion")
def still(app):
    meme = app.server.meme("still")
    page = app.page
    page.goto("/")
    page.evaluate("() => { document.startViewTransition = () => { throw new Error('unexpected transition') } }")
    page.get_by_role("link", name="still").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("still")
    assert meme["id"] in page.url


@scenario("2.4 the page shows author, time, visibility and alt text")
def facts(app):
    name, token = app.sign_in("Grace Hopper")
    meme = app.server.meme("private", "joke", token=token, visibility="private", altText="A moth in a relay")
    page = open_meme(app, meme)
    expect(page.get_by_role("img", name="A moth in a relay")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("Grace Hopper")
    expect(page.get_by_role("main")).to_contain_text("Only for you")
    expect(page.locator("main time").first).to_have_attribute("datetime", meme["createdAt"])


@scenario("2.5 Edit opens the editor, and only appears if the user may edit the meme")
def edit(app):
    name, token = app.sign_in()
    mine, other = app.server.meme("mine", token=token), app.server.meme("nobody's")
    page = open_meme(app, mine)
    page.get_by_role("link", name="Edit").click()
    expect(page).to_have_url(re.compile(f"/app/editor/{mine['id']}$"))
    open_meme(app, other)
    expect(page.get_by_role("link", name="Edit")).to_have_count(0)
    expect(page.get_by_role("button", name="Delete")).to_have_count(0)


@scenario("2.6 likes and favorites are counted immediately, saved, and can be removed")
def reactions(app):
    app.sign_in()
    meme = app.server.meme("likeable")
    page = open_meme(app, meme)
    for name in ["Like", "Favorite"]:
        button = page.get_by_role("button", name=name)
        expect(button).to_have_attribute("aria-pressed", "false")
        button.focus()
        with answered(page, "PUT", f"/{name.lower()}$"):
            page.keyboard.press("Enter")
            expect(button).to_have_attribute("aria-pressed", "true")
        expect(button).to_contain_text("1")
        expect(button).to_be_focused()
    page.reload()
    like = page.get_by_role("button", name="Like")
    expect(like).to_have_attribute("aria-pressed", "true")
    like.click()
    expect(like).to_have_attribute("aria-pressed", "false")
    expect(like).not_to_contain_text("1")
    assert app.server.call("GET", f"/memes/{meme['id']}")["counts"]["favorites"] == 1


@scenario("2.7 likes, favorites and comments ask guests to sign in")
def not_signed_in(app):
    page = open_meme(app, app.server.meme("x"))
    page.get_by_role("button", name="Like").click()
    expect(page.get_by_role("status")).to_have_text("Sign in to like memes.")
    page.get_by_role("button", name="Favorite").click()
    expect(page.get_by_role("status")).to_have_text("Sign in to keep favorites.")
    expect(page.get_by_text("Sign in to comment.")).to_be_visible()
    expect(page.get_by_role("textbox")).to_have_count(0)


@scenario("2.8 comments can be added, edited, deleted, and sorted by age")
def comments(app):
    name, token = app.sign_in("Ada Lovelace")
    meme = app.server.meme("to be talked about")
    other, other_token = app.server.person("Bob")
    app.server.json("POST", f"/memes/{meme['id']}/comments", {"text": "I was first"}, token=other_token)
    page = open_meme(app, meme)
    expect(page.get_by_role("heading", name="Comments (1)")).to_be_visible()
    field = page.get_by_role("textbox", name="Your comment")
    field.fill("One does not\nsimply comment. <b>")
    page.get_by_role("button", name="Comment", exact=True).click()
    comments = page.locator("li.comment")
    expect(comments).to_have_count(2)
    expect(comments.nth(0)).to_contain_text("simply comment. <b>")
    expect(field).to_have_value("")
    expect(page.get_by_role("heading", name="Comments (2)")).to_be_visible()
    expect(comments.nth(1)).to_contain_text("Bob")
    expect(comments.nth(1).get_by_role("button", name=re.compile("^(Edit|Delete)"))).to_have_count(0)
    page.get_by_role("combobox").select_option("oldest")
    expect(comments.nth(0)).to_contain_text("I was first")

    comments.nth(1).get_by_role("button", name=re.compile("^Edit")).click()
    editor = comments.nth(1).get_by_role("textbox")
    expect(editor).to_be_focused()
    editor.fill("One does simply edit")
    page.get_by_role("button", name="Save").click()
    expect(comments.nth(1)).to_contain_text("One does simply edit")
    expect(comments.nth(1)).to_contain_text("edited")
    expect(comments.nth(1).get_by_role("button", name=re.compile("^Edit"))).to_be_focused()

    comments.nth(1).get_by_role("button", name=re.compile("^Edit")).click()
    page.keyboard.press("Escape")
    expect(comments.nth(1)).to_contain_text("One does simply edit")

    delete = comments.nth(1).get_by_role("button", name=re.compile("^Delete"))
    delete.click()
    app.check_access("dialog")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(delete).to_be_focused()
    expect(comments).to_have_count(2)
    delete.click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(comments).to_have_count(1)
    expect(page.get_by_role("status")).to_have_text("Comment deleted.")


@scenario("2.18 new comments of others appear when the user returns to the page")
def refreshed(app):
    name, token = app.sign_in()
    meme = app.server.meme("much discussed", token=token)
    bob = app.server.person("Bob")[1]
    page = app.page
    page.goto(f"/app/meme/{meme['id']}")
    expect(page.get_by_text("No comments yet. Be the first.")).to_be_visible()
    app.server.json("POST", f"/memes/{meme['id']}/comments", {"text": "first"}, bob)
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.get_by_text("first", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Comments (1)")).to_be_visible()
    # A comment that is being edited stays open, with its words, also if the edit begins during the request.
    page.get_by_label("Your comment").fill("second")
    page.get_by_role("button", name="Comment", exact=True).click()
    held = []
    page.route(re.compile(r"/comments(\?|$)"), lambda route: held.append(route))
    app.server.json("POST", f"/memes/{meme['id']}/comments", {"text": "third"}, bob)
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.get_by_role("heading", name="Comments (3)")).to_be_visible()
    eventually("the comments are requested", lambda: len(held) == 2, page)
    page.get_by_role("button", name="Edit your comment: second").click()
    page.locator(".comments textarea").fill("second thoughts")
    for route in held:
        with page.expect_response(re.compile("/comments")):
            route.continue_()
    page.unroute_all()
    frames(page)
    expect(page.locator(".comments textarea")).to_have_value("second thoughts")
    with page.expect_response(lambda answer: answer.url.endswith(meme["id"])):
        page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.get_by_role("heading", name="Comments (3)")).to_be_visible()
    expect(page.locator(".comments textarea")).to_have_value("second thoughts")
    expect(page.locator(".comments textarea")).to_be_focused()


@scenario("2.9 a comment stays in its field if the request fails, and a retry posts it only once")
def comment_refused(app):
    app.sign_in()
    meme = app.server.meme("x")
    page = open_meme(app, meme)
    keys = []

    def lose(route):
        keys.append(route.request.headers.get("idempotency-key"))
        route.fetch()
        route.abort()

    page.route("**/comments", lambda route: lose(route) if route.request.method == "POST" else route.continue_(), times=1)
    field = page.get_by_role("textbox", name="Your comment")
    field.fill("only once")
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("The server isn’t responding.")
    expect(field).to_have_value("only once")
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(page.locator("li.comment")).to_have_count(1)
    page.reload()
    expect(page.locator("li.comment")).to_have_count(1)
    assert keys and keys[0]
    app.forgive("ERR_FAILED")


@scenario("2.10 comments are paginated")
def many_comments(app):
    name, token = app.sign_in()
    meme = app.server.meme("x")
    for number in range(35):
        app.server.json("POST", f"/memes/{meme['id']}/comments", {"text": f"comment {number}"}, token=token)
    page = open_meme(app, meme)
    expect(page.locator("li.comment")).to_have_count(30)
    page.get_by_role("button", name="More comments").click()
    expect(page.locator("li.comment")).to_have_count(35)
    expect(page.get_by_role("button", name="More comments")).to_have_count(0)


@scenario("2.11 Share opens the system's share sheet with picture and link, or a dialog if there is no sheet")
def share(app):
    meme = app.server.meme("pass", "it on")
    page = app.page
    # Headless Chromium has no share sheet, so this simulates one.
    page.add_init_script("navigator.canShare = () => true; navigator.share = async (data) => { window.shared = data }")
    open_meme(app, meme)
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".is-share .meme-count")).to_have_text("1")
    expect(page.get_by_role("dialog")).to_have_count(0)
    shared = page.evaluate("() => ({ url: window.shared.url, type: window.shared.files[0].type })")
    assert shared["url"].endswith(f"/m/{meme['id']}") and shared["type"] == "image/jpeg", shared
    page = app.open_window(permissions=["clipboard-read", "clipboard-write"])
    page.add_init_script("delete Navigator.prototype.share")
    open_meme(app, meme)
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("button", name="Save without sharing")).to_have_count(0)
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("status").filter(visible=True)).to_have_text("Link copied.")
    assert page.evaluate("() => navigator.clipboard.readText()") == shared["url"]
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.reload()
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("textbox", name="Link to the meme")).to_have_value(shared["url"])
    app.check_access("link")
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


@scenario("2.12 Delete returns to the list without the meme, and Undo restores it")
def delete(app):
    name, token = app.sign_in()
    app.server.memes(3, token=token)
    page = app.page
    page.goto("/")
    page.get_by_role("link", name="meme number 2").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    rows = page.get_by_role("listitem")
    expect(rows).to_have_count(2)
    expect(page.get_by_role("status")).to_have_text("Meme deleted.")
    expect(rows.nth(1).get_by_role("link")).to_be_focused()
    page.get_by_role("button", name="Undo").click()
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text("meme number 2")


@scenario("2.13 a deleted or unknown meme shows an error message")
def gone(app):
    meme = app.server.meme("gone")
    app.server.call("DELETE", f"/memes/{meme['id']}", token=app.server.admin_token)
    page = app.page
    page.goto(f"/app/meme/{meme['id']}")
    expect(page.get_by_role("alert")).to_contain_text("This was deleted.")
    page.goto("/app/meme/nothing")
    expect(page.get_by_role("alert")).to_contain_text("Not found, or you don’t have access.")
    app.check_access("error")
    # A guest may have access after signing in.
    name, token = app.server.person()
    private = app.server.meme("for me", token=token, visibility="private")
    page.goto(f"/app/meme/{private['id']}")
    page.get_by_role("alert").get_by_role("link", name="Sign in").click()
    page.get_by_label("Username or email").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1).filter(visible=True)).to_have_text("for me")
    page.goto("/app/meme/nothing")
    expect(page.get_by_role("alert")).to_contain_text("Not found, or you don’t have access.")
    expect(page.get_by_role("alert").get_by_role("link")).to_have_count(0)
    app.forgive("410")
    app.forgive("404")


@scenario("2.14 loading pictures causes no layout shift")
def no_shift(app):
    meme = app.server.meme("still", picture=png(640, 480))
    page = app.page
    page.add_init_script("""
      const entries = [];
      const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
      observer.observe({ type: 'layout-shift', buffered: true });
      window.shifts = () => [...entries, ...observer.takeRecords()].map((entry) => [
        entry.value, entry.sources.map((source) => source.node?.className || source.node?.nodeName).join()]);
    """)
    for path in ["/", "/app/grid", f"/app/meme/{meme['id']}"]:
        page.goto(path)
        app.is_settled()
        expect(page.locator("main img").first).to_have_js_property("complete", True)
        page.locator("main img").first.evaluate("image => image.decode()")
        page.evaluate("() => document.fonts.ready.then(() => undefined)")
        # Shifts occur with the frame that paints the picture.
        frames(page, 3)
        shifts = page.evaluate("() => window.shifts()")
        assert sum(value for value, _ in shifts) < 0.01, (path, shifts)


@scenario("2.15 the public page links to the app")
def public_page(app):
    meme = app.server.meme("come", "in")
    page = app.page
    page.goto(f"/m/{meme['id']}")
    # The page names no icon, but the browser requests one all the same.
    page.wait_for_load_state("networkidle")
    app.forgive("404")
    page.get_by_role("link", name="Open in MemeMe").click()
    expect(page).to_have_url(re.compile(f"/app/meme/{meme['id']}$"))
    expect(page.get_by_role("img", name="come")).to_be_visible()


@scenario("2.16 the page is accessible in light and dark themes at all window sizes")
def access(app):
    name, token = app.sign_in()
    meme = app.server.meme("one does not simply", "walk into mordor", token=token)
    app.server.json("POST", f"/memes/{meme['id']}/comments", {"text": "But my axe!"}, token=token)
    app.server.call("PUT", f"/memes/{meme['id']}/like", token=token)
    page = app.page
    for look, is_new in looks(app):
        if is_new:
            open_meme(app, meme)
        expect(page.locator("li.comment")).to_have_count(1)
        expect(page.locator("main img").first).to_have_js_property("complete", True)
        if is_new:
            app.check_access(look)


@scenario("2.17 the page of a remix links to the meme whose picture it has")
def remix(app):
    name, token = app.sign_in()
    source = app.server.meme("the first", token=token)
    meme = app.server.meme("the second", token=token, remix=source["id"])
    page = open_meme(app, meme)
    app.check_access("a remix")
    app.photograph("remix")
    page.get_by_role("link", name="Remix of another meme").click()
    expect(page).to_have_url(re.compile(f"/app/meme/{source['id']}$"))
    shown = page.get_by_role("main").filter(visible=True)
    expect(shown.get_by_role("img", name="the first")).to_be_visible()
    expect(shown.get_by_role("link", name="Remix of another meme")).to_have_count(0)


def png(width, height):
    """Returns a picture of one color."""
    import struct
    import zlib

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\x00" + b"\x30\x60\x90" * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


@scenario("2.22 quick likes and follows are sent in order, and a failure shows the state of the server")
def in_order(app):
    author, author_token = app.server.person("Grace Hopper")
    meme = app.server.meme("likeable", token=author_token)
    app.sign_in()
    page = app.page
    held = []
    page.route(re.compile("/(like|follow)$"), lambda route: held.append(route))
    for address, name, again, path in [
        (f"/app/meme/{meme['id']}", "^Like", "^Like", f"/memes/{meme['id']}"), (f"/app/user/{author}", "^Follow", "^Unfollow", None),
    ]:
        page.goto(address)
        app.is_settled()
        page.get_by_role("button", name=re.compile(name)).click()
        page.get_by_role("button", name=re.compile(again)).click()
        eventually("the first change is sent", lambda: len(held) == 1, page)
        frames(page)
        assert [route.request.method for route in held] == ["PUT"]
        with page.expect_request(lambda request: request.method == "DELETE"):
            held.pop().continue_()
        eventually("the second change is sent", lambda: len(held) == 1, page)
        with page.expect_response(re.compile("/(like|follow)$")):
            held.pop().continue_()
        if path:
            assert app.server.call("GET", path)["counts"]["likes"] == 0
        # Both fail.
        page.get_by_role("button", name=re.compile(name)).click()
        page.get_by_role("button", name=re.compile(again)).click()
        for _ in range(2):
            eventually("a change is sent", lambda: len(held) == 1, page)
            held.pop().fulfill(status=503, body="")
        expect(page.locator("notice-bar")).to_contain_text("Something went wrong.")
        button = page.get_by_role("button", name=re.compile(name))
        expect(button).to_be_visible()
        if path:
            expect(button).to_have_attribute("aria-pressed", "false")
    app.forgive("503")


@scenario("2.23 after the end of the session, an action offers to sign in")
def ended(app):
    name, token = app.sign_in()
    meme = app.server.meme("likeable")
    page = open_meme(app, meme)
    app.server.call("DELETE", "/sessions", token=token)
    page.get_by_role("button", name="Like").click()
    expect(page.get_by_role("status")).to_have_text("Sign in to continue.")
    notice = page.get_by_role("region", name="Notice")
    expect(notice).to_contain_text("Request ")
    app.check_access("notice with a request ID")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1).filter(visible=True)).to_have_text("Sign in")
    app.forgive("401")


@scenario("2.24 if the picture cannot be fetched, Share says why, and can try again")
def share_fails(app):
    meme = app.server.meme("pass", "it on")
    page = app.page
    page.add_init_script("delete Navigator.prototype.share")
    open_meme(app, meme)
    page.route(re.compile("/image"), lambda route: route.abort())
    page.get_by_role("button", name="Share").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("alert")).to_contain_text("The server isn’t responding.")
    page.unroute(re.compile("/image"))
    dialog.get_by_role("button", name="Try again").click()
    expect(dialog.get_by_role("button", name="Copy link")).to_be_visible()
    dialog.get_by_role("button", name="Cancel").click()
    page.route(re.compile("/image"), lambda route: route.fulfill(
        status=410, content_type="application/problem+json", body='{"code": "gone"}'))
    page.get_by_role("button", name="Share").click()
    expect(dialog.get_by_role("alert")).to_contain_text("This was deleted.")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    app.forgive("ERR_FAILED")
    app.forgive("410")
