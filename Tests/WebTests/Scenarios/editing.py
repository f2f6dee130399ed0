"""What people do in the editor, and what it shows them."""

import json
import struct
import zlib

from app import PICTURES, eventually, expect, frames


def png(width, height, colour=(120, 120, 120)):
    """A picture of one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\x00" + bytes(colour) * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def bmp(width, height):
    """A grey picture of a kind that browsers read and the server does not. The width is a multiple of four."""
    pixels = b"\x78" * (3 * width * height)
    head = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(pixels), 2835, 2835, 0, 0)
    return b"BM" + struct.pack("<IHHI", 54 + len(pixels), 0, 0, 54) + head + pixels


def given(data, name="photo.png", kind="image/png"):
    """A file as browsers are given it."""
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
    """Takes a picture from the album."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Album", exact=True).click()
    chooser.value.set_files(picture)
    expect(page.locator(".stage-frame")).to_be_visible()


def write(page, name, text):
    """Writes into a text as people do: into it, the words, Return."""
    field = page.get_by_role("textbox", name=name)
    field.focus()
    field.fill(text)
    page.keyboard.press("Enter")
    return field


def write_both(page, top="one does not simply", bottom="walk into mordor"):
    write(page, "Top text", top)
    write(page, "Bottom text", bottom)


def pick(page, choice):
    """Chooses one of a few, by what is seen of it."""
    choice.locator("xpath=..").click()
    expect(choice).to_be_checked()


def is_drawn(page):
    """Waits for the server's own drawing."""
    expect(page.locator(".stage-drawn")).to_be_visible()


def newest(app, token=None):
    """The newest meme as a whole; None where there is none."""
    items = app.server.call("GET", "/memes?limit=1", token=token or app.server.admin_token)["items"]
    return items[0] if items else None


def finish(page):
    """Saves it and nothing else."""
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Only save it").click()
    expect(page.get_by_role("heading", level=1).filter(visible=True)).to_have_text("Sent Memes")


def pixels(page):
    """How many pixels of the drawing made here are nearly white, and nearly black, in the upper half and in the lower one."""
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
    """What is drawn here beside what the server draws, over a picture of one grey.

    Returns the mean difference of a pixel, of 255, and for white and black how much of what either has, both have.
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
    """Waits until what is drawn here is what the server draws. A font may come here later than the server's drawing with it."""
    found = {}

    def is_near():
        found.update(likeness(page))
        return found["mean"] < mean and found["white"] > white and found["black"] > black

    eventually(lambda: f"{case} is alike: {found}", is_near, page)


def saved_differs(page, meme):
    """The mean difference of a pixel between the drawing that was shown last and the meme's image, of 255."""
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
    """Keeps a copy of the server's drawing that is shown, for when its address is gone."""
    is_drawn(page)
    page.evaluate("""() => {
      const image = document.querySelector('.stage-drawn');
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      canvas.getContext('2d').drawImage(image, 0, 0);
      window.lastDrawn = canvas.toDataURL('image/png');
    }""")


def drag(page, locator, across, down, steps=6):
    """Takes the middle of something with the mouse and pulls it."""
    box = locator.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + across, y + down, steps=steps)
    page.mouse.up()
    # What was moved last is seen in the next frame.
    frames(page)
