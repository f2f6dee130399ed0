"""5. People: settings."""

import io
import re
import urllib.error
import uuid
import zipfile

from app import PASSWORD, answered, eventually, expect, frames, scenario


def heading(page, text):
    expect(page.locator("h1:visible")).to_have_text(text)


def root(page, name):
    """Returns an attribute of the root element, which app/appearance.js sets."""
    return page.evaluate("name => document.documentElement.getAttribute(name)", name)


LIGHT, DARK = "rgb(255, 255, 255)", "rgb(18, 18, 20)"


def is_painted(page, colour):
    expect(page.locator("html")).to_have_css("background-color", colour)


def has_ended(server, token):
    """Returns whether the token's session has ended."""
    try:
        server.call("GET", "/users/me", token=token)
        return False
    except urllib.error.HTTPError as error:
        return error.code == 401


def settings_of(server, token):
    return server.call("GET", "/users/me/settings", token=token)


@scenario("5.30 the theme setting applies immediately, and before the first paint of the next page load")
def theme(app):
    page = app.open_window(theme="light")
    page.goto("/app/settings")
    is_painted(page, LIGHT)
    page.get_by_role("radio", name="Dark").check()
    is_painted(page, DARK)
    # The body appears before the first paint.
    page.add_init_script("""new MutationObserver((_, observer) => {
      if (!document.body) return;
      window.begun = document.documentElement.dataset.theme + getComputedStyle(document.documentElement).backgroundColor;
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true })""")
    page.goto("/")
    assert page.evaluate("() => window.begun") == f"dark{DARK}"
    assert page.get_attribute("meta[name=theme-color]", "content") == "#121214"
    page.goto("/app/settings")
    expect(page.get_by_role("radio", name="Dark")).to_be_checked()
    page.get_by_role("radio", name="Dark").focus()
    page.keyboard.press("ArrowLeft")
    assert root(page, "data-theme") == "light"
    page.keyboard.press("ArrowLeft")
    assert root(page, "data-theme") is None
    page.emulate_media(color_scheme="dark")
    is_painted(page, DARK)


@scenario("5.31 text size, contrast and motion settings apply immediately to every page, and nothing overflows")
def accessibility(app):
    meme = app.server.meme("seen", "well")
    page = app.open_window(320, 568, motion="no-preference")
    page.goto("/app/settings")
    size = page.get_by_role("slider", name="Text size")
    app.is_settled()
    before = page.evaluate("() => parseFloat(getComputedStyle(document.querySelector('h1')).fontSize)")
    size.focus()
    page.keyboard.press("End")
    expect(size).to_have_attribute("aria-valuetext", "200 %")
    after = page.evaluate("() => parseFloat(getComputedStyle(document.querySelector('h1')).fontSize)")
    assert abs(after / before - 2) < 0.01, (before, after)
    page.get_by_role("switch", name="High contrast").check()
    page.get_by_role("switch", name="Reduce motion").focus()
    page.keyboard.press("Space")
    assert [root(page, name) for name in ["data-contrast", "data-motion"]] == ["more", "reduced"]
    for path in ["/", "/app/grid", f"/app/meme/{meme['id']}", "/app/you", "/app/settings", "/app/settings/captions",
                 "/app/people", "/app/sign-in", "/app/register"]:
        page.goto(path)
        app.is_settled()
        over = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, (path, over)
    name, token = app.server.person("Ada Lovelace")
    other, other_token = app.server.person("Grace Hopper")
    app.server.json("PATCH", "/users/me/settings", {"accessibility": {"textScale": 2}}, token)
    app.server.call("PUT", f"/users/{name}/follow", token=other_token)
    app.sign_in(who=(name, token))
    for path, words in [("/app/you", ".you-name"), (f"/app/user/{other}", ".profile-name"), ("/app/notifications", ".told-words"),
                        (f"/app/user/{name}/followers", ".person-words"), ("/app/settings/devices", ".menu-words")]:
        page.goto(path)
        app.is_settled()
        # There is room for whole words, not only for letters.
        box = page.locator(words).first.bounding_box()
        assert box["width"] >= 120, (path, box)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 320, path


@scenario("5.40 the Reduce motion setting alone turns off transitions")
def still(app):
    page = app.open_window(motion="no-preference")
    page.goto("/app/settings")
    page.get_by_role("switch", name="Reduce motion").check()
    page.goto("/app/register")
    app.is_settled()
    page.evaluate("() => { document.startViewTransition = () => { throw new Error('unexpected transition') } }")
    page.get_by_role("link", name="Sign in", exact=True).click()
    heading(page, "Sign in")


@scenario("5.32 settings are the same on all devices, and a new account starts with those of its device")
def everywhere(app):
    page = app.page
    page.goto("/app/settings")
    page.get_by_role("radio", name="Dark").check()
    name = "s" + uuid.uuid4().hex[:12]
    page.goto("/app/register")
    page.get_by_label("Username", exact=True).fill(name)
    page.get_by_label("Email", exact=True).fill(f"{name}@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    heading(page, "Sent Memes")
    token = app.server.json("POST", "/sessions", {"username": name, "password": PASSWORD})["token"]
    assert settings_of(app.server, token)["theme"] == "dark"
    app.server.json("PATCH", "/users/me/settings", {"accessibility": {"highContrast": True}}, token)
    page = app.open_window()
    app.sign_in(who=(name, token))
    page.goto("/app/settings")
    expect(page.get_by_role("radio", name="Dark")).to_be_checked()
    expect(page.get_by_role("switch", name="High contrast")).to_be_checked()
    page.get_by_role("radio", name="Light").check()
    page.get_by_role("switch", name="High contrast").uncheck()
    eventually("the server has both settings", lambda: (
        (kept := settings_of(app.server, token))["theme"] == "light" and kept["accessibility"]["highContrast"] is False), page)


@scenario("5.33 a setting that the server rejects is reverted, and the error is shown")
def refused(app):
    app.sign_in()
    page = app.page
    page.goto("/app/settings")
    app.is_settled()
    page.route("**/users/me/settings", lambda route: route.fulfill(
        status=503, content_type="application/problem+json", body='{"code": "storage-busy"}') if route.request.method == "PATCH" else route.continue_())
    page.get_by_role("radio", name="Dark").check()
    expect(page.get_by_role("status")).to_contain_text("The server is busy.")
    assert root(page, "data-theme") is None
    expect(page.get_by_role("radio", name="System")).to_be_checked()
    app.forgive("503")


@scenario("5.34 default caption style and visibility have a preview, and apply to new memes")
def captions(app):
    name, token = app.sign_in()
    page = app.page
    page.goto("/app/settings/captions")
    sample = page.get_by_role("img", name="A sample")
    expect(sample).to_have_js_property("naturalWidth", 640)
    first = sample.get_attribute("src")
    page.get_by_role("radio", name="Comic Sans").check()
    expect(sample).not_to_have_attribute("src", first)
    page.get_by_label("Text color", exact=True).last.fill("#ffee00")
    page.get_by_role("radio", name="As typed").check()
    page.get_by_role("radio", name="In white bars").check()
    slider = page.get_by_role("slider", name="Max size")
    slider.focus()
    page.keyboard.press("ArrowRight")
    # From the default of bars, 10 %.
    expect(page.get_by_text("11 %", exact=True)).to_have_count(1)
    eventually("the server has the last change", lambda: settings_of(app.server, token)["captions"]["size"] == 0.11, page)
    app.check_access("captions")
    style = app.server.meme("typed", token=token)["style"]
    assert (style["font"], style["fill"], style["case"], style["layout"], style["size"]) == ("comic", "#ffee00", "typed", "bar", 0.11), style
    page.get_by_role("button", name="Reset to defaults").click()
    expect(page.get_by_role("radio", name="Impact")).to_be_checked()
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("radio", name="Only me").check()
    eventually("the server has the setting", lambda: settings_of(app.server, token)["visibility"] == "private", page)
    meme = app.server.meme("hidden", token=token)
    assert meme["visibility"] == "private" and meme["style"]["font"] == "impact"
    page = app.open_window()
    page.goto("/app/settings/captions")
    page.get_by_role("radio", name="Lobster").check()
    page.reload()
    expect(page.get_by_role("radio", name="Lobster")).to_be_checked()


@scenario("5.35 devices are listed, and can be signed out one by one or all at once")
def devices(app):
    name, token = app.sign_in()
    others = [app.server.json("POST", "/sessions", {"username": name, "password": PASSWORD})["token"] for _ in range(2)]
    page = app.page
    page.goto("/app/settings/devices")
    expect(page.get_by_role("region", name="This device").get_by_role("listitem")).to_have_count(1)
    expect(page.get_by_role("region", name="This device")).to_contain_text("Chrome on Linux")
    rows = page.get_by_role("region", name="Other devices").get_by_role("listitem")
    expect(rows).to_have_count(3)
    rows.nth(0).get_by_role("button", name=re.compile("^Sign out")).click()
    expect(rows).to_have_count(2)
    assert [has_ended(app.server, each) for each in [token, *others]].count(True) == 1
    page.get_by_role("button", name="Sign out on all other devices").click()
    app.check_access("confirmation")
    page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("You aren’t signed in on other devices.")).to_be_visible()
    assert all(has_ended(app.server, each) for each in [token, *others])
    page.reload()
    heading(page, "Devices")
    expect(page.get_by_role("region", name="This device").get_by_role("listitem")).to_have_count(1)


@scenario("5.36 all data of an account is downloaded as one archive")
def export(app):
    name, token = app.sign_in()
    meme = app.server.meme("kept", token=token)
    page = app.page
    page.goto("/app/settings/export")
    with page.expect_download() as coming:
        page.get_by_role("button", name="Download").click()
    assert re.fullmatch(rf"mememe-{name}-[\d-]+\.zip", coming.value.suggested_filename), coming.value.suggested_filename
    with open(coming.value.path(), "rb") as file:
        names = zipfile.ZipFile(io.BytesIO(file.read())).namelist()
    assert any(f"memes/{meme['id']}/meme.json" in each for each in names) and any("settings.json" in each for each in names), names
    expect(page.get_by_role("status").filter(has_text="Your export is ready.")).to_be_visible()


@scenario("5.41 a person changes the username; links to the old one lead to the new one, and it cannot change again soon")
def username(app):
    name, token = app.sign_in()
    taken, _ = app.server.person()
    page = app.page
    page.goto("/app/settings")
    page.get_by_role("link", name="Username").click()
    heading(page, "Username")
    app.check_access("username")
    app.photograph("settings-username")
    new = page.get_by_label("New username")
    for text, told in [(taken, "This username is taken."), ("a b", re.compile("3 to 30")), ("admin", re.compile("reserved"))]:
        new.fill(text)
        page.get_by_role("button", name="Change username").click()
        expect(new).to_be_focused()
        expect(new).to_have_accessible_description(re.compile(told) if isinstance(told, str) else told)
    new.fill(f" {name}_2 ")
    page.get_by_role("button", name="Change username").click()
    heading(page, "Settings")
    assert app.server.call("GET", "/users/me", token=token)["username"] == f"{name}_2"
    page.goto("/app/settings/username")
    expect(page.get_by_text("You can change it again on")).to_be_visible()
    expect(page.get_by_role("button", name="Change username")).to_have_count(0)
    page.goto(f"/app/user/{name}")
    heading(page, f"@{name}_2")
    expect(page).to_have_url(re.compile(f"/app/user/{name}_2$"))
    app.forgive("409")
    app.forgive("422")


@scenario("5.37 changing email or password requires the password, and errors appear at their fields")
def credentials(app):
    name, token = app.sign_in()
    taken, _ = app.server.person()
    page = app.page
    page.goto("/app/settings/email")
    page.get_by_label("New email").fill(f"{taken}@example.org")
    password = page.get_by_label("Password", exact=True)
    password.fill("not the password")
    page.get_by_role("button", name="Change email").click()
    expect(password).to_be_focused()
    expect(password).to_have_accessible_description(re.compile("Wrong password."))
    password.fill(PASSWORD)
    page.get_by_role("button", name="Change email").click()
    expect(page.get_by_label("New email")).to_have_accessible_description("This email is already in use.")
    page.get_by_label("New email").fill(f"{name}@new.example.org")
    page.get_by_role("button", name="Change email").click()
    heading(page, "Settings")
    assert app.server.call("GET", "/users/me", token=token)["email"] == f"{name}@new.example.org"

    page.goto("/app/settings/password")
    app.check_access("password")
    current = page.get_by_label("Current password")
    current.fill("not the password")
    page.get_by_label("New password").fill("a dog on a laptop")
    page.get_by_role("button", name="Change password").click()
    expect(current).to_be_focused()
    current.fill(PASSWORD)
    page.get_by_role("button", name="Change password").click()
    heading(page, "Settings")
    assert has_ended(app.server, token)
    app.server.json("POST", "/sessions", {"username": name, "password": "a dog on a laptop"})
    page.reload()
    expect(page.get_by_role("link", name="Devices")).to_be_visible()
    for complaint in ["422", "409"]:
        app.forgive(complaint)


@scenario("5.38 each kind of notification can be turned off")
def notices(app):
    name, token = app.sign_in()
    other, other_token = app.server.person()
    meme = app.server.meme("liked", token=token)
    page = app.page
    page.goto("/app/settings")
    page.get_by_role("link", name="Notifications").click()
    page.get_by_role("switch", name="Likes of your memes").uncheck()
    eventually("the server has the setting", lambda: settings_of(app.server, token)["notifications"]["likes"] is False, page)
    app.server.call("PUT", f"/memes/{meme['id']}/like", token=other_token)
    app.server.call("PUT", f"/users/{name}/follow", token=other_token)
    told = app.server.call("GET", "/notifications", token=token)["items"]
    assert [each["kind"] for each in told] == ["follow"], told


@scenario("5.39 deleting an account lists the consequences, requires the password and deletes all data")
def delete(app):
    name, token = app.sign_in()
    meme = app.server.meme("mine", token=token)
    page = app.page
    page.goto("/app/settings/delete")
    expect(page.get_by_role("main")).to_contain_text("all your memes, with their pictures")
    expect(page.get_by_role("main")).to_contain_text("memes that others made from your pictures")
    app.check_access("delete")
    password = page.get_by_label("Password", exact=True)
    password.fill("not the password")
    page.get_by_role("button", name="Delete my account").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete permanently").click()
    expect(password).to_be_focused()
    expect(password).to_have_accessible_description("Wrong password.")
    password.fill(PASSWORD)
    page.get_by_role("button", name="Delete my account").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert not has_ended(app.server, token)
    page.get_by_role("button", name="Delete my account").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete permanently").click()
    heading(page, "Sent Memes")
    expect(page.get_by_role("status")).to_have_text("Your account was deleted.")
    expect(page.get_by_role("listitem")).to_have_count(0)
    for path in [f"/memes/{meme['id']}", f"/users/{name}"]:
        try:
            app.server.call("GET", path)
            raise AssertionError(f"{path} still exists")
        except urllib.error.HTTPError as error:
            assert error.code in (404, 410), error
    app.forgive("422")


@scenario("5.42 settings that arrive after a change do not replace it")
def late_settings(app):
    name, token = app.sign_in()
    page = app.page
    held = []
    page.route("**/users/me/settings", lambda route: held.append((route, route.fetch())) if route.request.method == "GET" else route.continue_())
    page.goto("/app/settings")
    eventually("the settings are requested", lambda: held, page)
    with answered(page, "PATCH", "/settings$"):
        page.get_by_role("radio", name="Dark").check()
    for route, answer in held:
        with page.expect_response("**/users/me/settings"):
            route.fulfill(response=answer)
    frames(page)
    assert root(page, "data-theme") == "dark"
    expect(page.get_by_role("radio", name="Dark")).to_be_checked()
