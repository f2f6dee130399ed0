"""5. People: profiles, follows, feeds, notifications and blocks."""

import re
import uuid

from app import PICTURES, answered, eventually, expect, scenario


def heading(page, text):
    expect(page.locator("h1:visible")).to_have_text(text)


def row(page, name):
    return page.locator("li.person:visible").filter(has_text=name)


def choose(page, name):
    """Opens the page's menu and chooses an item."""
    page.get_by_role("button", name="More", exact=True).filter(visible=True).click()
    page.get_by_role("dialog").get_by_role("button", name=name).click()


@scenario("5.11 a profile shows name, bio and visible memes, and users can edit their own")
def profile(app):
    other, other_token = app.server.person("Grace Hopper")
    app.server.json("PATCH", "/users/me", {"bio": "Found a moth.\n<b>Kept it.</b>"}, other_token)
    app.server.meme("for", "everybody", token=other_token)
    app.server.meme("for", "nobody else", token=other_token, visibility="private")
    name, token = app.sign_in("Ada Lovelace")
    page = app.page
    page.goto(f"/app/user/{other}")
    heading(page, f"@{other}")
    about = page.get_by_role("region", name="About")
    expect(about).to_contain_text("Grace Hopper")
    expect(about).to_contain_text("<b>Kept it.</b>")
    expect(about).to_contain_text("1 meme")
    expect(page.get_by_role("img", name="Picture of Grace Hopper")).to_be_visible()
    expect(page.get_by_role("listitem")).to_have_count(1)
    page.get_by_role("listitem").get_by_role("link").click()
    heading(page, "for – everybody")
    expect(page.get_by_role("link", name=f"@{other}")).to_be_visible()
    page.get_by_role("link", name="Grace Hopper").click()
    heading(page, f"@{other}")

    page.goto("/app/you")
    page.get_by_role("link", name="Ada Lovelace").click()
    heading(page, f"@{name}")
    expect(page.get_by_role("button", name="More")).to_have_count(0)
    page.get_by_role("link", name="Edit profile").click()
    heading(page, "Profile")
    page.get_by_label("Name").fill("Countess Ada")
    page.get_by_label("About you").fill("Likes looms.")
    page.get_by_role("button", name="Save").click()
    heading(page, f"@{name}")
    expect(page.get_by_role("region", name="About")).to_contain_text("Countess Ada")
    expect(page.get_by_role("region", name="About")).to_contain_text("Likes looms.")
    page.goto("/app/user/nobody_has_this")
    expect(page.get_by_role("alert")).to_contain_text("Not found, or you don’t have access.")
    app.forgive("404")


@scenario("5.12 a profile picture can be uploaded, appears everywhere and can be removed")
def picture(app):
    name, token = app.sign_in()
    page = app.page
    page.goto("/app/settings/profile")
    drawn = page.get_by_role("img", name="Your picture")
    expect(drawn).to_have_js_property("naturalWidth", 512)
    page.get_by_label("Choose a picture").set_input_files(PICTURES / "photo.jpg")
    expect(page.get_by_role("status")).to_have_text("Picture changed.")
    expect(drawn).to_have_attribute("src", re.compile(r"\?v="))
    page.get_by_role("link", name="Settings").click()
    page.goto("/")
    image = page.get_by_role("link", name="You").locator("img")
    expect(image).to_have_attribute("src", re.compile(r"\?v="))
    assert app.server.call("GET", f"/users/{name}")["avatarUrl"] == image.get_attribute("src")
    page.goto("/app/settings/profile")
    page.get_by_label("Choose a picture").set_input_files({"name": "x.png", "mimeType": "image/png", "buffer": b"not a picture"})
    expect(page.get_by_role("alert").filter(has_text="This picture format isn’t supported.")).to_be_visible()
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("button", name="Remove")).to_have_count(0)
    assert "?v=" not in app.server.call("GET", f"/users/{name}")["avatarUrl"]
    app.forgive("415")


@scenario("5.13 users can follow and unfollow, and mutual followers see each other's friends-only memes")
def follow(app):
    other, other_token = app.server.person("Grace Hopper")
    app.server.meme("only", "for friends", token=other_token, visibility="friends")
    page = app.page
    page.goto(f"/app/user/{other}")
    page.get_by_role("button", name="Follow: Grace Hopper").click()
    expect(page.get_by_role("status")).to_have_text("Sign in to follow people.")
    name, token = app.sign_in()
    app.server.call("PUT", f"/users/{name}/follow", token=other_token)
    page.goto(f"/app/user/{other}")
    expect(page.get_by_role("listitem")).to_have_count(0)
    button = page.get_by_role("button", name="Follow back: Grace Hopper")
    button.focus()
    with answered(page, "PUT", "/follow$"):
        page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Unfollow: Grace Hopper")).to_be_focused()
    expect(page.get_by_role("link", name="1 follower")).to_be_visible()
    page.get_by_role("link", name="1 follower").click()
    heading(page, "Followers")
    expect(row(page, "Ada Lovelace")).to_be_visible()
    expect(row(page, "Ada Lovelace").get_by_role("button")).to_have_count(0)
    page.goto("/app/friends")
    expect(row(page, "Grace Hopper")).to_be_visible()
    row(page, "Grace Hopper").get_by_role("link").click()
    # The list of friends has such a button too, and one item.
    expect(page.get_by_role("link", name="1 follower")).to_be_visible()
    expect(page.get_by_role("listitem")).to_have_count(1)
    with answered(page, "DELETE", "/follow$"):
        page.get_by_role("button", name="Unfollow: Grace Hopper").click()
    expect(page.get_by_role("button", name="Follow back: Grace Hopper")).to_be_visible()
    page.goto("/app/friends")
    expect(page.get_by_role("heading", name="No one yet")).to_be_visible()


@scenario("5.14 a follow that fails is reverted, and the error is shown")
def follow_fails(app):
    other, _ = app.server.person("Bob")
    app.sign_in()
    page = app.page
    page.goto(f"/app/user/{other}")
    page.route("**/follow", lambda route: route.fulfill(
        status=503, content_type="application/problem+json", body='{"code": "storage-busy"}'))
    page.get_by_role("button", name="Follow: Bob").click()
    expect(page.get_by_role("status")).to_contain_text("The server is busy.")
    expect(page.get_by_role("button", name="Follow: Bob")).to_be_visible()
    app.forgive("503")


@scenario("5.15 people search shows results during typing, works without an account and survives a reload")
def search(app):
    letters = "zq" + uuid.uuid4().hex[:6]
    for number in range(35):
        app.server.person(f"{letters}{number} Sought")
    page = app.page
    page.goto("/app/people")
    expect(page.get_by_role("heading", name="Search for people")).to_be_visible()
    field = page.get_by_role("searchbox")
    field.press_sequentially(letters)
    expect(page.locator("li.person")).to_have_count(30)
    expect(page.get_by_role("status").filter(has_text="found")).to_have_text("30 people and more found.")
    page.keyboard.press("End")
    page.mouse.wheel(0, 5000)
    expect(page.locator("li.person")).to_have_count(35)
    expect(field).to_be_focused()
    page.reload()
    expect(page.locator("li.person").first).to_contain_text("Sought")
    expect(field).to_have_value(letters)
    for nobody in ["xxxxyyyyzzzz", "%", "☃"]:
        field.fill(nobody)
        expect(page.get_by_role("heading", name="No one found")).to_be_visible()
    app.check_access("no results")


@scenario("5.16 the feed has memes of followed people and the user's own, newest first")
def feed(app):
    followed, followed_token = app.server.person("Grace Hopper")
    stranger, stranger_token = app.server.person("A stranger")
    app.server.meme("by a stranger", token=stranger_token)
    app.server.meme("followed", token=followed_token)
    name, token = app.sign_in()
    page = app.page
    page.goto("/app/feed")
    expect(page.get_by_role("heading", name="Nothing here yet")).to_be_visible()
    app.check_access("empty feed")
    app.server.call("PUT", f"/users/{followed}/follow", token=token)
    app.server.meme("my own", token=token)
    page.get_by_role("button", name="Refresh").click()
    items = page.get_by_role("listitem")
    expect(items).to_have_count(2)
    expect(items.nth(0)).to_contain_text("my own")
    expect(items.nth(1)).to_contain_text("Grace Hopper")
    items.nth(0).get_by_role("link").focus()
    page.keyboard.press("ArrowDown")
    expect(items.nth(1).get_by_role("link")).to_be_focused()
    page.keyboard.press("Enter")
    heading(page, "followed")
    page.get_by_role("link", name="Feed").click()
    expect(items.nth(1).get_by_role("link")).to_be_focused()
    # Memes made elsewhere appear by themselves.
    app.server.meme("newest", token=token)
    expect(items).to_have_count(3)
    expect(items.nth(0)).to_contain_text("newest")


@scenario("5.17 notifications are counted on the first page, grouped, linked to their subjects, and marked as read")
def notifications(app):
    name, token = app.server.person("Ada Lovelace")
    meme = app.server.meme("much", "noticed", token=token)
    others = [app.server.person(f"Person {number}") for number in range(3)]
    for other, other_token in others:
        app.server.call("PUT", f"/memes/{meme['id']}/like", token=other_token)
    app.server.json("POST", f"/memes/{meme['id']}/comments", {"text": "There was <b>an eagle</b>."}, others[0][1])
    app.server.call("PUT", f"/users/{name}/follow", token=others[1][1])
    app.sign_in(who=(name, token))
    page = app.page
    page.get_by_role("link", name="You, 3 new notifications").click()
    page.get_by_role("link", name=re.compile("^Notifications.*3 new")).click()
    heading(page, "Notifications")
    items = page.get_by_role("listitem")
    expect(items).to_have_count(3)
    expect(items.nth(0)).to_contain_text("New: Person 1 followed you.")
    expect(items.nth(1)).to_contain_text("Person 0 commented on your meme.")
    expect(items.nth(1)).to_contain_text("“There was <b>an eagle</b>.”")
    expect(items.nth(2)).to_contain_text("Person 2 and 2 others liked your meme.")
    app.check_access("notifications")
    items.nth(2).get_by_role("link").click()
    heading(page, "much – noticed")
    page.go_back()
    heading(page, "Notifications")
    page.get_by_role("link", name="You", exact=True).click()
    heading(page, "You")
    page.get_by_role("link", name="Notifications", exact=True).click()
    heading(page, "Notifications")
    expect(items.nth(0)).to_contain_text("followed you.")
    expect(items.nth(0)).not_to_contain_text("New:")
    items.nth(0).get_by_role("link").click()
    heading(page, f"@{others[1][0]}")
    assert app.server.call("GET", "/notifications", token=token)["unread"] == 0


@scenario("5.18 favorites can be added, listed and removed")
def favorites(app):
    name, token = app.sign_in()
    memes = [app.server.meme(f"meme {number}", altText=f"meme {number}") for number in range(2)]
    page = app.page
    page.goto("/app/favorites")
    expect(page.get_by_role("heading", name="No favorites yet")).to_be_visible()
    for meme in memes:
        page.goto(f"/app/meme/{meme['id']}")
        with answered(page, "PUT", "/favorite$"):
            page.get_by_role("button", name="Favorite").click()
        expect(page.get_by_role("button", name="Favorite")).to_have_attribute("aria-pressed", "true")
    page.goto("/app/favorites")
    cells = page.get_by_role("listitem")
    expect(cells).to_have_count(2)
    expect(cells.nth(0).get_by_role("img")).to_have_attribute("alt", "meme 1")
    cells.nth(0).get_by_role("link").click()
    with answered(page, "DELETE", "/favorite$"):
        page.get_by_role("button", name="Favorite").click()
    page.get_by_role("link", name="Favorites").click()
    expect(cells).to_have_count(1)


@scenario("5.19 blocking hides a person and their memes, and can be undone immediately or later")
def block(app):
    other, other_token = app.server.person("Eve")
    meme = app.server.meme("by Eve", token=other_token)
    app.sign_in()
    page = app.page
    page.goto(f"/app/user/{other}")
    page.get_by_role("button", name="More").click()
    app.check_access("menu")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="More")).to_be_focused()
    choose(page, "Block Eve")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    choose(page, "Block Eve")
    page.get_by_role("dialog").get_by_role("button", name="Block").click()
    expect(page.get_by_role("heading", name="You blocked Eve")).to_be_visible()
    app.check_access("blocked")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("listitem")).to_have_count(1)

    page.get_by_role("listitem").get_by_role("link").click()
    heading(page, "by Eve")
    choose(page, "Block Eve")
    page.get_by_role("dialog").get_by_role("button", name="Block").click()
    expect(page.get_by_role("heading", name="You blocked Eve")).to_be_visible()
    page.goto(f"/app/meme/{meme['id']}")
    expect(page.get_by_role("alert")).to_contain_text("Not found, or you don’t have access.")
    page.goto("/app/settings/blocks")
    row(page, "Eve").get_by_role("button", name="Unblock Eve").click()
    expect(page.get_by_role("status")).to_have_text("Eve unblocked.")
    expect(page.get_by_role("heading", name="No one yet")).to_be_visible()
    page.goto(f"/app/user/{other}")
    expect(page.get_by_role("listitem")).to_have_count(1)
    app.forgive("404")


@scenario("5.20 guests can report people, memes and comments")
def report(app):
    other, other_token = app.server.person("Eve")
    meme = app.server.meme("by Eve", token=other_token)
    app.server.json("POST", f"/memes/{meme['id']}/comments", {"text": "Buy this."}, other_token)
    page = app.page
    page.goto(f"/app/user/{other}")
    choose(page, "Report Eve")
    dialog = page.get_by_role("dialog", name="Report Eve")
    app.check_access("report")
    app.photograph("people-report")
    dialog.get_by_role("button", name="Report", exact=True).click()
    expect(dialog.get_by_label("Why?")).to_have_accessible_description(re.compile("Required."))
    # A choice keeps what was written.
    dialog.get_by_label("Why?").fill("my address")
    for reason, text in [("Hate or harassment", ": my address"), ("Spam or advertising", ": my address")]:
        dialog.get_by_role("button", name=reason).click()
        expect(dialog.get_by_label("Why?")).to_have_value(reason + text)
    dialog.get_by_label("Why?").fill("Spam or advertising")
    dialog.get_by_role("button", name="Report", exact=True).click()
    expect(page.get_by_role("status")).to_have_text("Thank you. The admins will review it.")
    page.goto(f"/app/meme/{meme['id']}")
    choose(page, "Report this meme")
    dialog = page.get_by_role("dialog", name="Report this meme")
    dialog.get_by_label("Why?").fill("It is not funny.")
    dialog.get_by_role("button", name="Report", exact=True).click()
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Report Eve’s comment")).click()
    dialog = page.get_by_role("dialog", name="Report this comment")
    dialog.get_by_label("Why?").fill("Advertising")
    dialog.get_by_role("button", name="Report", exact=True).click()
    expect(dialog).to_have_count(0)
    reports = app.server.call("GET", "/admin/reports?limit=3", token=app.server.admin_token)["items"]
    assert sorted(each["reason"] for each in reports) == ["Advertising", "It is not funny.", "Spam or advertising"], reports


@scenario("5.21 names link to profiles, and like counts to the people who liked the meme")
def links(app):
    other, other_token = app.server.person("Grace Hopper")
    meme = app.server.meme("linked", token=other_token)
    app.server.json("POST", f"/memes/{meme['id']}/comments", {"text": "mine"}, other_token)
    app.server.call("PUT", f"/memes/{meme['id']}/like", token=other_token)
    page = app.page
    page.goto(f"/app/meme/{meme['id']}")
    page.locator("li.comment").get_by_role("link", name="Grace Hopper").click()
    heading(page, f"@{other}")
    page.go_back()
    page.get_by_role("link", name="Liked by 1 person").click()
    heading(page, "Likes")
    expect(row(page, "Grace Hopper")).to_be_visible()
    page.get_by_role("link", name="linked").click()
    heading(page, "linked")


@scenario("5.22 notifications keep their place in the list when the user returns to the page")
def place_kept(app):
    name, token = app.server.person("Ada Lovelace")
    bob = app.server.person("Bob")[1]
    for meme in app.server.memes(55, token=token):
        app.server.call("PUT", f"/memes/{meme['id']}/like", token=bob)
    app.sign_in(who=(name, token))
    page = app.page
    # A new event does not join a group that was read.
    page.route("**/notifications/read", lambda route: route.fulfill(status=204))
    page.goto("/app/notifications")
    items = page.locator(".told")
    expect(items.first).to_be_visible()
    first = items.count()
    page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
    expect(items).to_have_count(55)
    page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
    last = items.last.get_by_role("link")
    meme = last.get_attribute("href").split("/")[-1]
    place = page.evaluate("() => scrollY")
    last.click()
    expect(page.locator("h1:visible")).to_have_text(re.compile("meme number"))
    # The group of another meme moves to the front.
    moved = items.nth(50).locator("a").get_attribute("href").split("/")[-1]
    app.server.call("PUT", f"/memes/{moved}/like", token=app.server.person("Eve")[1])
    page.go_back()
    heading(page, "Notifications")
    expect(items.first).to_contain_text("Eve and Bob liked your meme.")
    expect(items).to_have_count(55)
    assert first < 55 and page.evaluate("() => scrollY") > place / 2
    expect(items.last.get_by_role("link")).to_be_focused()
    assert meme in items.last.get_by_role("link").get_attribute("href")


@scenario("5.43 notifications behind those of a blocked person are shown without scrolling")
def behind_blocked(app):
    name, token = app.server.person("Ada Lovelace")
    bob, (eve, eve_token) = app.server.person("Bob")[1], app.server.person("Eve")
    # A page scans 100 notifications, so the first one is empty after the block.
    for number, meme in enumerate(app.server.memes(101, token=token)[::-1]):
        app.server.call("PUT", f"/memes/{meme['id']}/like", token=eve_token if number else bob)
    app.server.call("PUT", f"/users/{eve}/block", token=token)
    page = app.server.call("GET", "/notifications", token=token)
    assert page["items"] == [] and page["nextCursor"] and page["unread"] == 1, page
    app.sign_in(who=(name, token))
    page = app.page
    page.goto("/app/notifications")
    items = page.locator(".told")
    expect(items).to_have_count(1)
    expect(items).to_contain_text("Bob liked your meme.")
    app.is_settled()
    # The user has seen it.
    eventually("it is read", lambda: app.server.call("GET", "/notifications", token=token)["unread"] == 0, page)


@scenario("5.44 lists of people and notifications fill a tall window")
def tall_window(app):
    name, token = app.server.person("Ada Lovelace")
    for number, meme in enumerate(app.server.memes(31, token=token)):
        other = app.server.person(f"Person {number}")[1]
        app.server.call("PUT", f"/users/{name}/follow", token=other)
        app.server.call("PUT", f"/memes/{meme['id']}/like", token=other)
    app.open_window(height=4000)
    app.sign_in(who=(name, token))
    page = app.page
    page.goto(f"/app/user/{name}/followers")
    expect(page.locator("li.person")).to_have_count(31)
    page.goto("/app/notifications")
    expect(page.locator(".told")).to_have_count(32)


@scenario("5.45 after a block, lists that were open no longer show the person's memes and comments")
def block_in_lists(app):
    other, other_token = app.server.person("Eve")
    name, token = app.server.person("Ada Lovelace")
    own = app.server.meme("by Ada", token=token)
    app.server.json("POST", f"/memes/{own['id']}/comments", {"text": "Buy this."}, other_token)
    # More than the first page of the list.
    app.server.memes(45, token=other_token)
    app.server.call("PUT", f"/users/{other}/follow", token=token)
    app.sign_in(who=(name, token))
    page = app.page
    page.goto("/app/feed")
    rows = page.get_by_role("listitem")
    expect(rows.filter(has_text="meme number 45")).to_be_visible()
    page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
    page.get_by_role("link", name="by Ada").click()
    heading(page, "by Ada")
    page.locator("li.comment").get_by_role("link", name="Eve").click()
    heading(page, f"@{other}")
    choose(page, "Block Eve")
    page.get_by_role("dialog").get_by_role("button", name="Block").click()
    expect(page.get_by_role("heading", name="You blocked Eve")).to_be_visible()
    page.go_back()
    heading(page, "by Ada")
    expect(page.locator("li.comment")).to_have_count(0)
    page.go_back()
    heading(page, "Feed")
    expect(rows.filter(visible=True)).to_have_count(1)
    expect(rows.filter(visible=True)).to_contain_text("by Ada")
    app.forgive("404")


@scenario("5.46 after a block, a list of people that was open no longer shows the person, and Undo restores the comments")
def block_in_people(app):
    other, other_token = app.server.person("Eve")
    name, token = app.server.person("Ada Lovelace")
    meme = app.server.meme("by Ada", token=token)
    app.server.json("POST", f"/memes/{meme['id']}/comments", {"text": "Buy this."}, other_token)
    app.server.call("PUT", f"/users/{name}/follow", token=other_token)
    app.sign_in(who=(name, token))
    page = app.page
    page.goto(f"/app/user/{name}/followers")
    page.locator("li.person").get_by_role("link", name="Eve").click()
    heading(page, f"@{other}")
    choose(page, "Block Eve")
    page.get_by_role("dialog").get_by_role("button", name="Block").click()
    expect(page.get_by_role("heading", name="You blocked Eve")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Followers")).to_be_visible()
    expect(page.locator("li.person")).to_have_count(0)
    app.server.call("DELETE", f"/users/{other}/block", token=token)
    page.goto(f"/app/meme/{meme['id']}")
    page.locator("li.comment").get_by_role("link", name="Eve").click()
    heading(page, f"@{other}")
    choose(page, "Block Eve")
    page.get_by_role("dialog").get_by_role("button", name="Block").click()
    page.get_by_role("button", name="Undo").click()
    heading(page, f"@{other}")
    page.go_back()
    heading(page, "by Ada")
    expect(page.locator("li.comment")).to_have_count(1)
    app.forgive("404")


@scenario("5.23 lists of people and notifications continue while their end is in view, also after short pages")
def short_pages(app):
    name, token = app.sign_in()
    page = app.page
    ada = app.server.call("GET", f"/users/{name}", token=token)
    told = {"kind": "follow", "count": 1, "read": True, "meme": None, "comment": None}

    def pages(item):
        """Responds with three pages of two items."""
        def answer(route):
            number = int(re.search(r"cursor=(\d)", route.request.url + "&cursor=0").group(1))
            items = [item(2 * number + each) for each in range(2)]
            route.fulfill(json={"items": items, "nextCursor": str(number + 1) if number < 2 else None, "unread": 0})

        return answer

    page.route(re.compile("/users/me/friends"), pages(lambda number: ada | {"username": f"friend_{number}"}))
    page.route(re.compile(r":\d+/notifications(\?cursor|$)"), pages(lambda number: told | {
        "id": str(number), "createdAt": f"2026-11-2{number}T00:00:00Z", "updatedAt": f"2026-11-2{9 - number}T00:00:00Z",
        "actors": [ada | {"username": f"friend_{number}"}]}))
    page.goto("/app/friends")
    expect(page.locator("li.person:visible")).to_have_count(6)
    page.goto("/app/notifications")
    expect(page.locator("li.told:visible")).to_have_count(6)
