"""6. Without the server: which data is stored, for whom, and for how long."""

import re

from app import HURRIED, eventually, expect, frames, is_whole, looks, scenario
from editing import PHOTO
from front import Front
from machine import machine

# Options of the windows that these scenarios open.
WINDOW = {"service_workers": "allow", "hurried": True}


# Runs `look` while the app changes no cache: opening a cache that was just deleted would create it again.
AT_REST = """(look) => async () => {
  const name = (await caches.keys()).find((name) => name.includes(':kept:'));
  if (!name) return look();
  return navigator.locks.request(name.slice(0, name.indexOf(':kept:') + 6), { mode: 'shared' }, look);
}"""


def at_rest(page, look):
    return page.evaluate(f"({AT_REST})({look})()")


def kept(page):
    """Returns the caches' names, and the addresses in each."""
    return at_rest(page, """async () => {
      const found = {};
      for (const name of await caches.keys()) {
        const requests = await (await caches.open(name)).keys();
        found[name] = requests.map(({ url }) => new URL(url).pathname + new URL(url).search);
      }
      return found;
    }""")


def of_people(page):
    return {name: addresses for name, addresses in kept(page).items() if ":kept:" in name}


def font_is_kept(page):
    """Waits for the last thing that the app caches of its own accord."""
    eventually("the font is cached", lambda: any(
        address.endswith("/fonts/impact/file") for addresses in of_people(page).values() for address in addresses), page)


def newest_kept(page):
    """Returns the captions of the newest cached memes, over all lists."""
    return at_rest(page, """async () => {
      for (const name of (await caches.keys()).filter((name) => name.includes(':kept:'))) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
          const { pathname, searchParams } = new URL(request.url);
          if (!pathname.endsWith('/memes') || searchParams.has('view')) continue;
          return (await (await cache.match(request, { ignoreVary: true })).json()).items.map(({ top }) => top);
        }
      }
      return [];
    }""")


def is_ready(app, thumbnails=1):
    """Waits until the service worker has the app, and `thumbnails` thumbnails of each kind."""
    app.is_settled()
    app.page.evaluate("() => navigator.serviceWorker.ready.then(() => undefined)")

    def has_all():
        all_kept = [address for addresses in of_people(app.page).values() for address in addresses]
        return all(sum(f"view={view}" in each and "thumbnail" in each for each in all_kept) >= thumbnails for view in ["table", "grid"])

    eventually(f"{thumbnails} thumbnails of each kind are cached", has_all, app.page)


def is_away(app):
    """Allows the browser's messages about a server that does not respond."""
    app.forgive("ERR_")
    app.forgive("503")


@scenario("6.1 the app is installable, with an icon for every launcher, and loads its service worker after the first view")
def installable(app):
    app.server.meme("first")
    page = app.open_window(hurried=False)
    events = []
    app.context.on("request", lambda request: events.append(f"asked {request.url}"))
    app.context.on("requestfinished", lambda request: events.append(f"got {request.url}"))
    page.goto("/")
    expect(page.locator(".row img")).to_have_js_property("complete", True)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => undefined)")
    [worker] = [place for place, event in enumerate(events) if re.match("asked .*/service-worker", event)][:1] or [-1]
    pictures = [place for place, event in enumerate(events) if re.match("got .*/thumbnail", event)][:1]
    assert pictures and pictures[0] < worker, events
    session = app.context.new_cdp_session(page)
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # These windows have no browser profile, like incognito windows.
    assert [error["errorId"] for error in errors] in ([], ["in-incognito"]), errors
    manifest = session.send("Page.getAppManifest")
    assert not manifest["errors"], manifest["errors"]
    assert '"standalone"' in manifest["data"]
    touch_icon = page.locator("link[rel=apple-touch-icon]").get_attribute("href")
    for url in [touch_icon, *re.findall(r'"src": "([^"]+)"', manifest["data"])]:
        size = page.evaluate("""async (url) => {
          const image = await createImageBitmap(await (await fetch(url)).blob()).catch(() => null);
          return image && [image.width, image.height];
        }""", url)
        wanted = re.search(r"-(\d+)\.png", url)
        assert wanted is None or size == [int(wanted[1])] * 2, (url, size)
    # Headless browsers do not offer installation, so this simulates the event.
    page.evaluate("""() => window.dispatchEvent(Object.assign(
      new Event('beforeinstallprompt', { cancelable: true }), { prompt: async () => { window.wasAsked = true } }))""")
    page.get_by_role("link", name="You").click()
    page.get_by_role("link", name="About this app").click()
    page.get_by_role("button", name="Install MemeMe").click()
    expect(page.get_by_role("button", name="Install MemeMe")).to_have_count(0)
    assert page.evaluate("() => window.wasAsked")


@scenario("6.35 a page without a network at the moment of its installation goes on")
def uninstallable(app):
    app.server.meme("first")
    page = app.open_window(hurried=False)
    page.route("**/offline/install.js", lambda route: route.abort("internetdisconnected"))
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/offline/install.js")):
        page.goto("/")
    page.get_by_role("link", name="first").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("first")
    app.forgive("ERR_INTERNET_DISCONNECTED")


@scenario("6.2 without the server, the app shows lists and memes, even unopened ones, and updates when the server is back")
def server_gone(app):
    with machine(app) as server:
        memes = server.memes(6, altText="a cat on a keyboard")
        page = app.page
        page.goto("/")
        is_ready(app, 6)
        server.end()
        # From the next page on, only the button tries to reach the server.
        page.add_init_script("globalThis.pace = 1000")
        page.goto("/")
        mark = page.get_by_text("The server isn’t responding", exact=True)
        expect(mark).to_be_visible()
        expect(page.get_by_role("listitem")).to_have_count(6)
        expect(page.get_by_role("listitem").nth(0)).to_contain_text("meme number 6")
        assert page.locator(".row img").first.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        page.goto("/app/grid")
        cells = page.get_by_role("img", name="a cat on a keyboard")
        expect(cells).to_have_count(6)
        assert cells.first.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        app.photograph("offline-grid")
        page.get_by_role("listitem").nth(2).get_by_role("link").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("meme number 4")
        assert page.locator(".meme-picture img").evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_have_text("meme number 4")
        expect(mark).to_be_visible()
        page.get_by_role("link", name="Sent Memes").click()
        server.start()
        server.meme("made meanwhile")
        page.get_by_role("button", name="Try again").first.click()
        expect(mark).to_be_hidden()
        expect(page.get_by_role("img", name="made meanwhile")).to_be_visible()
        expect(page.get_by_role("listitem")).to_have_count(7)
        assert memes
    is_away(app)


@scenario("6.36 without a network, the editor draws in the same font as the server")
def fonts(app):
    app.server.meme("first")
    page = app.page
    page.goto("/")
    is_ready(app, 1)
    font_is_kept(page)
    app.context.set_offline(True)
    page.goto("/app/editor")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Album", exact=True).click()
    chooser.value.set_files(PHOTO)
    page.wait_for_function("() => [...document.fonts].some(({ family }) => family.includes('MemeMe impact'))")
    app.context.set_offline(False)
    is_away(app)


@scenario("6.3 without a network, the app says so, and cached lists contain the latest changes")
def network_gone(app):
    name, token = app.sign_in()
    memes = app.server.memes(3, token=token)
    page = app.page
    page.goto("/")
    is_ready(app, 3)
    app.server.meme("made just now", token=token)
    app.server.call("DELETE", f"/memes/{memes[1]['id']}", token=token)
    rows = page.get_by_role("listitem")
    expect(rows.nth(0)).to_contain_text("made just now")
    expect(rows).to_have_count(3)
    eventually("the changes are cached", lambda: newest_kept(page) == ["made just now", "meme number 3", "meme number 1"], page)
    app.context.set_offline(True)
    expect(page.get_by_text("You are offline", exact=True)).to_be_visible()
    page.reload()
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("made just now")
    expect(page.get_by_text("meme number 2")).to_have_count(0)
    # A page that was never opened: its files are cached with the others.
    page.goto("/app/about")
    expect(page.get_by_role("heading", level=1)).to_have_text("About this app")
    app.context.set_offline(False)
    expect(page.get_by_text("You are offline", exact=True)).to_be_hidden()
    page.goto("/")
    expect(page.get_by_text("You are offline", exact=True)).to_be_hidden()
    is_away(app)


@scenario("6.4 a cached list continues when the network is back, and keeps its shown items when the network fails")
def network_back(app):
    app.server.memes(60, picture=tiny())
    page = app.page
    page.goto("/")
    is_ready(app, 48)
    app.context.set_offline(True)
    page.reload()
    rows = page.get_by_role("listitem")
    expect(rows.first).to_have_attribute("aria-setsize", "48")
    app.context.set_offline(False)
    expect(page.get_by_text("You are offline", exact=True)).to_be_hidden()
    expect(rows.first).not_to_have_attribute("aria-setsize", "48")

    def is_at_the_end():
        page.keyboard.press("End")
        return page.get_by_text("meme number 1", exact=True).count()

    eventually("the list is loaded to its end", is_at_the_end, page)
    expect(page.get_by_text("meme number 1", exact=True)).to_be_visible()
    app.context.set_offline(True)
    expect(page.get_by_text("You are offline", exact=True)).to_be_visible()
    # The cached list replaces the current one, and is complete when painted.
    with page.expect_response(re.compile(r"/memes\?.*view=table")):
        page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    frames(page)
    expect(page.get_by_text("meme number 1", exact=True)).to_be_visible()
    is_away(app)


@scenario("6.5 a new version replaces the old one immediately; tabs of the old version keep working and keep its files")
def new_version(app):
    with machine(app, Front) as (server, front):
        meme = server.meme("of all versions")
        page = app.page
        page.goto("/")
        is_ready(app)
        old = front.own_version()
        assert list(kept(page)).count(f"mememe:shell:{old}") == 1
        front.version = "beef" * 4
        other = app.context.new_page()
        other.goto("/")
        assert other.locator(f"script[src*='{front.version}']").count() > 0
        # The old tab shows a notice, and its files still exist, even those that it has not loaded yet.
        expect(page.get_by_role("status").filter(has_text="A new version of MemeMe is available.")).to_be_visible()
        names = kept(other)
        assert f"mememe:shell:{front.version}" in names and f"mememe:shell:{old}" in names, list(names)
        page.get_by_role("link", name="of all versions").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("of all versions")
        assert page.evaluate("() => performance.getEntriesByType('navigation').length") == 1
        assert page.locator(f"script[src*='{old}']").count() > 0
        # The old version's lock ends with its last tab. The next page that opens deletes the version.
        page.close()
        eventually("the old version's lock is released", lambda: f"mememe:shell:{old}" not in other.evaluate(
            "async () => (await navigator.locks.query()).held.map(({ name }) => name)"), other)
        other.goto(f"/app/meme/{meme['id']}")
        eventually("the old version's cache is deleted", lambda: (
            [name for name in kept(other) if ":shell:" in name] == [f"mememe:shell:{front.version}"]), other)
        # Without the server the new version opens.
        front.listener.shutdown()
        front.listener.server_close()
        other.goto("/app/grid")
        expect(other.get_by_role("listitem")).to_have_count(1)
        assert other.locator(f"script[src*='{front.version}']").count() > 0
    is_away(app)
    app.forgive("404")


@scenario("6.6 cached data belongs to one account, and is deleted at sign-out, at another sign-in and when the session ends")
def private(app):
    with machine(app) as server:
        ada, token = app.sign_in("Ada Lovelace")
        owner = server.call("GET", "/users/me", token=token)["id"]
        secret = server.meme("secret of ada", token=token, visibility="private")
        page = app.page
        page.goto("/")
        is_ready(app)
        page.get_by_role("link", name="secret of ada").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("secret of ada")
        eventually("its picture is cached", lambda: f"/memes/{secret['id']}/image" in str(of_people(page)), page)
        everything = of_people(page)
        assert list(everything) == [f"mememe:kept:{owner}"], list(everything)
        addresses = everything[f"mememe:kept:{owner}"]
        # No tokens, and nothing of the account.
        for address in addresses:
            assert re.match(r"/memes($|[?/])|/users/[^/]+/avatar|/fonts($|/)", address), address

        page.goto("/app/you")
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_role("status")).to_have_text("You’re signed out.")
        cache_belongs_to(page, " ", secret)

        _, other = app.sign_in("Bob")
        cache_belongs_to(page, server.call("GET", "/users/me", token=other)["id"], secret)
        server.end()
        page.goto("/")
        expect(page.get_by_text("The server isn’t responding", exact=True)).to_be_visible()
        expect(page.get_by_text("secret of ada")).to_have_count(0)
        page.goto(f"/app/meme/{secret['id']}")
        expect(page.get_by_role("alert")).to_contain_text("The server isn’t responding.")
        server.start()

        app.sign_in(who=(ada, token))
        cache_belongs_to(page, owner, None)
        server.sign_out(ada)
        page.goto("/app/notifications")
        expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
        cache_belongs_to(page, " ", secret)
    is_away(app)
    app.forgive("401")
    # Bob's page may request the meme again as soon as the server is back.
    app.forgive("404")


def cache_belongs_to(page, whose, without):
    """Waits until all cached personal data belongs to one account, without a picture or response of this meme."""
    eventually(f"all cached personal data belongs to “{whose}”", lambda: list(of_people(page)) == [f"mememe:kept:{whose}"], page)
    everything = of_people(page)
    assert list(everything) == [f"mememe:kept:{whose}"], list(everything)
    if without:
        assert without["id"] not in str(everything), everything


@scenario("6.7 signing out in one tab deletes the cached data of all tabs")
def tabs(app):
    ada, token = app.sign_in("Ada Lovelace")
    app.server.meme("of ada", token=token, visibility="private")
    page = app.page
    page.goto("/")
    is_ready(app)
    other = app.context.new_page()
    other.goto("/app/you")
    other.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("of ada")).to_have_count(0)
    cache_belongs_to(page, " ", None)
    assert "of ada" not in page.evaluate("""async () => {
      const texts = [];
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        if (!name.includes(':kept:')) continue;
        for (const request of await cache.keys()) texts.push(await (await cache.match(request)).text());
      }
      return texts.join();
    }""")


@scenario("6.8 the cache is limited to the newest entries of each kind, without large ones")
def bounds(app):
    big = app.server.meme("large", picture=noise(1100), format="png")
    assert big["image"]["bytes"] > 2 * 1024 * 1024, big["image"]
    small = app.server.meme("small")
    page = app.page
    page.goto("/")
    is_ready(app, 2)
    for meme in [big, small]:
        page.goto(f"/app/meme/{meme['id']}")
        page.locator(".meme-picture img").evaluate("image => image.decode()")
    page.evaluate("""async (id) => {
      for (let limit = 1; limit <= 100; limit++) {
        await fetch(`/memes/${id}/comments?limit=${limit}`);
        await fetch(`/memes?limit=${limit}&view=grid`);
      }
    }""", small["id"])
    # A response is cached after the page has received it.
    eventually("the last responses are cached", lambda: any(
        "/memes?limit=100&view=grid" in addresses and any("/image" in each for each in addresses)
        for addresses in of_people(page).values()), page)
    [addresses] = of_people(page).values()
    images = [address for address in addresses if "/image" in address]
    assert len(images) == 1 and small["id"] in images[0], images
    lists = [address for address in addresses if address.startswith("/memes?")]
    assert 60 <= len(lists) <= 60 + 25, len(lists)
    assert "/memes?limit=100&view=grid" in lists and "/memes?limit=1&view=grid" not in lists
    page.goto("/app/about")
    page.get_by_role("button", name="Remove from this device").click()
    expect(page.get_by_role("status")).to_have_text("Removed. Memes you view from now on are stored again.")
    assert [addresses for addresses in of_people(page).values() if any("image" in each for each in addresses)] == []


@scenario("6.9 actions that need the server say so when the app is offline, and change nothing")
def needs_connection(app):
    name, token = app.sign_in()
    app.server.memes(2, token=token)
    page = app.page
    page.goto("/")
    is_ready(app, 2)
    app.context.set_offline(True)
    rows = page.get_by_role("listitem")
    rows.nth(0).get_by_role("link").focus()
    page.keyboard.press("Delete")
    told = page.locator("notice-bar").get_by_role("status")
    expect(told).to_have_text("You are offline. Try again when you’re online.")
    expect(rows).to_have_count(2)
    rows.nth(0).get_by_role("link").click()
    like = page.get_by_role("button", name="Like")
    like.click()
    expect(told).to_have_text("You are offline. Try again when you’re online.")
    expect(like).to_have_attribute("aria-pressed", "false")
    is_away(app)


@scenario("6.10 without TLS, the app lists the unavailable features and otherwise works")
def insecure(app):
    import os
    server = app.server
    server.meme("seen by all")
    # A host name other than localhost, so that the browser treats the page as insecure.
    arguments = ["--host-resolver-rules=MAP memes.example 127.0.0.1"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
    browser, before = app.browser.browser_type.launch(executable_path=app.chromium, args=arguments), app.browser
    try:
        app.browser, app.address = browser, f"http://memes.example:{server.url.rsplit(':', 1)[1]}"
        page = app.open_window()
        page.goto("/")
        assert page.evaluate("() => isSecureContext") is False
        expect(page.get_by_role("listitem")).to_have_count(1)
        expect(page.get_by_role("status").filter(has_text="This page isn’t encrypted")).to_be_visible()
        page.get_by_role("button", name="Learn more").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("About this app")
        main = page.get_by_role("main").filter(visible=True)
        for part in ["Not encrypted", "Camera", "Installation", "take over your session"]:
            expect(main).to_contain_text(part)
        expect(main.get_by_role("button")).to_have_count(0)
        app.check_access("about, without TLS")
        app.photograph("about-insecure")
        # The notice appears once. Its module loads shortly after the list.
        with page.expect_response(re.compile(r"/offline/install\.js$")):
            page.goto("/")
        expect(page.get_by_role("listitem")).to_have_count(1)
        frames(page)
        expect(page.get_by_text("This page isn’t encrypted")).to_have_count(0)
        app.close()
    finally:
        app.browser, app.address = before, None
        browser.close()
    # Browsers log what they deny to an insecure page.
    app.forgive("Cross-Origin-Opener-Policy")


@scenario("6.12 if the server hangs, cached data appears after a few seconds, until the response replaces it")
def hanging(app):
    with machine(app, Front) as (server, front):
        server.memes(3)
        page = app.page
        page.goto("/")
        is_ready(app, 3)
        front.may_show.clear()
        # The service worker waits 4 seconds for the page and 8 for the list: here a twentieth of both.
        app.context.service_workers[0].evaluate(f"() => {{ {HURRIED} }}")
        page.goto("/")
        expect(page.get_by_role("listitem")).to_have_count(3)
        server.meme("came while it hung")
        front.may_show.set()
        expect(page.get_by_role("listitem").nth(0)).to_contain_text("came while it hung")
        expect(page.get_by_text("The server isn’t responding", exact=True)).to_be_hidden()
    is_away(app)


@scenario("6.13 a meme that was deleted on the server is deleted from the cache with its pictures")
def forgotten(app):
    meme = app.server.meme("soon gone")
    page = app.page
    page.goto("/")
    is_ready(app)
    page.get_by_role("link", name="soon gone").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("soon gone")
    page.locator(".meme-picture img").evaluate("image => image.decode()")
    app.server.call("DELETE", f"/memes/{meme['id']}", token=app.server.admin_token)
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("This was deleted.")
    eventually("the meme is not cached", lambda: meme["id"] not in str(of_people(page)), page)
    app.forgive("410")


@scenario("6.40 a shared meme has its stored format, even if the server sent the browser another one to show")
def shared_format(app):
    with machine(app, MEMEME_NEGOTIATE="true") as server:
        meme = server.meme("pass it on")
        page = app.page
        page.add_init_script("navigator.canShare = () => true; navigator.share = async (data) => { window.shared = data }")
        page.goto("/")
        is_ready(app)
        page.get_by_role("link", name="pass it on").click()
        page.locator(".meme-picture img").evaluate("image => image.decode()")
        address = f"/memes/{meme['id']}/image"
        eventually("the picture is cached", lambda: any(
            each.startswith(address) for addresses in of_people(page).values() for each in addresses), page)
        shown = at_rest(page, """async () => {
          const image = document.querySelector('.meme-picture img').currentSrc;
          return (await caches.match(image, { ignoreVary: true })).headers.get('content-type');
        }""")
        assert shown == "image/avif", shown
        page.get_by_role("button", name="Share").click()
        page.wait_for_function("() => window.shared")
        assert page.evaluate("() => window.shared.files[0].type") == "image/jpeg"


@scenario("6.14 offline pages and the About page are accessible in light and dark themes at all window sizes")
def access(app):
    with machine(app) as server:
        memes = server.memes(4, altText="a cat")
        page = app.page
        page.goto("/")
        is_ready(app, 4)
        server.end()
        for name, path in [("table", "/"), ("grid", "/app/grid"), ("meme", f"/app/meme/{memes[1]['id']}"), ("about", "/app/about")]:
            for look, is_new in looks(app):
                if is_new:
                    page.goto(path)
                expect(page.get_by_text("The server isn’t responding", exact=True)).to_be_visible()
                expect(page.locator("main:visible img").first).to_have_js_property("complete", True)
                if is_new:
                    app.check_access(f"{name} {look}")
                is_whole(page, f"{name} {look}")
    is_away(app)


def tiny():
    """Returns a small picture, for use in large numbers."""
    from meme import png
    return png(40, 30)


def noise(size):
    """Returns a picture that no format compresses."""
    import os
    import struct
    import zlib

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + os.urandom(3 * size) for _ in range(size))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))
