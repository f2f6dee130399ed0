"""5. People: registration, sign-in and sign-out."""

import re
import urllib.error

from app import PASSWORD, expect, scenario


def heading(page, text):
    expect(page.locator("h1:visible")).to_have_text(text)


def fill_in(page, **fields):
    """Fills in fields, found by their labels."""
    for label, text in fields.items():
        page.get_by_label(label.replace("_", " "), exact=True).fill(text)


def press(page, name):
    page.get_by_role("main").filter(visible=True).get_by_role("button", name=name, exact=True).click()


def sign_in_by_form(page, name, password=PASSWORD):
    fill_in(page, Username_or_email=name, Password=password)
    press(page, "Sign in")


def person_kept(page):
    return page.evaluate("() => JSON.parse(localStorage.getItem('mememe.person'))")


@scenario("5.1 a splash screen is shown while the app loads, and disappears when the page is ready")
def splash(app):
    page = app.page
    held = []
    page.route("**/app/main.js", lambda route: held.append(route))
    page.goto("/", wait_until="commit")
    expect(page.locator("#splash")).to_be_visible()
    expect(page.locator("#splash")).to_have_css("opacity", "1")
    app.photograph("people-splash")
    held[0].continue_()
    app.is_settled()
    expect(page.locator("#splash")).to_have_count(0)


@scenario("5.2 new visitors can browse without an account, and find registration and sign-in")
def welcome(app):
    page = app.page
    page.goto("/app/welcome")
    heading(page, "MemeMe")
    app.check_access("welcome")
    page.get_by_role("link", name="Browse without an account").click()
    heading(page, "Sent Memes")
    page.get_by_role("link", name="You", exact=True).click()
    heading(page, "You")
    page.get_by_role("link", name="Create an account").click()
    heading(page, "Create an account")
    page.get_by_role("link", name="Sign in", exact=True).click()
    heading(page, "Sign in")
    # The forms replace each other in the history, so one step leads back.
    page.go_back()
    heading(page, "You")


@scenario("5.3 registration shows errors at their fields, signs in and returns to the previous page")
def register(app):
    taken, _ = app.server.person()
    meme = app.server.meme("before", "an account")
    page = app.page
    page.goto(f"/app/meme/{meme['id']}")
    page.get_by_role("link", name="Sign in").click()
    page.get_by_role("link", name="Create an account").click()
    heading(page, "Create an account")
    assert [field.get_attribute("autocomplete") for field in page.locator("input").all()] == ["username", "name", "email", "new-password"]

    press(page, "Create account")
    username = page.get_by_label("Username", exact=True)
    expect(username).to_be_focused()
    expect(username).to_have_accessible_description(re.compile("Required"))
    expect(page.locator("[aria-invalid]")).to_have_count(3)
    app.check_access("register with mistakes")
    app.photograph("people-register-mistakes")

    fill_in(page, Username=taken, Email="nobody", Password="short")
    press(page, "Create account")
    expect(page.get_by_label("Email", exact=True)).to_be_focused()
    expect(page.get_by_label("Email", exact=True)).to_have_accessible_description(re.compile("like name@example.org"))
    expect(page.get_by_label("Password", exact=True)).to_have_accessible_description(re.compile("at least 8 characters"))
    expect(username).not_to_have_attribute("aria-invalid", "true")

    name = f"new{taken[:12]}"
    fill_in(page, Email=f"{name}@example.org", Password="password1")
    press(page, "Create account")
    expect(page.get_by_label("Password", exact=True)).to_be_focused()
    expect(page.get_by_label("Password", exact=True)).to_have_accessible_description(re.compile("too common"))
    fill_in(page, Password=PASSWORD)
    press(page, "Create account")
    expect(username).to_be_focused()
    expect(username).to_have_accessible_description(re.compile("This username is taken."))

    fill_in(page, Username=name, **{"Display_name_(optional)": "New <b>Here"})
    page.keyboard.press("Enter")
    heading(page, "before – an account")
    expect(page.get_by_role("status")).to_have_text("Welcome to MemeMe! Your account is ready.")
    expect(page.get_by_role("textbox", name="Your comment")).to_be_visible()
    assert person_kept(page)["displayName"] == "New <b>Here"
    for complaint in ["422", "409"]:
        app.forgive(complaint)


@scenario("5.4 sign-in works with username or email, and returns to the previous page")
def sign_in(app):
    name, token = app.server.person("Grace Hopper")
    meme = app.server.meme("likeable")
    page = app.page
    page.goto("/")
    page.get_by_role("link", name="likeable").click()
    page.get_by_role("button", name="Like").click()
    page.get_by_role("button", name="Sign in").click()
    heading(page, "Sign in")
    expect(page.get_by_label("Username or email")).to_have_attribute("autocomplete", "username")
    password = page.get_by_label("Password", exact=True)
    expect(password).to_have_attribute("autocomplete", "current-password")
    app.check_access("sign in")
    sign_in_by_form(page, name, "a wrong password")
    expect(password).to_be_focused()
    expect(password).to_have_accessible_description("Wrong username or password.")
    app.check_access("rejected sign-in")
    show = page.get_by_role("button", name="Show the password")
    show.click()
    expect(password).to_have_attribute("type", "text")
    expect(show).to_have_attribute("aria-pressed", "true")
    sign_in_by_form(page, f"{name}@example.org")
    heading(page, "likeable")
    assert page.url.endswith(f"/app/meme/{meme['id']}")
    page.get_by_role("button", name="Like").click()
    expect(page.get_by_role("button", name="Like")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("link", name="Liked by 1 person")).to_be_visible()
    page.get_by_role("link", name="Sent Memes").click()
    expect(page.get_by_role("link", name="You", exact=True).locator("img")).to_be_visible()
    # A signed-in person who goes forward again does not get the form.
    page.goto("/app/sign-in")
    heading(page, "You")
    app.forgive("401")


@scenario("5.5 scripts cannot read the session token")
def no_token(app):
    app.sign_in()
    page = app.page
    app.is_settled()
    kept = page.evaluate("() => JSON.stringify({...localStorage, ...sessionStorage}) + document.cookie")
    cookies = app.context.cookies()
    assert [cookie["httpOnly"] for cookie in cookies] == [True], cookies
    assert cookies[0]["value"] not in kept and "oken" not in kept, kept


@scenario("5.6 a personal page asks guests to sign in, and opens after they do")
def gate(app):
    name, token = app.server.person()
    app.server.meme("mine", "in the feed", token=token)
    page = app.page
    page.goto("/app/feed")
    heading(page, "Sign in")
    expect(page.get_by_role("main")).to_contain_text("Sign in to see your feed.")
    page.get_by_role("link", name="Create an account").click()
    heading(page, "Create an account")
    page.go_back()
    sign_in_by_form(page, name)
    heading(page, "Feed")
    expect(page).to_have_url(re.compile("/app/feed$"))
    expect(page.get_by_role("listitem")).to_contain_text("in the feed")


@scenario("5.7 an emailed link resets a forgotten password once, and ends all sessions")
def reset(app):
    name, token = app.server.person()
    page = app.page
    page.goto("/app/sign-in")
    page.get_by_role("link", name="Forgot your password?").click()
    heading(page, "Forgot your password?")
    press(page, "Send reset link")
    expect(page.get_by_label("Email", exact=True)).to_be_focused()
    fill_in(page, Email=f"{name}@example.org")
    press(page, "Send reset link")
    heading(page, "Check your email")
    app.check_access("forgot")
    link = re.search(r"https?://\S+?(/reset-password#\S+)", app.server.mail(f"{name}@example.org", "/reset-password#")).group(1)

    page.goto(link)
    heading(page, "Choose a new password")
    expect(page.get_by_label("New password")).to_have_attribute("autocomplete", "new-password")
    app.check_access("reset")
    fill_in(page, New_password="password1")
    press(page, "Change password")
    expect(page.get_by_label("New password")).to_have_accessible_description(re.compile("too common"))
    fill_in(page, New_password="a dog on a laptop")
    press(page, "Change password")
    heading(page, "Password changed")
    assert "#" not in page.url, page.url
    try:
        app.server.call("GET", "/users/me", token=token)
        raise AssertionError("the session is still valid")
    except urllib.error.HTTPError as error:
        assert error.code == 401
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    sign_in_by_form(page, name, "a dog on a laptop")
    expect(page.locator("h1:visible")).not_to_have_text("Sign in")
    assert person_kept(page)["username"] == name

    page.goto("/")
    page.goto(link)
    fill_in(page, New_password="another dog on a laptop")
    press(page, "Change password")
    heading(page, "This link is no longer valid")
    page.get_by_role("link", name="Request a new link").click()
    heading(page, "Forgot your password?")
    page.goto("/reset-password")
    expect(page.get_by_role("main")).to_contain_text("Open this page with the link in your email.")
    for complaint in ["422", "404"]:
        app.forgive(complaint)


@scenario("5.94 a new password ends the session of this browser only if it is for its account")
def reset_other(app):
    other, _ = app.server.person()
    name, _ = app.sign_in()
    page = app.page
    app.is_settled()

    def choose_password(name):
        app.server.json("POST", "/password-resets", {"email": f"{name}@example.org"})
        mail = app.server.mail(f"{name}@example.org", "/reset-password#")
        page.goto("/")
        page.goto(re.search(r"https?://\S+?(/reset-password#\S+)", mail).group(1))
        fill_in(page, New_password="a dog on a laptop")
        press(page, "Change password")
        heading(page, "Password changed")

    choose_password(other)
    assert person_kept(page)["username"] == name
    page.goto("/app/you")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    choose_password(name)
    expect(page.get_by_role("status")).to_have_text("Your session has ended.")
    assert person_kept(page) is None
    app.forgive("401")


@scenario("5.8 if a session ends elsewhere, the app says so and continues without it")
def ended(app):
    name, token = app.sign_in()
    meme = app.server.meme("anybody's")
    page = app.page
    app.is_settled()
    expect(page.get_by_role("heading", name="No memes yet")).to_be_visible()
    app.server.call("DELETE", "/sessions", token=token)
    expect(page.get_by_role("status")).to_have_text("Your session has ended.")
    expect(page.get_by_role("link", name="anybody's")).to_be_visible()
    assert person_kept(page) is None
    page.get_by_role("button", name="Sign in").click()
    sign_in_by_form(page, name)
    heading(page, "Sent Memes")
    expect(page.get_by_role("heading", name="No memes yet")).to_be_visible()
    assert meme["id"]
    app.forgive("401")


@scenario("5.9 signing out in one tab signs out all tabs and deletes their local data")
def tabs(app):
    name, token = app.sign_in()
    app.server.meme("private", visibility="private", token=token)
    page = app.page
    page.goto("/app/feed")
    expect(page.get_by_role("link", name="private")).to_be_visible()
    other = app.context.new_page()
    other.goto("/app/you")
    other.get_by_role("button", name="Sign out").click()
    expect(other.get_by_role("link", name="Create an account")).to_be_visible()
    expect(other.locator("h1:visible")).to_be_focused()
    heading(page, "Sign in")
    expect(page.get_by_text("private")).to_have_count(0)
    page.go_back()
    heading(page, "Sent Memes")
    expect(page.get_by_text("private")).to_have_count(0)


@scenario("5.10 memes made without an account can be claimed after sign-in")
def claims(app):
    name, token = app.server.person()
    memes = [app.server.meme(f"made before {number}") for number in range(4)]
    page = app.page
    page.goto("/")
    page.evaluate(
        """async (memes) => {
          const app = document.querySelector('script[type=module]').src;
          const { deleteTokens } = await import(app.replace('main.js', 'delete-tokens.js'));
          for (const [id, token] of memes) await deleteTokens.keep(id, token);
        }""", [[meme["id"], meme["deleteToken"]] for meme in memes])
    # Deleted memes do not count: one that is deleted here, and after the first attempt one that is deleted elsewhere.
    page.reload()
    rows = page.get_by_role("listitem")
    for is_kept in [True, False]:
        rows.first.get_by_role("link").focus()
        page.keyboard.press("Delete")
        expect(rows).to_have_count(3)
        page.wait_for_function("() => document.querySelector('notice-bar').textContent.includes('deleted.')")
        if is_kept:
            page.keyboard.press("Control+z")
            expect(rows).to_have_count(4)
    app.server.call("DELETE", f"/memes/{memes[2]['id']}", token=app.server.admin_token)
    page.get_by_role("link", name="You", exact=True).click()
    page.get_by_role("link", name="Sign in", exact=True).click()
    sign_in_by_form(page, name)
    heading(page, "You")
    expect(page.get_by_role("main")).to_contain_text("3 memes were made here without an account.")
    app.check_access("you with memes to claim")
    page.get_by_role("main").get_by_role("button", name="Make them mine").click()
    expect(page.get_by_role("status")).to_have_text("2 memes are yours now.")
    expect(page.get_by_role("main").get_by_role("button", name="Make them mine")).to_have_count(0)
    page.get_by_role("link", name="Sent Memes").click()
    expect(page.get_by_role("listitem")).to_have_count(2)
    assert app.server.call("GET", f"/memes/{memes[0]['id']}")["author"]["username"] == name
    app.forgive("410")
