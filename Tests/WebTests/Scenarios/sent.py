"""1. Sent Memes."""

import re

from app import comes_to_rest, eventually, expect, looks, scenario
from touch import swipe_left


@scenario("1.1 Sent Memes is the first page, with its title, Add at the top right, and Table and Grid at the bottom")
def first_page(app):
    app.server.memes(3)
    page = app.page
    page.goto("/")
    app.is_settled()
    expect(page).to_have_title("Sent Memes · MemeMe")
    expect(page.get_by_role("heading", level=1, name="Sent Memes")).to_be_visible()
    add = page.get_by_role("banner").get_by_role("link", name="Add a meme")
    box = add.bounding_box()
    assert box["x"] + box["width"] > 370 and box["y"] < 10, box
    tabs = page.get_by_role("navigation", name="Views")
    assert tabs.bounding_box()["y"] > 770
    expect(tabs.get_by_role("link", name="Table")).to_have_attribute("aria-current", "page")
    expect(tabs.get_by_role("link", name="Grid")).not_to_have_attribute("aria-current", "page")
    add.click()
    expect(page).to_have_url(re.compile("/app/editor$"))


@scenario("1.2 the table has a row for each meme with its thumbnail and captions, newest first")
def table(app):
    app.server.meme("the first", "was here", altText="a cat")
    app.server.meme("", "")
    app.server.meme("the last", "goes first")
    page = app.page
    page.goto("/")
    rows = page.get_by_role("listitem")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("the last")
    expect(rows.nth(0)).to_contain_text("goes first")
    expect(rows.nth(1)).to_contain_text("A picture without a caption.")
    expect(rows.nth(2)).to_contain_text("the first")
    image = rows.nth(0).locator("img")
    expect(image).to_have_js_property("complete", True)
    assert image.evaluate("image => image.naturalWidth") > 50
    expect(rows.nth(2)).to_have_attribute("aria-posinset", "3")
    expect(rows.nth(2)).to_have_attribute("aria-setsize", "3")


@scenario("1.3 the grid has a thumbnail with alt text for each meme")
def grid(app):
    app.server.memes(5, altText="a cat on a keyboard")
    page = app.page
    page.goto("/")
    page.get_by_role("link", name="Grid").click()
    expect(page).to_have_url(re.compile("/app/grid$"))
    expect(page.get_by_role("link", name="Grid")).to_have_attribute("aria-current", "page")
    images = page.get_by_role("img", name="a cat on a keyboard")
    expect(images).to_have_count(5)
    boxes = [image.bounding_box() for image in images.all()]
    assert boxes[0]["y"] == boxes[2]["y"] and boxes[3]["y"] > boxes[0]["y"], boxes
    assert abs(boxes[0]["width"] - boxes[0]["height"]) < 2, boxes[0]
    page.reload()
    expect(images).to_have_count(5)
    app.page.set_viewport_size({"width": 1440, "height": 900})
    expect(images.nth(4)).to_be_in_viewport()
    assert images.nth(4).bounding_box()["y"] == images.nth(0).bounding_box()["y"]


@scenario("1.4 signed-in users see their own memes, and guests see all public ones")
def own(app):
    app.server.meme("nobody's")
    name, token = app.sign_in()
    app.server.meme("mine", token=token, visibility="private")
    page = app.page
    page.goto("/")
    expect(page.get_by_role("listitem")).to_have_count(1)
    expect(page.get_by_role("listitem")).to_contain_text("mine")
    page = app.open_window()
    page.goto("/")
    expect(page.get_by_role("listitem")).to_have_count(1)
    expect(page.get_by_role("listitem")).to_contain_text("nobody's")


@scenario("1.5 an empty list says so and links to the editor")
def empty(app):
    page = app.page
    page.goto("/")
    expect(page.get_by_role("heading", name="No memes yet")).to_be_visible()
    app.check_access("empty")
    page.get_by_role("link", name="Make a meme").click()
    expect(page).to_have_url(re.compile("/app/editor$"))


@scenario("1.6 the list updates with the Refresh button, and when the page becomes visible again")
def refresh(app):
    app.server.meme("before")
    page = app.page
    page.goto("/")
    expect(page.get_by_role("listitem")).to_have_count(1)
    app.server.meme("after")
    page.get_by_role("button", name="Refresh").click()
    expect(page.get_by_role("listitem")).to_have_count(2)
    expect(page.get_by_role("listitem").nth(0)).to_contain_text("after")
    expect(page.get_by_role("status")).to_have_text("You’re up to date.")
    app.server.meme("while they were away")
    # Headless windows are never hidden, so the event is simulated.
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.get_by_role("listitem").nth(0)).to_contain_text("while they were away")


@scenario("1.7 a row swiped far to the left is deleted, and Undo restores it in place")
def swipe_far(app):
    page = app.open_window(touch=True)
    name, token = app.sign_in()
    app.server.memes(3, token=token)
    page.goto("/")
    rows = page.get_by_role("listitem")
    expect(rows).to_have_count(3)
    swipe_left(page, rows.nth(1), 300)
    expect(rows).to_have_count(2)
    expect(page.get_by_role("status")).to_have_text("Meme deleted.")
    page.reload()
    expect(rows).to_have_count(2)
    swipe_left(page, rows.nth(0), 300)
    expect(rows).to_have_count(1)
    page.get_by_role("button", name="Undo").tap()
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("meme number 3")
    page.reload()
    expect(rows).to_have_count(2)


@scenario("1.8 a short swipe shows the Delete button, and a tap elsewhere only hides it")
def swipe_short(app):
    page = app.open_window(touch=True)
    name, token = app.sign_in()
    app.server.memes(3, token=token)
    page.goto("/")
    rows = page.get_by_role("listitem")
    expect(rows).to_have_count(3)
    swipe_left(page, rows.nth(0), 90)
    expect(rows.nth(0)).to_have_class(re.compile("is-open"))
    app.photograph("swiped")
    rows.nth(0).get_by_role("link").tap()
    expect(rows.nth(0)).not_to_have_class(re.compile("is-open"))
    expect(page).to_have_url(re.compile("/$"))
    # While the row slides back, the button is still under the finger.
    comes_to_rest(page)
    swipe_left(page, rows.nth(0), 90)
    expect(rows.nth(0)).to_have_class(re.compile("is-open"))
    rows.nth(0).get_by_role("button", name="Delete meme number 3").tap()
    expect(rows).to_have_count(2)


@scenario("1.9 a vertical touch movement scrolls the list and swipes no row")
def scrolling_is_no_swipe(app):
    page = app.open_window(touch=True)
    name, token = app.sign_in()
    app.server.memes(12, token=token)
    page.goto("/")
    rows = page.get_by_role("listitem")
    expect(rows.nth(3)).to_be_visible()
    swipe_left(page, rows.nth(3), 30, down=-200)
    expect(page.locator(".is-open, .is-pulled")).to_have_count(0)
    assert page.evaluate("() => scrollY") > 100


@scenario("1.10 by keyboard, arrows move between rows, Delete deletes, Ctrl+Z undoes, and the focus keeps its place")
def by_key(app):
    name, token = app.sign_in()
    app.server.memes(4, token=token)
    page = app.page
    page.goto("/")
    rows = page.get_by_role("listitem")
    expect(rows).to_have_count(4)
    rows.nth(0).get_by_role("link").focus()
    page.keyboard.press("ArrowDown")
    expect(rows.nth(1).get_by_role("link")).to_be_focused()
    page.keyboard.press("Delete")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text("meme number 2")
    expect(rows.nth(1).get_by_role("link")).to_be_focused()
    # The row disappears before the server responds. After the response it can be undone.
    expect(page.get_by_role("status")).to_have_text("Meme deleted.")
    page.keyboard.press("Control+z")
    expect(rows).to_have_count(4)
    expect(page.get_by_role("status")).to_have_text("Meme restored.")
    expect(rows.nth(1)).to_contain_text("meme number 3")
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_accessible_name(re.compile("^Delete meme number"))
    page.keyboard.press("Enter")
    expect(rows).to_have_count(3)


@scenario("1.20 Undo restores all memes whose deletion the notice shows, also those with text boxes, under their titles")
def several(app):
    name, token = app.sign_in()
    app.server.memes(2, token=token)
    app.server.meme(token=token, captions='[{"text": "in a box", "x": 0.1, "y": 0.6, "width": 0.3, "height": 0.2}]')
    page = app.page
    page.goto("/")
    rows = page.get_by_role("listitem")
    told = page.locator("notice-bar")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("in a box")
    rows.first.get_by_role("link").focus()
    for number, words in [(2, "Meme deleted."), (1, "2 memes deleted.")]:
        page.keyboard.press("Delete")
        expect(rows).to_have_count(number)
        expect(told.get_by_role("status")).to_have_text(words)
    told.get_by_role("button", name="Undo").click()
    expect(told.get_by_role("status")).to_have_text("2 memes restored.")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("in a box")
    # After the notice has gone, a deletion counts alone.
    rows.last.get_by_role("link").focus()
    page.keyboard.press("Delete")
    expect(told.get_by_role("status")).to_have_text("Meme deleted.")
    told.get_by_role("button", name="Dismiss").click()
    rows.last.get_by_role("link").focus()
    page.keyboard.press("Delete")
    expect(told.get_by_role("status")).to_have_text("Meme deleted.")
    # If one of them cannot be restored now, the notice offers that again.
    rows.last.get_by_role("link").focus()
    page.keyboard.press("Delete")
    expect(told.get_by_role("status")).to_have_text("2 memes deleted.")
    page.route("**/restore", lambda route: route.abort(), times=1)
    told.get_by_role("button", name="Undo").click()
    expect(rows).to_have_count(1)
    expect(told.get_by_role("status")).to_have_text("The server isn’t responding. Try again when you’re online.")
    app.forgive("ERR_FAILED")
    told.get_by_role("button", name="Undo").click()
    expect(told.get_by_role("status")).to_have_text("Meme restored.")
    expect(rows).to_have_count(2)


@scenario("1.11 by mouse, hovering over a row shows its Delete button")
def by_mouse(app):
    name, token = app.sign_in()
    app.server.memes(2, token=token)
    page = app.page
    page.goto("/")
    rows = page.get_by_role("listitem")
    expect(rows).to_have_count(2)
    rows.nth(0).hover()
    button = rows.nth(0).get_by_role("button", name="Delete meme number 2")
    expect(button).to_have_css("opacity", "1")
    button.click()
    expect(rows).to_have_count(1)
    expect(rows.nth(0)).to_contain_text("meme number 1")


@scenario("1.12 guests can delete only memes that they made on this device")
def without_account(app):
    mine, other = app.server.meme("mine"), app.server.meme("somebody else's")
    page = app.page
    page.goto("/")
    app.is_settled()
    page.evaluate(
        """async ([id, token]) => {
          const at = document.querySelector('script[type=module]').src.replace('main.js', 'delete-tokens.js');
          await (await import(at)).deleteTokens.keep(id, token);
        }""", [mine["id"], mine["deleteToken"]])
    page.reload()
    rows = page.get_by_role("listitem")
    expect(rows).to_have_count(2)
    expect(rows.nth(0).get_by_role("button")).to_have_count(0)
    rows.nth(1).get_by_role("button", name="Delete mine").focus()
    page.keyboard.press("Enter")
    expect(rows).to_have_count(1)
    page.route("**/restore", lambda route: route.abort(), times=1)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("notice-bar")).to_contain_text("The server isn’t responding.")
    app.forgive("ERR_FAILED")
    page.get_by_role("button", name="Undo").click()
    expect(rows).to_have_count(2)
    expect(rows.nth(1).get_by_role("button", name="Delete mine")).to_have_count(1)
    assert page.evaluate("() => JSON.stringify({ ...localStorage, ...sessionStorage })").find(mine["deleteToken"]) < 0


@scenario("1.13 a meme whose deletion the server rejects stays in place, and the error is shown")
def refused(app):
    name, token = app.sign_in()
    app.server.memes(2, token=token)
    page = app.page
    page.goto("/")
    rows = page.get_by_role("listitem")
    expect(rows).to_have_count(2)
    page.route("**/memes/*", lambda route: route.fulfill(
        status=507, content_type="application/problem+json", body='{"code": "storage-full"}')
        if route.request.method == "DELETE" else route.continue_())
    rows.nth(0).get_by_role("link").focus()
    page.keyboard.press("Delete")
    expect(page.get_by_role("status")).to_have_text("The server’s disk is full.")
    expect(rows).to_have_count(2)
    app.forgive("507")


@scenario("1.14 table and grid are accessible in light and dark themes at all window sizes")
def access(app):
    name, token = app.sign_in()
    app.server.memes(3, token=token)
    page = app.page
    for view, path in [("table", "/"), ("grid", "/app/grid")]:
        for look, is_new in looks(app):
            if is_new:
                page.goto(path)
            expect(page.get_by_role("listitem")).to_have_count(3)
            if is_new:
                app.check_access(f"{view} {look}")


@scenario("1.15 changes to the user's memes on other devices appear immediately")
def live(app):
    name, token = app.sign_in()
    first = app.server.meme("already there", token=token)
    page = app.page
    page.goto("/")
    rows = page.get_by_role("listitem")
    expect(rows).to_have_count(1)
    made = app.server.meme("from the phone", token=token)
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("from the phone")
    app.server.json("PATCH", f"/memes/{made['id']}", {"top": "edited on the phone"}, token=token)
    expect(rows.nth(0)).to_contain_text("edited on the phone")
    app.server.call("DELETE", f"/memes/{first['id']}", token=token)
    expect(rows).to_have_count(1)
    expect(rows.nth(0)).to_contain_text("edited on the phone")


@scenario("1.21 a change on another device moves neither the focus nor a swiped row")
def unmoved(app):
    page = app.open_window(touch=True)
    name, token = app.sign_in()
    meme = app.server.meme("before", token=token)
    page.goto("/")
    row = page.get_by_role("listitem")
    expect(row).to_have_count(1)
    swipe_left(page, row, 90)
    expect(row).to_have_class(re.compile("is-open"))
    row.get_by_role("button").focus()
    app.server.json("PATCH", f"/memes/{meme['id']}", {"top": "changed"}, token=token)
    expect(row).to_contain_text("changed")
    expect(row).to_have_class(re.compile("is-open"))
    expect(row.get_by_role("button", name="Delete changed")).to_be_focused()
    page.keyboard.press("Enter")
    expect(row).to_have_count(0)


@scenario("1.22 a change during the refresh of a list is in the list afterwards")
def refreshed_again(app):
    app.server.meme("before")
    page = app.page
    page.goto("/")
    expect(page.get_by_role("listitem")).to_have_count(1)
    held = []

    def hold(route):
        held.append((route, route.fetch()))

    page.route(re.compile(r"/memes\?.*view=table"), hold, times=1)
    page.get_by_role("button", name="Refresh").click()
    eventually("the server has answered", lambda: held, page)
    app.server.meme("during")
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    route, answer = held.pop()
    route.fulfill(response=answer)
    expect(page.get_by_role("listitem")).to_have_count(2)
    expect(page.get_by_role("listitem").nth(0)).to_contain_text("during")


@scenario("1.23 after a failed refresh, the page says so, and a retry repeats the refresh, also of a complete list")
def refresh_fails(app):
    name, token = app.sign_in()
    page = app.page
    app.server.meme("before", token=token)
    for address, lists in [("/", r"/memes\?"), ("/app/feed", r"/feed\?")]:
        page.goto(address)
        shown = page.locator("#pages > :not([hidden])")
        expect(shown.get_by_role("listitem").first).to_contain_text("before")
        count = shown.get_by_role("listitem").count()
        page.route(re.compile(lists), lambda route: route.fulfill(
            status=503, content_type="application/problem+json", body='{"code": "overloaded"}'))
        page.get_by_role("button", name="Refresh").click()
        expect(page.locator("notice-bar")).to_contain_text("The server is busy.")
        page.unroute(re.compile(lists))
        app.server.meme("before and after", token=token)
        shown.get_by_role("button", name="Try again").click()
        expect(shown.get_by_role("listitem")).to_have_count(count + 1)
        expect(shown.get_by_role("alert")).to_have_count(0)
    app.forgive("503")


@scenario("1.24 a restore that ends late leaves the notice of a newer deletion, and the focus goes from Undo to the page")
def late_restore(app):
    name, token = app.sign_in()
    app.server.memes(3, token=token)
    page = app.page
    page.goto("/")
    rows = page.get_by_role("listitem")
    told = page.locator("notice-bar")
    held = []
    page.route("**/restore", lambda route: held.append(route))
    rows.first.get_by_role("link").focus()
    page.keyboard.press("Delete")
    expect(told.get_by_role("status")).to_have_text("Meme deleted.")
    undo = told.get_by_role("button", name="Undo")
    undo.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    eventually("the restore is sent", lambda: len(held) == 1, page)
    rows.first.get_by_role("link").focus()
    page.keyboard.press("Delete")
    expect(rows).to_have_count(1)
    expect(undo).to_be_visible()
    held.pop().continue_()
    expect(rows).to_have_count(2)
    expect(told.get_by_role("status")).to_have_text("Meme deleted.")
    undo.click()
    eventually("the restore is sent", lambda: len(held) == 1, page)
    held.pop().continue_()
    expect(rows).to_have_count(3)
    expect(told.get_by_role("status")).to_have_text("Meme restored.")


@scenario("1.25 changes while a list loads for the first time, or its next page, are in the list afterwards")
def changed_while_loading(app):
    memes = app.server.memes(45)
    page = app.page
    held = []

    def hold(route):
        held.append((route, route.fetch()))

    def tell(*details):
        """Reports changes to the page, after the server has answered with the state before."""
        page.evaluate("""async (details) => {
          const { store } = await import(document.querySelector('script[type=module]').src.replace('main.js', 'store.js'));
          details.forEach((detail) => store.tell(detail));
        }""", list(details))
        route, answer = held.pop()
        route.fulfill(response=answer)

    page.route(re.compile(r"/memes\?view=table&limit=40"), hold, times=1)
    page.goto("/", wait_until="commit")
    eventually("the server has answered", lambda: held, page)
    newest, oldest = memes[0], memes[-1]
    tell({"kind": "delete", "id": newest["id"]}, {"kind": "upsert", "meme": app.server.meme("made while it loads")})
    expect(page.get_by_text("made while it loads", exact=True)).to_be_visible()
    expect(page.get_by_text(newest["top"], exact=True)).to_have_count(0)

    page.route(re.compile(r"/memes\?.*cursor="), hold, times=1)

    def is_held():
        page.mouse.wheel(0, 2000)
        return held

    eventually("the server has answered for the next page", is_held, page)
    tell({"kind": "delete", "id": oldest["id"]})
    expect(page.get_by_text(memes[-2]["top"], exact=True)).to_be_visible()
    expect(page.get_by_text(oldest["top"], exact=True)).to_have_count(0)


@scenario("1.26 after a 404 of a proxy, guests can still delete the memes that they made on this device")
def proxy(app):
    meme = app.server.meme("made by a guest")
    page = app.page
    page.goto("/")
    page.evaluate("""async ([id, token]) => {
      const app = document.querySelector('script[type=module]').src;
      await (await import(app.replace('main.js', 'delete-tokens.js'))).deleteTokens.keep(id, token);
    }""", [meme["id"], meme["deleteToken"]])
    path = re.compile(f"/memes/{meme['id']}$")
    page.route(path, lambda route: route.fulfill(status=404, content_type="text/plain", body="404 page not found"))
    page.goto(f"/app/meme/{meme['id']}")
    expect(page.get_by_role("alert")).to_contain_text("Something went wrong.")
    page.unroute(path)
    page.goto("/")
    page.get_by_role("listitem").filter(has_text="made by a guest").hover()
    page.get_by_role("button", name="Delete made by a guest").click()
    expect(page.get_by_text("Meme deleted.")).to_be_visible()
    app.forgive("404")
