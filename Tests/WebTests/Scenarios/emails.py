"""5. People: confirmed emails."""

import base64
import contextlib
import json
import pathlib
import re
import subprocess
import sys

from app import expect, scenario
from accounts import heading, press
from machine import machine

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "Support" / "Fixtures" / "mail-server.py"


class Postbox:
    """A mail server, which keeps what it gets for the scenario."""

    def __init__(self, process):
        self.process = process
        self.port = json.loads(process.stdout.readline())["port"]

    def next(self):
        """The recipient, the subject and the text of the next mail."""
        mail = json.loads(self.process.stdout.readline())
        return mail["to"][0], mail["headers"]["Subject"], base64.b64decode(mail["parts"][0]["bytes"]).decode()


@contextlib.contextmanager
def postbox():
    # The program ends when its input does.
    with subprocess.Popen([sys.executable, PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Postbox(process)


def link_of(mail):
    return re.search(r"/app/confirm-email#\S+", mail).group()


@scenario("5.82 a new account sends memes by mail once the link in its mail is opened")
def confirm(app):
    with postbox() as mails, machine(
            app, MEMEME_SMTP_URL=f"smtp://127.0.0.1:{mails.port}", MEMEME_MAIL_FROM="memes@example.org") as server:
        name, token = app.sign_in()
        to, subject, first = mails.next()
        assert (to, subject) == (f"{name}@example.org", "Confirm your email for MemeMe"), (to, subject)
        page = app.page
        page.goto("/app/you")
        card = page.get_by_role("heading", name="Confirm your email")
        expect(card).to_be_visible()
        app.check_access("an email that is not confirmed")
        app.photograph("people-unconfirmed")
        press(page, "Send the link again")
        expect(page.get_by_role("status")).to_have_text("We sent the link. Look at your mail.")
        assert mails.next()[0] == to

        page.goto(link_of(first))
        heading(page, "Confirm your email")
        main = page.get_by_role("main").filter(visible=True)
        expect(main).to_contain_text("Your email is confirmed.")
        assert "#" not in page.url
        app.check_access("a confirmed email")
        app.photograph("people-confirmed")
        assert server.call("GET", "/users/me", token=token)["emailConfirmed"] is True
        assert not any(link_of(first).partition("#")[2] in line for line in server.lines())
        main.get_by_role("link", name="Open MemeMe").click()
        page.goto("/app/you")
        heading(page, "You")
        expect(card).to_have_count(0)

        # Each link is valid once, and the page says so also without an account.
        app.open_window()
        page = app.page
        page.goto(link_of(first))
        main = page.get_by_role("main").filter(visible=True)
        expect(main).to_contain_text("This link is no longer valid.")
        page.goto("/app/confirm-email")
        expect(page.get_by_role("main").filter(visible=True)).to_contain_text("Open this page with the link in your email.")
    app.forgive("404")
