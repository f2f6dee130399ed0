"""11. Styles and overlays of one page do not affect other pages."""

from app import PASSWORD, eventually, expect, scenario
from editing import PHOTO, choose
from people import somebody

# Options of the windows that these scenarios open.
WINDOW = {"service_workers": "allow", "hurried": True}

# The computed style of each kind of element, without its size, which depends on the content. Links that
# lead back are named after their targets.
LOOK = """(within) => {
  const kinds = {};
  for (const each of document.querySelectorAll(`#pages > :not([hidden]) ${within} *`)) {
    if (each.getClientRects().length === 0) continue;
    const kind = `${each.parentElement.localName}.${each.parentElement.className} > ${each.localName}.${each.className} ${each.type ?? ''}`;
    const rules = getComputedStyle(each);
    kinds[kind] ??= ['padding', 'margin', 'display', 'gap', 'minHeight', 'minWidth', 'fontSize', 'fontWeight', 'borderWidth', 'cursor']
      .map((name) => `${name}: ${rules[name]}`).join('; ');
  }
  return kinds;
}"""

# Follows a link without a reload, as people do.
FOLLOW = """(path) => {
  const link = document.createElement('a');
  link.href = path;
  document.body.append(link);
  link.click();
  link.remove();
}"""


def look_of(app, path):
    app.is_settled()
    page, found = app.page, {}
    if path != "/app/editor":
        eventually(f"{path} has content below its bar", lambda: page.evaluate(LOOK, "main"), page)
        return page.evaluate(LOOK, "")
    choose(page, PHOTO)
    for tool in ["Style", "Crop", "More"]:
        button = page.get_by_role("button", name=tool, exact=True)
        button.click()
        found |= page.evaluate(LOOK, ".panels")
        button.click()
    return found


@scenario("11.1 a page looks the same after any other pages")
def alike(app):
    name, token, _ = somebody(app)
    app.sign_in(who=(name, token))
    paths = ["/app/editor", "/app/you", "/app/settings", "/app/settings/captions", "/app/about", f"/app/user/{name}", "/app/people", "/"]
    page, first = app.page, {}
    for path in paths:
        page.goto(path)
        first[path] = look_of(app, path)
        assert len(first[path]) > 5, path
    for path in reversed(paths):
        page.evaluate(FOLLOW, path)
        page.wait_for_url(f"**{path}")
        again = look_of(app, path)
        # Elements that are still loading are in only one of them.
        both = first[path].keys() & again.keys()
        other = {kind: (first[path][kind], again[kind]) for kind in both if first[path][kind] != again[kind]}
        assert not other, (path, other)


@scenario("11.2 the offline banner does not cover the editor's buttons")
def below_the_mark(app):
    app.sign_in()
    page = app.page
    page.goto("/app/editor")
    app.is_settled()
    page.evaluate("() => navigator.serviceWorker.ready.then(() => undefined)")
    app.context.set_offline(True)
    mark = page.locator(".offline-mark")
    expect(mark).to_be_visible()
    end = mark.bounding_box()
    for name in ["Cancel", "Share"]:
        box = page.get_by_role("button", name=name, exact=True).bounding_box()
        assert box["y"] >= end["y"] + end["height"] - 1, (name, box, end)
    tools = page.locator(".tools").bounding_box()
    assert tools["y"] + tools["height"] <= page.viewport_size["height"] + 1, tools
    page.get_by_role("button", name="Cancel").click()
    expect(page).not_to_have_url("**/app/editor")
    app.forgive("ERR_")


@scenario("11.3 words and numbers on buttons do not break, even with text at 200 %")
def whole_words(app):
    name, token = app.sign_in()
    meme = app.server.meme("one does not simply walk into mordor", token=token)
    app.server.json("PATCH", "/users/me/settings", {"accessibility": {"textScale": 2}}, token=token)
    page = app.page
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(f"/app/meme/{meme['id']}")
    app.is_settled()
    broken = """() => [...document.querySelectorAll('button, .button, .bar-action, .bar-link, .badge')].filter((each) => each.getClientRects().length > 0).flatMap((each) => {
      const walker = document.createTreeWalker(each, NodeFilter.SHOW_TEXT), found = [];
      while (walker.nextNode()) {
        for (const { index, 0: word } of walker.currentNode.data.matchAll(/\\S+/g)) {
          const range = document.createRange();
          range.setStart(walker.currentNode, index);
          range.setEnd(walker.currentNode, index + word.length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1) found.push(word);
        }
      }
      return found;
    })"""
    # On the narrowest phones "Edit" was the first to break.
    for width in (320, 280):
        page.set_viewport_size({"width": width, "height": 640})
        assert page.evaluate(broken) == []
    page.goto("/app/editor")
    app.is_settled()
    assert page.evaluate(broken) == []
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto("/")
    app.is_settled()
    page.evaluate("""() => {
      const badge = Object.assign(document.createElement('span'), { className: 'badge', textContent: '35' });
      document.querySelector('.account-button').append(badge);
    }""")
    box = page.locator(".account-button .badge").last.bounding_box()
    assert box["width"] >= box["height"], box


@scenario("11.7 with forced colors, the colors of captions and each current choice are visible")
def forced(app):
    app.sign_in()
    page = app.page
    page.emulate_media(forced_colors="active")
    # The browser forces the computed colors too. It draws no shadow, except where colors are not forced.
    look = """(each) => {
      const { backgroundColor, borderTopColor, borderTopWidth, boxShadow, forcedColorAdjust } = getComputedStyle(each);
      return [backgroundColor, borderTopWidth === '0px' ? '' : borderTopColor, borderTopWidth, forcedColorAdjust === 'none' ? boxShadow : ''].join(' ');
    }"""

    def differ(one, other):
        assert one.evaluate(look) != other.evaluate(look), one.evaluate(look)

    page.goto("/")
    app.is_settled()
    differ(page.get_by_role("link", name="Table"), page.get_by_role("link", name="Grid"))
    page.goto("/app/editor")
    app.is_settled()
    choose(page, PHOTO)
    page.get_by_role("button", name="Style").click()
    differ(page.get_by_role("button", name="Style", exact=True), page.get_by_role("button", name="Crop", exact=True))
    radio = lambda name: page.get_by_role("radio", name=name, exact=True).locator("xpath=following-sibling::*")
    differ(radio("ABC"), radio("Abc"))
    differ(radio("Impact"), radio("Lobster"))
    colors = page.get_by_role("group", name="Text color")
    swatch = lambda name: colors.get_by_role("radio", name=name).locator("xpath=following-sibling::*")
    differ(swatch("Red"), swatch("Green"))
    differ(swatch("White"), colors.locator("input[type=color]"))
    swatch("Green").click()
    differ(swatch("Green").and_(page.locator(".swatch")), swatch("White"))
    assert swatch("White").evaluate("(each) => getComputedStyle(each).boxShadow") != swatch("Green").evaluate("(each) => getComputedStyle(each).boxShadow")
    page.get_by_role("button", name="Close Style").click()
    page.get_by_role("button", name="Crop").click()
    assert page.locator(".crop-frame").evaluate("(each) => getComputedStyle(each).forcedColorAdjust") == "none"


@scenario("11.8 the separator after a name that is written from right to left is between it and the time, and back links keep their names")
def separators(app):
    name, token = app.server.person("نور الدين محمد عبد الله")
    app.server.meme("one does not", "simply read", token)
    other, _ = app.sign_in()
    app.server.call("PUT", f"/users/{name}/follow", token=app.server.json("POST", "/sessions", {"username": other, "password": PASSWORD})["token"])
    page = app.page
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/app/feed")
    author = page.locator(".row-author")
    expect(author).to_have_css("direction", "ltr")
    expect(author.locator("span")).to_have_css("direction", "rtl")
    long = "a_very_long_username_of_thirty"
    page.route(f"**/users/{long}*", lambda route: route.fulfill(json=app.server.call("GET", f"/users/{name}") | {"username": long}))
    page.goto("/app/people")
    page.evaluate(FOLLOW, f"/app/user/{long}")
    expect(page.get_by_role("heading", level=1, name=f"@{long}")).to_be_visible()
    back = page.locator("user-page .bar-link > span")
    expect(back).to_have_text("People")
    assert back.evaluate("(each) => each.scrollWidth <= each.clientWidth")
    # The memes of the person with the long name, who does not exist.
    app.forgive("404")


@scenario("11.9 with text at 200 %, rows show all of their lines, and comments have room next to their buttons")
def large(app):
    name, token = app.sign_in()
    meme = app.server.meme("one does not simply", "enlarge text", token)
    for _ in range(2):
        app.server.json("POST", f"/memes/{meme['id']}/comments", {"text": "a comment with several words"}, token)
    app.server.call("PUT", f"/memes/{meme['id']}/like", token=token)
    page = app.page
    for width in (320, 360, 390):
        page.set_viewport_size({"width": width, "height": 740})
        page.goto("/")
        expect(page.locator(".row-facts")).to_contain_text("2 comments")
        # The settings may arrive when the list is shown already.
        page.evaluate("""async () => {
          const app = document.querySelector('script[type=module]').src;
          const { preferences } = await import(app.replace('main.js', 'preferences.js'));
          await preferences.change({ accessibility: { textScale: 2 } });
        }""")
        row, words = page.locator(".row").bounding_box(), page.locator(".row-words").bounding_box()
        assert row["y"] <= words["y"] and words["y"] + words["height"] <= row["y"] + row["height"], (width, row, words)
        page.goto(f"/app/meme/{meme['id']}")
        comment = page.locator("li.comment").first.bounding_box()
        assert page.locator(".comment-body").first.bounding_box()["width"] > 0.6 * comment["width"], (width, comment)
        # The order of comments leaves room for the letters of the heading.
        heading = page.get_by_role("heading", name="Comments (2)").bounding_box()
        assert heading["height"] < heading["width"], (width, heading)


@scenario("11.10 a list of memes that begins far below the window is shown when the user scrolls, or says that it is empty")
def far_below(app):
    for display_name, is_empty in [("Ada Lovelace", True), ("Grace Hopper", False)]:
        name, token = app.server.person(display_name)
        app.server.json("PATCH", "/users/me", {"bio": "\n".join("line" for _ in range(90))}, token)
        if not is_empty:
            app.server.meme("one does not", "simply scroll", token)
        app.page.goto(f"/app/user/{name}")
        app.is_settled()
        expect(app.page.locator("meme-shelf")).to_have_attribute("aria-busy", "false")
        end = app.page.get_by_role("heading", name="No memes yet") if is_empty else app.page.locator(".cell a")
        app.page.mouse.wheel(0, 5000)
        expect(end).to_be_visible()


@scenario("11.12 a blocked person, whose picture the server hides, has an icon in its place")
def without_picture(app):
    name, token = app.sign_in()
    other, _ = app.server.person("Eve")
    app.server.call("PUT", f"/users/{other}/block", token=token)
    page = app.page
    page.goto("/app/settings/blocks")
    person = page.get_by_role("listitem").filter(has_text="Eve")
    expect(person.locator(".no-avatar .icon")).to_be_visible()
    expect(person.locator("img")).to_have_count(0)
    app.check_access("blocked people")
    app.forgive("404")
