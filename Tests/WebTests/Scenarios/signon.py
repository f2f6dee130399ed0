"""5. People: single sign-on by a provider."""

import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

from app import PASSWORD, expect, scenario
from accounts import heading, press, sign_in_by_form
from machine import machine

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "Support" / "Fixtures" / "oidc-provider.py"


class Provider:
    """A provider without a page: who comes to it is its user, and goes back at once."""

    def __init__(self, process, folder):
        start = json.loads(process.stdout.readline())
        self.url = f"http://127.0.0.1:{start['port']}"
        secret = pathlib.Path(folder) / "secret"
        with open(os.open(secret, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(start["secret"])
        self.settings = {
            "MEMEME_OIDC_ISSUER": self.url, "MEMEME_OIDC_CLIENT_ID": start["client"], "MEMEME_OIDC_CLIENT_SECRET_FILE": str(secret),
            "MEMEME_OIDC_NAME": "Example Login",
        }

    def set(self, **settings):
        request = urllib.request.Request(f"{self.url}/test/settings", json.dumps(settings).encode(), method="POST")
        urllib.request.urlopen(request, timeout=5).close()


@contextlib.contextmanager
def provider():
    # The program ends when its input does.
    with (tempfile.TemporaryDirectory() as folder,
          subprocess.Popen([sys.executable, PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process):
        yield Provider(process, folder)


@scenario("5.87 a person signs in by a provider, with the page that was asked for, and links and unlinks it")
def single_sign_on(app):
    with provider() as login, machine(app, **login.settings) as server:
        page = app.page
        # The first page asks for an account, and shows the sign-in at its address.
        page.goto("/app/feed")
        heading(page, "Sign in")
        app.check_access("a sign-in with a provider")
        app.photograph("people-sign-on")
        login.set(error="access_denied")
        press(page, "Sign in with Example Login")
        alert = page.get_by_role("alert").filter(has_text="The sign-in provider did not sign you in.")
        expect(alert).to_be_visible()
        assert page.url.endswith("/app/sign-in"), page.url
        login.set()
        page.goto("/app/feed")
        press(page, "Sign in with Example Login")
        heading(page, "Feed")
        assert page.url.endswith("/app/feed"), page.url
        page.reload()
        heading(page, "Feed")

        # The account has no password, so the provider stays.
        page.goto("/app/settings/security")
        links = page.get_by_role("region", name="Single sign-on")
        expect(links).to_contain_text("Linked to Example Login since")
        expect(links.get_by_role("link", name="Set one by email")).to_be_visible()
        app.check_access("a linked provider")
        app.photograph("settings-sign-on")
        press(page, "Unlink Example Login")
        expect(page.get_by_role("alert").filter(has_text="This is your only way to sign in.")).to_be_visible()

        # A person with a password and the same email links it in the settings.
        name, _ = server.person("Grace Hopper")
        login.set(claims={"sub": "2", "email": f"{name}@example.org"})
        page = app.open_window()
        page.goto("/app/register")
        press(page, "Sign in with Example Login")
        expect(page.get_by_role("alert").filter(has_text="An account with your email exists.")).to_be_visible()
        sign_in_by_form(page, name)
        expect(page.get_by_role("heading", name="Sign in")).to_have_count(0)
        page.goto("/app/settings/security")
        links = page.get_by_role("region", name="Single sign-on")
        links.get_by_label("Password", exact=True).fill("not my password")
        press(page, "Link Example Login")
        expect(links.get_by_label("Password", exact=True)).to_have_accessible_description(re.compile("Wrong password"))
        links.get_by_label("Password", exact=True).fill(PASSWORD)
        press(page, "Link Example Login")
        expect(links).to_contain_text("Linked to Example Login since")
        press(page, "Unlink Example Login")
        expect(page.get_by_role("status")).to_have_text("Single sign-on unlinked.")
        expect(links.get_by_role("button", name="Link Example Login")).to_be_visible()
        log = "\n".join(server.lines())
        assert "code=" not in log and "link=" not in log, log
    for status in ["409", "422"]:
        app.forgive(status)
