"""5. People: appearance and accessibility of its pages."""

from app import expect, is_whole, scenario

# Members see the form of this page.
SETTINGS = {"MEMEME_CONNECTIONS": "members"}
SIZES = {"320": (320, 568), "390": (390, 844), "768": (768, 1024), "1440": (1440, 900), "landscape": (844, 390)}


def somebody(app):
    """Creates a person with memes, followers and comments. Returns the username, a token and a followed person."""
    name, token = app.server.person("Ada Lovelace")
    app.server.json("PATCH", "/users/me", {"bio": "Writes notes that are longer than the paper."}, token)
    memes = [app.server.meme("one does not simply", "walk into mordor", token=token), app.server.meme("much", "wow", token=token)]
    for display_name in ["Grace Hopper", "Zoë Müller-Lüdenscheidt von und zu Hohenstein", "مريم"]:
        other, other_token = app.server.person(display_name)
        app.server.call("PUT", f"/memes/{memes[0]['id']}/like", token=other_token)
        app.server.json("POST", f"/memes/{memes[1]['id']}/comments", {"text": "But there was an eagle."}, other_token)
        app.server.call("PUT", f"/users/{name}/follow", token=other_token)
        app.server.call("PUT", f"/users/{other}/follow", token=token)
        theirs = app.server.meme("by", display_name, token=other_token)
        app.server.call("PUT", f"/memes/{theirs['id']}/favorite", token=token)
    return name, token, other


def pages_of(name, other):
    return [
        "/app/you", f"/app/user/{name}", f"/app/user/{other}", f"/app/user/{name}/followers", "/app/friends", "/app/people?q=gr",
        "/app/feed", "/app/notifications", "/app/favorites", "/app/settings", "/app/settings/profile", "/app/settings/email",
        "/app/settings/password", "/app/settings/captions", "/app/settings/notices", "/app/settings/devices", "/app/settings/blocks",
        "/app/settings/username", "/app/settings/security", "/app/settings/tokens", "/app/settings/invitations", "/app/settings/export",
        "/app/settings/delete", "/app/settings/connections",
    ]


GUESTS = ["/app/welcome", "/app/sign-in", "/app/register", "/app/forgot", "/reset-password#x", "/app/join", "/app/confirm-email", "/app/you", "/app/settings"]


def visit(app, path):
    app.page.goto(path)
    app.is_settled()
    expect(app.page.locator("#splash")).to_have_count(0)


def chosen(app, theme, contrast):
    """Stores settings in the browser as the settings page does."""
    app.page.add_init_script(
        "localStorage.setItem('mememe.settings', JSON.stringify({ theme: '%s', accessibility: { highContrast: %s } }))"
        % (theme, "true" if contrast else "false"))


def check_pages(app, who, size, theme, contrast, guests, pages):
    """Checks pages for a guest, and then others for a user."""
    app.open_window(*SIZES[size])
    chosen(app, theme, contrast)
    app.server.json("PATCH", "/users/me/settings", {"theme": theme, "accessibility": {"highContrast": contrast}}, who[1])

    def check(path):
        visit(app, path)
        app.check_access(f"{path} {size} {theme} {contrast}")

    for path in guests:
        check(path)
    app.sign_in(who=who)
    for path in pages:
        check(path)


@scenario("5.60 every page is accessible in the light theme, in a small window")
def access_in_light(app):
    name, token, other = somebody(app)
    check_pages(app, (name, token), "320", "light", False, GUESTS, pages_of(name, other))


@scenario("5.89 every page is accessible in the dark theme, in a large window")
def access_in_dark(app):
    name, token, other = somebody(app)
    check_pages(app, (name, token), "1440", "dark", False, GUESTS, pages_of(name, other))


@scenario("5.90 pages with all colors are accessible in high contrast, in light and dark themes")
def access_in_contrast(app):
    name, token, _ = somebody(app)
    for theme in ["light", "dark"]:
        check_pages(app, (name, token), "390", theme, True, ["/app/register"],
                    ["/app/you", "/app/notifications", "/app/settings", "/app/settings/delete"])


@scenario("5.61 narrow pages do not overflow, and controls are large enough")
def narrow(app):
    name, token, other = somebody(app)
    for width, height in [SIZES["320"], (568, 320)]:
        app.open_window(width, height)
        app.sign_in(who=(name, token))
        for path in pages_of(name, other):
            visit(app, path)
            is_whole(app.page, f"{path} at {width}")
            controls = app.page.locator("a:visible, button:visible, input:visible:not(.only-read), textarea:visible")
            for control in controls.evaluate_all("""elements => elements.map((element) => ({
                  class: element.className, isOnBar: Boolean(element.closest('.bar')),
                  width: element.getBoundingClientRect().width, height: element.getBoundingClientRect().height,
                }))"""):
                # Inline links may be this low.
                least = 44 if control["isOnBar"] else 24
                assert control["width"] >= least - 0.01 and control["height"] >= least - 0.01, (path, control)


@scenario("5.62 pages show their pictures in light and dark themes at all window sizes")
def pictures(app):
    name, token, other = somebody(app)
    app.sign_in(who=(name, token))
    page = app.page
    for path in ["/app/you", f"/app/user/{other}", "/app/feed", "/app/notifications", "/app/settings/captions", "/app/friends"]:
        visit(app, path)
        for width, height, theme in [*((*size, "light") for size in SIZES.values()), (*SIZES["390"], "dark"), (*SIZES["1440"], "dark")]:
            page.emulate_media(color_scheme=theme)
            page.set_viewport_size({"width": width, "height": height})
            app.is_settled()
            expect(page.locator("main:visible img").first).to_be_visible()
