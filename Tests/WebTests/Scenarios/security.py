"""5. People: the second factor."""

import base64
import hashlib
import hmac
import re
import time
import urllib.parse

from app import PASSWORD, expect, scenario
from accounts import fill_in, heading, press, sign_in_by_form
from machine import machine


class AuthenticatorApp:
    """An app that shows codes (RFC 6238)."""

    def __init__(self, secret):
        self.secret = base64.b32decode(secret)
        self.used = -1

    def code(self):
        """A code of a step that was not used yet. The server accepts the next one too, and each code once."""
        now = int(time.time()) // 30
        while self.used > now:
            time.sleep(1)
            now = int(time.time()) // 30
        self.used = max(now, self.used + 1)
        digest = hmac.new(self.secret, self.used.to_bytes(8, "big"), hashlib.sha1).digest()
        start = digest[-1] & 15
        return f"{(int.from_bytes(digest[start:start + 4], 'big') & 0x7FFFFFFF) % 1_000_000:06}"


MODULES = """
canvas => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const count = canvas.width / 4;
    return Array.from({ length: count }, (_, y) => Array.from({ length: count }, (_, x) => data[4 * ((4 * y + 2) * canvas.width + 4 * x + 2)] < 128));
}
"""


def product(left, right):
    """The product in GF(256) with the polynomial 0x11D."""
    result = 0
    while right:
        if right & 1:
            result ^= left
        left = left << 1 ^ (0x11D if left & 0x80 else 0)
        right >>= 1
    return result


def read_qr_code(modules):
    """Reads a QR code of level L by ISO/IEC 18004, versions 6 to 9, which have two blocks."""
    assert not any(map(any, modules[:4])) and not any(any(row[:4]) for row in modules), "no margin"
    rows = [row[4:-4] for row in modules[4:-4]]
    size = len(rows)
    version = (size - 17) // 4
    assert 6 <= version <= 9, version
    format_bits = sum(rows[8][x] << 14 - place for place, x in enumerate([0, 1, 2, 3, 4, 5, 7, 8]))
    format_bits |= sum(rows[y][8] << 6 - place for place, y in enumerate([7, 5, 4, 3, 2, 1, 0]))
    assert (format_bits ^ 0x5412) >> 13 == 1, "not level L"
    mask = (format_bits ^ 0x5412) >> 10 & 7
    is_masked = [
        lambda y, x: (y + x) % 2, lambda y, x: y % 2, lambda y, x: x % 3, lambda y, x: (y + x) % 3,
        lambda y, x: (y // 2 + x // 3) % 2, lambda y, x: y * x % 2 + y * x % 3,
        lambda y, x: (y * x % 2 + y * x % 3) % 2, lambda y, x: ((y + x) % 2 + y * x % 3) % 2][mask]
    marks = {6: [6, 34], 7: [6, 22, 38], 8: [6, 24, 42], 9: [6, 26, 46]}[version]
    corners = [(6, 6), (6, marks[-1]), (marks[-1], 6)]
    squares = [(y, x) for y in marks for x in marks if (y, x) not in corners]

    def has_function(y, x):
        return (y == 6 or x == 6 or (y < 9 and x < 9) or (y < 9 and x >= size - 8) or (y >= size - 8 and x < 9)
                or any(abs(y - row) <= 2 and abs(x - column) <= 2 for row, column in squares)
                or (version >= 7 and ((y < 6 and x >= size - 11) or (x < 6 and y >= size - 11))))

    bits, is_upward = [], True
    for right in [*range(size - 1, 6, -2), 5, 3, 1]:
        for y in range(size - 1, -1, -1) if is_upward else range(size):
            bits += [rows[y][x] ^ (is_masked(y, x) == 0) for x in (right, right - 1) if not has_function(y, x)]
        is_upward = not is_upward
    words = [int("".join("1" if bit else "0" for bit in bits[place:place + 8]), 2) for place in range(0, len(bits) - 7, 8)]
    count, check = {6: (136, 18), 7: (156, 20), 8: (194, 24), 9: (232, 30)}[version]
    data = words[:count]
    for block in range(2):
        codeword = data[block::2] + words[count:][block::2][:check]
        root = 1
        for _ in range(check):
            syndrome = 0
            for word in codeword:
                syndrome = product(syndrome, root) ^ word
            assert syndrome == 0, "the error correction is wrong"
            root = product(root, 2)
    stream = "".join(f"{word:08b}" for word in data[0::2] + data[1::2])
    assert stream[:4] == "0100", "not in bytes"
    length = int(stream[4:12], 2)
    return bytes(int(stream[12 + 8 * place:20 + 8 * place], 2) for place in range(length)).decode()


def set_up(app, page):
    """Turns the second factor on. Returns the app with its secret, and the recovery codes."""
    page.goto("/app/settings")
    page.get_by_role("link", name="Security").click()
    heading(page, "Security")
    page.get_by_label("Password", exact=True).fill("not my password")
    press(page, "Set up")
    expect(page.get_by_label("Password", exact=True)).to_be_focused()
    expect(page.get_by_label("Password", exact=True)).to_have_accessible_description(re.compile("Wrong password"))
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    press(page, "Set up")
    picture = page.get_by_role("img", name="QR code for your authenticator app")
    expect(picture).to_be_visible()
    link = page.get_by_role("link", name="Open the app on this device").get_attribute("href")
    assert read_qr_code(picture.evaluate(MODULES)) == link, link
    secret = urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["secret"][0]
    expect(page.get_by_text(" ".join(re.findall("....", secret)))).to_be_visible()
    app.check_access("a second factor")
    app.photograph("settings-security-qr")
    authenticator = AuthenticatorApp(secret)
    code = page.get_by_label("Code", exact=True)
    code.fill("12345")
    press(page, "Turn on")
    expect(code).to_be_focused()
    expect(code).to_have_accessible_description(re.compile("The code is wrong"))
    code.fill(authenticator.code())
    press(page, "Turn on")
    codes = page.get_by_role("list", name="Recovery codes")
    expect(codes).to_be_focused()
    expect(codes.get_by_role("listitem")).to_have_count(10)
    app.check_access("recovery codes")
    app.photograph("settings-security-codes")
    return authenticator, codes.get_by_role("listitem").all_inner_texts()


@scenario("5.81 a person turns on a second factor, signs in with codes, and turns it off")
def second_factor(app):
    with machine(app) as server:
        name, _ = who = server.person()
        app.sign_in(who=who)
        page = app.page
        authenticator, codes = set_up(app, page)
        with page.expect_download() as download:
            press(page, "Download")
        assert download.value.path().read_text().split() == codes
        press(page, "Done")
        expect(page.get_by_text("You have 10 recovery codes left.")).to_be_visible()
        expect(page.get_by_text(codes[0])).to_have_count(0)
        app.check_access("a second factor that is on")

        page.goto("/app/settings/tokens")
        page.get_by_label("Name", exact=True).fill("weekly cat")
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Make token").click()
        expect(page.get_by_label("Code", exact=True)).to_have_accessible_description(re.compile("Required"))
        page.get_by_label("Code", exact=True).fill(codes[0])
        page.get_by_role("button", name="Make token").click()
        expect(page.get_by_label("Access token", exact=True)).to_be_focused()

        page = app.open_window()
        page.goto("/app/sign-in")
        code = page.get_by_label("Code", exact=True)
        expect(code).to_have_count(1)
        expect(code).to_be_hidden()
        sign_in_by_form(page, name, "not my password")
        expect(page.get_by_label("Password", exact=True)).to_have_accessible_description(re.compile("Wrong username or password"))
        expect(code).to_be_hidden()
        sign_in_by_form(page, name)
        expect(code).to_be_focused()
        app.check_access("the code of a sign-in")
        app.photograph("people-sign-in-code")
        press(page, "Sign in")
        expect(code).to_have_accessible_description(re.compile("Enter a code"))
        code.fill(codes[0])
        press(page, "Sign in")
        expect(code).to_have_accessible_description(re.compile("Wrong code"))
        code.fill(authenticator.code())
        press(page, "Sign in")
        expect(page.get_by_role("heading", name="Sign in")).to_have_count(0)

        page.goto("/app/settings/security")
        expect(page.get_by_text("You have 9 recovery codes left.")).to_be_visible()
        renewal = page.get_by_role("region", name="New recovery codes")
        renewal.get_by_label("Password", exact=True).fill(PASSWORD)
        renewal.get_by_label("Code", exact=True).fill(codes[1])
        press(page, "Make new codes")
        fresh = page.get_by_role("list", name="Recovery codes").get_by_role("listitem")
        expect(fresh).to_have_count(10)
        fresh = fresh.all_inner_texts()
        assert not set(fresh) & set(codes)
        press(page, "Done")
        end = page.get_by_role("region", name="Turn off")
        end.get_by_label("Password", exact=True).fill(PASSWORD)
        end.get_by_label("Code", exact=True).fill(fresh[0])
        press(page, "Turn off")
        expect(page.get_by_role("button", name="Set up")).to_be_visible()
        account = server.call("GET", "/users/me", token=who[1])
        assert account["secondFactor"] is None, account
        log = "\n".join(server.lines())
        assert not any(text in log for text in [*codes, *fresh])
    for status in ["401", "422"]:
        app.forgive(status)
