"""Takes the pictures of the app for the README. Run by `script/screenshots --readme`."""

import base64

from app import expect, scenario
from editing import given, is_drawn, open_editor, write_both

SKY = '<linearGradient id="s" x2="0" y2="1"><stop stop-color="{}"/><stop offset="1" stop-color="{}"/></linearGradient>'


def scene(width, height, top, bottom, shapes):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        f'{SKY.format(top, bottom)}<rect width="100%" height="100%" fill="url(#s)"/>{shapes}</svg>')


MOUNTAINS = scene(1200, 900, "#1b2a6b", "#ff9e6d", """
  <circle cx="600" cy="560" r="130" fill="#ffe9b8"/>
  <path d="M0 900V620L260 380 520 640 700 470 980 700 1200 520V900" fill="#5a3d73"/>
  <path d="M0 900V760L300 610 640 800 900 660 1200 790V900" fill="#33234d"/>""")
NIGHT = scene(1200, 800, "#071330", "#2b4a8b", """
  <path d="M900 150a90 90 0 1 0 90 120a75 75 0 0 1-90-120" fill="#f7f3d7"/>
  <rect y="560" width="1200" height="240" fill="#0d2148"/>
  <path d="M0 623h1200M200 683h800M100 743h800" stroke="#16336b" stroke-width="6"/>""")
HILLS = scene(900, 1200, "#8fd3f4", "#e8f8d0", """
  <path d="M120 260a60 60 0 0 1 80-56 75 75 0 0 1 140 0 60 60 0 0 1 80 56z" fill="#fff"/>
  <ellipse cx="300" cy="1200" rx="700" ry="420" fill="#6fbf57"/><ellipse cx="800" cy="1260" rx="600" ry="360" fill="#4f9e3f"/>""")
SMILE = scene(1000, 1000, "#ffd54a", "#ffd54a", """
  <circle cx="360" cy="400" r="60" fill="#3a2a00"/><circle cx="640" cy="400" r="60" fill="#3a2a00"/>
  <path d="M280 600q220 240 440 0" fill="none" stroke="#3a2a00" stroke-width="36" stroke-linecap="round"/>""")
DESERT = scene(1400, 800, "#f7b267", "#f4845f", """
  <circle cx="260" cy="220" r="80" fill="#fff3d6"/><path d="M0 800V560L400 500 800 600 1400 520V800" fill="#f25c54"/>
  <path d="M980 640V280M875 400v110h105M1085 340v110H980" fill="none" stroke="#2d6a4f" stroke-width="60" stroke-linecap="round"
    stroke-linejoin="round"/>""")
SNOWMAN = scene(1100, 1100, "#bcdcfb", "#ffffff", """
  <g fill="#fff" stroke="#9db8d0" stroke-width="8"><circle cx="550" cy="800" r="250"/><circle cx="550" cy="430" r="160"/></g>
  <g fill="#222"><circle cx="490" cy="390" r="20"/><circle cx="610" cy="390" r="20"/><circle cx="550" cy="700" r="18"/>
  <circle cx="550" cy="790" r="18"/></g><path d="M550 430v44l170-20z" fill="#ff8a3d"/>""")

MEMES = [
    (NIGHT, "moon's out", "screens out"),
    (SNOWMAN, "waiting for the build", "since november"),
    (SMILE, "all tests pass", "nothing was tested"),
    (DESERT, "documentation", "as far as the eye can see"),
    (HILLS, "works on my machine", "ships the machine"),
]


def drawn(page, svg):
    """Returns a drawing as a JPEG file."""
    url = page.evaluate("""async (text) => {
      const image = new Image();
      image.src = 'data:image/svg+xml,' + encodeURIComponent(text);
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
      canvas.getContext('2d').drawImage(image, 0, 0);
      return canvas.toDataURL('image/jpeg', 0.92);
    }""", svg)
    return base64.b64decode(url.split(",")[1])


@scenario("readme: the pictures of the app in the README")
def app_in_pictures(app):
    page = app.open_window(390, 780, theme="light")
    page.goto("/")
    name, token = app.sign_in("Ada Lovelace")
    for svg, top, bottom in MEMES:
        app.server.meme(top, bottom, token=token, picture=drawn(page, svg))
    mountains = drawn(page, MOUNTAINS)
    made = app.server.meme("one does not simply", "walk into mordor", token=token, picture=mountains)
    page.goto("/")
    expect(page.get_by_role("listitem")).to_have_count(len(MEMES) + 1)
    app.is_settled()
    app.photograph("app-table")
    open_editor(app, given(mountains, "mountains.jpg", "image/jpeg"))
    write_both(page)
    page.mouse.move(0, 400)
    is_drawn(page)
    app.photograph("app-editor")
    page.emulate_media(color_scheme="dark")
    _, other = app.server.person("Grace Hopper")
    app.server.call("PUT", f"/memes/{made['id']}/like", token=other)
    app.server.json("POST", f"/memes/{made['id']}/comments", {"text": "It has a gate, you know."}, token=other)
    page.goto(f"/app/meme/{made['id']}")
    expect(page.get_by_text("It has a gate, you know.")).to_be_visible()
    app.is_settled()
    app.photograph("app-meme")
