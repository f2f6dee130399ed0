"""Makes the moving pictures of the tests, each with its frames as Pillow shows them, one below the other.

Called by script/fixtures.
"""

import pathlib
import sys

from PIL import Image, ImageDraw

FOLDER = pathlib.Path(sys.argv[1])
SIZE = (64, 48)


def frame(index, ground=None):
    """A square and a disc that move, over transparency or over a color."""
    picture = Image.new("RGBA", SIZE, ground or (0, 0, 0, 0))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((4 + 8 * index, 6, 20 + 8 * index, 22), fill=(200, 30 + 40 * index, 60, 255))
    draw.ellipse((40 - 8 * index, 20, 60 - 8 * index, 40), fill=(20, 90, 220 - 30 * index, 255))
    return picture


def show(name):
    """Writes the frames as they are displayed, whatever the file stores for each frame."""
    with Image.open(FOLDER / name) as picture:
        frames = []
        for index in range(picture.n_frames):
            picture.seek(index)
            frames.append(picture.convert("RGBA"))
    strip = Image.new("RGBA", (SIZE[0], SIZE[1] * len(frames)))
    for index, picture in enumerate(frames):
        strip.paste(picture, (0, SIZE[1] * index))
    strip.save(FOLDER / f"{name}.expected.png", optimize=True)


def save(name, frames, **options):
    frames[0].save(FOLDER / name, save_all=True, append_images=frames[1:], **options)


def main():
    grounds = [(240, 220, 180, 255)] * 5
    times = [50, 100, 30, 200, 70]
    save("whole.gif", [frame(*pair) for pair in enumerate(grounds)], duration=times, loop=0, disposal=1)
    save("once.gif", [frame(index) for index in range(4)], duration=times[:4], disposal=2)
    save("disposal.gif", [frame(index) for index in range(5)], duration=times, loop=2, disposal=[1, 2, 3, 1, 1])
    save("still-partly.webp", [frame(*pair) for pair in enumerate(grounds)], duration=times, loop=0, lossless=True)
    save("see-through.webp", [frame(index) for index in range(4)], duration=[15, 33, 250, 70], loop=3, lossless=True)
    for file in sorted(FOLDER.iterdir()):
        if file.suffix in (".gif", ".webp"):
            show(file.name)


main()
