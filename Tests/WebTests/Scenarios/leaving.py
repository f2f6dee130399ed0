"""5. What pages show after the user has signed in or out."""

import re

from app import eventually, expect, frames, scenario
from meme import open_meme

# Calls a method of the session, as the pages for that do.
SESSION = """async ([method, ...parameters]) => {
  const session = document.querySelector('script[type=module]').src.replace('main.js', 'session.js');
  await (await import(session)).session[method](...parameters);
}"""


def sign_out(page):
    page.evaluate(SESSION, ["signOut"])


@scenario("5.91 after the sign-out, the page of a tag has no memes that only their author may see, also after the first page")
def shelf(app):
    name, token = app.server.person()
    secret = app.server.meme("secret", token=token, visibility="private", tags='["shared"]')
    for number in range(44):
        app.server.meme(f"open {number}", remix=secret["id"], token=token, tags='["shared"]')
    app.sign_in(who=(name, token))
    page = app.page
    page.goto("/app/tag/shared")
    app.is_settled()
    last = page.get_by_role("link", name="secret", exact=True)

    def is_found():
        page.mouse.wheel(0, 2000)
        return last.count() == 1

    eventually("the last meme is shown", is_found, page)
    sign_out(page)
    expect(last).to_have_count(0)

    def is_whole():
        page.mouse.wheel(0, 2000)
        return page.get_by_role("link", name="open 0", exact=True).count() == 1

    eventually("the list is loaded to its end", is_whole, page)
    expect(last).to_have_count(0)


@scenario("5.92 after a sign-in or a sign-out, comments have the buttons of the new user")
def comments(app):
    name, token = app.server.person()
    meme = app.server.meme("much discussed")
    app.server.json("POST", f"/memes/{meme['id']}/comments", {"text": "mine"}, token=token)
    page = open_meme(app, meme)
    edit = page.get_by_role("button", name="Edit your comment: mine")
    report = page.get_by_role("button", name="Report Ada Lovelace’s comment: mine")
    expect(report).to_be_visible()
    page.evaluate(SESSION, ["signIn", name, "a cat on a keyboard"])
    expect(edit).to_be_visible()
    expect(report).to_have_count(0)
    sign_out(page)
    expect(report).to_be_visible()
    expect(edit).to_have_count(0)


@scenario("5.93 a number of notifications that arrives after the sign-out is not shown")
def unread(app):
    name, token = app.server.person()
    meme = app.server.meme("liked", token=token)
    app.server.call("PUT", f"/memes/{meme['id']}/like", token=app.server.person("Bob")[1])
    app.sign_in(who=(name, token))
    page = app.page
    held = []
    page.route(re.compile(r"/notifications\?"), lambda route: held.append(route))
    page.goto("/")
    eventually("the number is requested", lambda: held, page)
    answer = held[0].fetch()
    sign_out(page)
    with page.expect_response(re.compile(r"/notifications\?")):
        held[0].fulfill(response=answer)
    frames(page)
    expect(page.locator("account-button a")).to_have_accessible_name("You")
