"""Steps in the editor, and checks of its drawing."""

import json
import struct
import zlib

from app import PICTURES, eventually, expect, frames


def png(width, height, colour=(120, 120, 120)):
    """Returns a picture of one color."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\x00" + bytes(colour) * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def bmp(width, height):
    """Returns a gray picture in a format that browsers read and the server rejects. The width is a multiple of four."""
    pixels = b"\x78" * (3 * width * height)
    head = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(pixels), 2835, 2835, 0, 0)
    return b"BM" + struct.pack("<IHHI", 54 + len(pixels), 0, 0, 54) + head + pixels


def given(data, name="photo.png", kind="image/png"):
    """Returns a file for a file chooser."""
    return {"name": name, "mimeType": kind, "buffer": data}


PHOTO = given((PICTURES / "photo.jpg").read_bytes(), "photo.jpg", "image/jpeg")


def open_editor(app, picture=None, address="/app/editor"):
    page = app.page
    page.goto(address)
    app.is_settled()
    if picture:
        choose(page, picture)
    return page


def choose(page, picture):
    """Chooses a picture from the album."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Album", exact=True).click()
    chooser.value.set_files(picture)
    expect(page.locator(".stage-frame")).to_be_visible()


def write(page, name, text):
    """Types into a caption: opens it, types the words, presses Return."""
    field = page.get_by_role("textbox", name=name)
    field.focus()
    field.fill(text)
    page.keyboard.press("Enter")
    return field


def write_both(page, top="one does not simply", bottom="walk into mordor"):
    write(page, "Top text", top)
    write(page, "Bottom text", bottom)


def pick(page, choice):
    """Clicks a radio button's visible part."""
    choice.locator("xpath=..").click()
    expect(choice).to_be_checked()


def is_drawn(page):
    """Waits for the server's drawing."""
    expect(page.locator(".stage-drawn")).to_be_visible()


def newest(app, token=None):
    """Returns the newest meme in full, or None if none exists."""
    items = app.server.call("GET", "/memes?limit=1", token=token or app.server.admin_token)["items"]
    return items[0] if items else None


def finish(page):
    """Saves the meme without sharing it."""
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Save without sharing").click()
    expect(page.get_by_role("heading", level=1).filter(visible=True)).to_have_text("Sent Memes")


def pixels(page):
    """Counts nearly white and nearly black pixels of the local drawing, in the upper and the lower half."""
    return page.evaluate("""() => {
      const canvas = document.querySelector('.stage-frame > canvas');
      const { width, height } = canvas;
      const copy = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d', { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, width, height);
      const found = { upper: { white: 0, black: 0 }, lower: { white: 0, black: 0 } };
      for (let at = 0; at < data.length; at += 4) {
        if (data[at + 3] < 200) continue;
        const half = found[at / 4 / width < height / 2 ? 'upper' : 'lower'];
        if (Math.min(data[at], data[at + 1], data[at + 2]) > 200) half.white++;
        if (Math.max(data[at], data[at + 1], data[at + 2]) < 60) half.black++;
      }
      return found;
    }""")


def likeness(page):
    """Compares the local drawing with the server's, over gray.

    Returns the mean difference of a pixel, of 255, and for white and black the share of either's pixels that both have.
    """
    is_drawn(page)
    return json.loads(page.evaluate("""() => {
      const [canvas, image] = [document.querySelector('.stage-frame > canvas'), document.querySelector('.stage-drawn')];
      const pixels = (source) => {
        const copy = document.createElement('canvas');
        [copy.width, copy.height] = [canvas.width, canvas.height];
        const context = copy.getContext('2d');
        context.fillStyle = 'rgb(120 120 120)';
        context.fillRect(0, 0, copy.width, copy.height);
        context.drawImage(source, 0, 0, copy.width, copy.height);
        return context.getImageData(0, 0, copy.width, copy.height).data;
      };
      const [here, there] = [pixels(canvas), pixels(image)];
      let difference = 0;
      const [both, either] = [[0, 0], [0, 0]];
      for (let at = 0; at < here.length; at += 4) {
        difference += Math.abs(here[at] - there[at]);
        for (const [index, is] of [(value) => value > 200, (value) => value < 50].entries()) {
          both[index] += is(here[at]) && is(there[at]);
          either[index] += is(here[at]) || is(there[at]);
        }
      }
      return JSON.stringify({
        mean: difference / (here.length / 4), white: both[0] / either[0], black: both[1] / either[1],
      });
    }"""))


def is_alike(page, case, mean=6, white=0.85, black=0):
    """Waits until the local drawing equals the server's. A font may arrive here later than the server's drawing."""
    found = {}

    def is_near():
        found.update(likeness(page))
        return found["mean"] < mean and found["white"] > white and found["black"] > black

    eventually(lambda: f"{case}: the drawings match: {found}", is_near, page)


def saved_differs(page, meme):
    """Returns the mean difference of a pixel, of 255, between the last shown drawing and the meme's image."""
    return page.evaluate("""async ([shown, saved]) => {
      const load = async (source) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
        canvas.getContext('2d').drawImage(image, 0, 0);
        return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
      };
      const [one, other] = [await load(shown), await load(saved)];
      if (one.length !== other.length) return Infinity;
      let difference = 0;
      for (let at = 0; at < one.length; at++) difference += Math.abs(one[at] - other[at]);
      return difference / one.length;
    }""", [page.evaluate("() => window.lastDrawn"), meme["image"]["url"]])


def keep_drawn(page):
    """Stores a copy of the server's drawing, for use after its address is gone."""
    is_drawn(page)
    page.evaluate("""() => {
      const image = document.querySelector('.stage-drawn');
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      canvas.getContext('2d').drawImage(image, 0, 0);
      window.lastDrawn = canvas.toDataURL('image/png');
    }""")


def drag(page, locator, across, down, steps=6):
    """Drags an element by its middle with the mouse."""
    box = locator.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + across, y + down, steps=steps)
    page.mouse.up()
    # The last movement shows in the next frame.
    frames(page)
