"""8. The API documentation: `/docs`."""

import json
import pathlib
import re
import shlex
import subprocess

from app import PASSWORD, PICTURES, expect, frames, is_whole, looks, scenario


def open_docs(page, fragment=""):
    # A change of the fragment alone would not load the page anew.
    page.goto("about:blank")
    page.goto(f"/docs{fragment}")
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    expect(page.get_by_role("searchbox", name="Filter")).to_be_visible()


def call(page, method, path):
    """Returns the list item of a call."""
    return page.locator(".docs-calls li").filter(
        has=page.locator(".docs-method", has_text=re.compile(f"^{method}$"))).filter(
        has=page.locator(".docs-path", has_text=re.compile(f"^{re.escape(path)}$")))


def opened(page, method, path):
    item = call(page, method, path)
    item.get_by_role("button").first.click()
    expect(item.get_by_role("button").first).to_have_attribute("aria-expanded", "true")
    return item


def field(item, name):
    """Returns the input of a parameter or of a member of the body."""
    return item.locator(f"[name='{name}']:visible")


def send(item, status):
    """Sends the request and waits for the response. Returns its body as the page shows it."""
    item.get_by_role("button", name="Send", exact=True).click()
    expect(item.get_by_role("group", name="Response")).to_have_attribute("aria-busy", "false")
    expect(item.locator(".docs-status strong")).to_have_text(re.compile(f"^{status}"))
    return item.get_by_role("region", name="Response body")


@scenario("8.1 the filter searches names, paths and methods of calls immediately, and shows the number of matches")
def filters(app):
    page = app.page
    open_docs(page)
    shown = page.locator(".docs-calls li:visible")
    all_calls = shown.count()
    assert all_calls > 100, all_calls
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Filter")).to_be_focused()
    page.keyboard.type("like")
    expect(page.get_by_role("status")).to_have_text(f"3 of {all_calls} calls")
    expect(shown).to_have_count(3)
    expect(call(page, "PUT", "/memes/{id}/like")).to_be_visible()
    expect(call(page, "DELETE", "/memes/{id}/like")).to_be_visible()
    expect(call(page, "GET", "/memes/{id}/likes")).to_be_visible()
    page.keyboard.type(" delete")
    expect(shown).to_have_count(1)
    page.keyboard.press("Enter")
    expect(call(page, "DELETE", "/memes/{id}/like").get_by_role("button").first).to_be_focused()
    page.get_by_role("searchbox", name="Filter").fill("zzz")
    expect(page.get_by_text("No call matches “zzz”.")).to_be_visible()
    page.get_by_role("searchbox", name="Filter").press("Escape")
    expect(shown).to_have_count(all_calls)


@scenario("8.2 one call is open at a time, and the URL names it")
def one_open(app):
    page = app.page
    open_docs(page)
    opened(page, "GET", "/memes")
    expect(page).to_have_url(re.compile("/docs#listMemes$"))
    opened(page, "POST", "/memes")
    expect(page).to_have_url(re.compile("/docs#createMeme$"))
    expect(page.locator(".docs-call[aria-expanded=true]")).to_have_count(1)
    expect(page.get_by_role("button", name="Send", exact=True)).to_have_count(1)
    call(page, "POST", "/memes").get_by_role("button").first.click()
    expect(page.locator(".docs-call[aria-expanded=true]")).to_have_count(0)
    expect(page).to_have_url(re.compile("/docs$"))
    open_docs(page, "#likeMeme")
    expect(call(page, "PUT", "/memes/{id}/like").get_by_role("button").first).to_be_focused()
    expect(call(page, "PUT", "/memes/{id}/like").get_by_role("button", name="Send", exact=True)).to_be_in_viewport()
    # A link to a call that the filter hides.
    page.get_by_role("searchbox", name="Filter").fill("zzz")
    page.get_by_role("link", name="Sign in to get a token").click()
    expect(call(page, "POST", "/sessions").get_by_role("button").first).to_have_attribute("aria-expanded", "true")


@scenario("8.3 requests contain the token of the session, and the page shows their responses")
def token(app):
    name, _ = app.server.person("Ada Lovelace")
    page = app.page
    open_docs(page)
    item = opened(page, "GET", "/users/me")
    send(item, 401)
    item = opened(page, "POST", "/sessions")
    field(item, "username").fill(name)
    field(item, "password").fill(PASSWORD)
    send(item, 201)
    item.get_by_role("button", name="Use the token of this session").click()
    expect(page.get_by_label("Token", exact=True)).not_to_have_value("")
    item = opened(page, "GET", "/users/me")
    assert json.loads(send(item, 200).inner_text())["username"] == name
    meme = app.server.meme("much", "wow")
    item = opened(page, "GET", "/memes")
    field(item, "limit").fill("1")
    field(item, "view").select_option("table")
    [shown] = json.loads(send(item, 200).inner_text())["items"]
    assert shown["id"] == meme["id"], shown
    item.locator("summary", has_text=re.compile(r"^\d+ headers$")).click()
    expect(item.locator(".docs-headers")).to_contain_text("application/json")
    # Error responses are shown as well.
    field(item, "limit").fill("many")
    assert json.loads(send(item, 422).inner_text())["code"] == "invalid-input"
    app.forgive("401")
    app.forgive("422")


@scenario("8.4 the form creates a meme from a file, and image responses are shown as pictures")
def creation(app):
    page = app.page
    open_docs(page, "#createMeme")
    item = call(page, "POST", "/memes")
    field(item, "image").set_input_files(str(PICTURES / "photo.jpg"))
    field(item, "top").fill("one does not simply")
    meme = json.loads(send(item, 201).inner_text())
    [kept] = app.server.call("GET", "/memes")["items"]
    assert kept["id"] == meme["id"] and kept["top"] == "one does not simply", kept
    item.get_by_role("button", name="Use the token of this meme").click()

    item = opened(page, "GET", "/memes/{id}/image")
    item.get_by_role("button", name="Send", exact=True).click()
    expect(item.get_by_text("Enter a value.")).to_be_visible()
    expect(field(item, "id")).to_be_focused()
    field(item, "id").fill(meme["id"])
    send(item, 200)
    picture = item.get_by_role("img", name="The picture of the response")
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("picture => picture.naturalWidth") == meme["image"]["width"]

    # A JSON body, by its fields and as text.
    item = opened(page, "PATCH", "/memes/{id}")
    field(item, "id").fill(meme["id"])
    field(item, "bottom").fill("walk into mordor")
    field(item, "size").fill("0.2")
    edited = json.loads(send(item, 200).inner_text())
    assert edited["bottom"] == "walk into mordor" and edited["style"]["size"] == 0.2, edited
    item.get_by_role("button", name="Edit as JSON").click()
    expect(item.get_by_label("Body", exact=True)).to_have_value(re.compile('"size": 0.2'))
    item.get_by_label("Body", exact=True).fill('{"bottom": null}')
    assert json.loads(send(item, 200).inner_text())["bottom"] == ""


@scenario("8.5 the curl command sends the same request, for all special characters")
def command(app):
    name, token = app.server.person("Ada Lovelace")
    page = app.page
    open_docs(page, "#createMeme")
    page.get_by_label("Token", exact=True).fill(token)
    item = call(page, "POST", "/memes")
    top = "it's \"$HOME\" `x` \\ ;type=a @b <c"
    field(item, "image").set_input_files(str(PICTURES / "photo.jpg"))
    field(item, "top").fill(top)
    field(item, "bottom").fill("@'''")
    line = item.locator(".docs-curl").inner_text()
    assert f"--form-string {shlex.quote('top=' + top)}" in line.replace("'\\''", "'\"'\"'"), line
    assert f"'Authorization: Bearer {token}'" in line, line
    made = run(line)
    assert (made["top"], made["bottom"]) == (top, "@'''"), made
    assert made["author"]["username"] == name, made

    item = opened(page, "PATCH", "/memes/{id}")
    field(item, "id").fill(made["id"])
    field(item, "bottom").fill("it's\nfine")
    field(item, "visibility").select_option("private")
    edited = run(item.locator(".docs-curl").inner_text())
    assert (edited["bottom"], edited["visibility"]) == ("it's\nfine", "private"), edited

    item = opened(page, "GET", "/memes")
    field(item, "q").fill("it's & fine")
    line = item.locator(".docs-curl").inner_text()
    assert "q=it's%20%26%20fine".replace("'", "'\\''") in line, line
    assert [each["id"] for each in run(line)["items"]] == [made["id"]]
    assert [each["id"] for each in json.loads(send(item, 200).inner_text())["items"]] == [made["id"]]


def run(line):
    """Runs a command in the folder of the pictures. Returns the JSON that it prints."""
    result = subprocess.run(["sh", "-c", line], cwd=pathlib.Path(PICTURES), capture_output=True, check=True, timeout=30)
    return json.loads(result.stdout)


@scenario("8.6 every call fits 360 pixels, and the page is accessible in light and dark themes at all window sizes")
def access(app):
    page = app.page
    page.set_viewport_size({"width": 360, "height": 740})
    open_docs(page)
    for button in page.locator(".docs-call").all():
        button.click()
        is_whole(page, button.inner_text())
    for look, is_new in looks(app):
        if is_new:
            open_docs(page, "#createMeme")
            send(call(page, "POST", "/memes"), 422)
            app.check_access(look)
        frames(page)
        is_whole(page, look)
        app.photograph(f"docs-{look.replace(' ', '-')}")
    app.forgive("422")


@scenario("8.7 without scripts, or without the contract, the page says what to do")
def missing(app):
    page = app.page
    page.route("**/openapi.json", lambda route: route.fulfill(status=503, body=""), times=1)
    page.goto("/docs")
    expect(page.get_by_role("alert")).to_contain_text("The contract could not be loaded.")
    page.get_by_role("button", name="Try again").click()
    expect(call(page, "GET", "/memes")).to_be_visible()
    app.forgive("503")
    page = app.open_window(java_script_enabled=False)
    page.goto("/docs")
    expect(page.get_by_role("heading", name="MemeMe API")).to_be_visible()
    expect(page.locator("noscript").get_by_role("link", name="openapi.yaml")).to_have_attribute("href", re.compile("/openapi.yaml$"))
