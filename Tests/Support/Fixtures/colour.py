"""Makes the pictures of the color tests, each with the result of a color-managed reader, Pillow with lcms.

Called by script/fixtures. The profiles are made here too, so that they are small and without a copyright.
"""

import io
import math
import pathlib
import struct
import sys
import zlib

from PIL import Image, ImageCms

FOLDER = pathlib.Path(sys.argv[1])
SIZE = (48, 32)

# --- ICC profiles (ICC.1:2022; version 2 as in ICC.1:2001-04) ---


def fixed(number):
    return struct.pack(">i", round(number * 65536))


def xyz(*numbers):
    return b"XYZ \0\0\0\0" + b"".join(map(fixed, numbers))


def gamma(exponent):
    return b"curv\0\0\0\0" + struct.pack(">IH", 1, round(exponent * 256))


def srgb_curve():
    numbers = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
    return b"para\0\0\0\0" + struct.pack(">HH", 3, 0) + b"".join(map(fixed, numbers))


def description(name, version):
    if version == 4:
        text = name.encode("utf-16-be")
        return b"mluc\0\0\0\0" + struct.pack(">II", 1, 12) + b"enUS" + struct.pack(">II", len(text), 28) + text
    text = name.encode() + b"\0"
    return b"desc\0\0\0\0" + struct.pack(">I", len(text)) + text + bytes(78)


def profile(name, version, kind, space, pcs, tags):
    tags = {"desc": description(name, version), "wtpt": xyz(0.9642, 1, 0.8249), **tags}
    table, data = b"", b""
    start = 132 + 12 * len(tags)
    for tag, body in tags.items():
        table += tag.encode() + struct.pack(">II", start + len(data), len(body))
        data += body + bytes(-len(body) % 4)
    header = struct.pack(">I4sI4s4s4s", start + len(data), b"", version << 24, kind, space, pcs)
    header += bytes(12) + b"acsp" + bytes(28) + fixed(0.9642) + fixed(1) + fixed(0.8249)
    return header.ljust(128, b"\0") + struct.pack(">I", len(tags)) + table + data


def rgb_profile(name, version, red, green, blue, curve):
    return profile(name, version, b"mntr", b"RGB ", b"XYZ ", {
        "rXYZ": xyz(*red), "gXYZ": xyz(*green), "bXYZ": xyz(*blue),
        "rTRC": curve, "gTRC": curve, "bTRC": curve,
    })  # fmt: skip


# Colorants adapted to D50, as in the published profiles.
P3 = rgb_profile(
    "Display P3", 4, (0.51512, 0.2412, -0.00105), (0.29198, 0.69225, 0.04189), (0.1571, 0.06657, 0.78407), srgb_curve()
)
ADOBE = rgb_profile(
    "Adobe RGB", 2, (0.60974, 0.31111, 0.01947), (0.20528, 0.62567, 0.06087), (0.14919, 0.06322, 0.74457),
    gamma(2.19921875),
)  # fmt: skip
GREY = profile("Grey, gamma 1.8", 2, b"mntr", b"GRAY", b"XYZ ", {"kTRC": gamma(1.8)})


def table(inputs, outputs, levels):
    """A lookup table with two steps for each input."""
    identity = b"".join(map(fixed, [1, 0, 0, 0, 1, 0, 0, 0, 1]))
    curve = bytes(range(256))
    return b"mft1\0\0\0\0" + bytes([inputs, outputs, 2, 0]) + identity + curve * inputs + levels + curve * outputs


def press(name, *intents):
    """A printing press, defined by the Lab colors of its sixteen overprints."""
    inks = {
        "": (95, 0, -2), "C": (55, -37, -50), "M": (48, 74, -3), "Y": (89, -5, 93), "CM": (24, 17, -46),
        "CY": (50, -65, 27), "MY": (47, 68, 48), "CMY": (23, 0, 0), "K": (16, 0, 0), "CK": (14, -4, -6),
        "MK": (13, 7, 0), "YK": (15, -1, 8), "CMK": (11, 2, -5), "CYK": (12, -6, 3), "MYK": (12, 6, 4), "CMYK": (9, 0, 0),
    }  # fmt: skip
    levels = b""
    for place in range(16):
        light, a, b = inks["".join(ink for bit, ink in zip((8, 4, 2, 1), "CMYK") if place & bit)]
        levels += bytes([round(light * 2.55), a + 128, b + 128])
    # The reverse table only maps black to all inks together, which is how the black point is measured.
    back = table(3, 4, bytes([255] * 16 + [0] * 16))
    there = table(4, 3, levels)
    tags = {intent: there for intent in intents} | {"B2A0": back}
    return profile(name, 2, b"prtr", b"CMYK", b"Lab ", tags)


PRESS = press("A press", "A2B0", "A2B1")
# Like the profiles of older programs.
SIMPLE_PRESS = press("A simple press", "A2B0")

# --- Pictures ---

PATCHES = [
    (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0), (255, 0, 255), (0, 255, 255),
    (200, 120, 40), (40, 160, 90), (90, 60, 180), (230, 190, 170), (128, 128, 128), (20, 30, 60),
    (255, 255, 255), (0, 0, 0), (64, 64, 64), (192, 192, 192), (120, 20, 30), (250, 220, 20),
    (160, 200, 240), (30, 90, 30), (220, 100, 160), (100, 100, 30), (10, 120, 120), (240, 240, 230),
]  # fmt: skip


def patches(mode="RGB"):
    """Flat squares of eight pixels, which JPEG stores almost without loss."""
    picture = Image.new("RGB", SIZE)
    for index, colour in enumerate(PATCHES):
        left, top = index % 6 * 8, index // 6 * 8
        picture.paste(colour, (left, top, left + 8, top + 8))
    if mode == "CMYK":
        planes = [picture.getchannel(band).point(lambda level: 255 - level) for band in "RGB"]
        key = Image.new("L", SIZE)
        for column in range(6):
            key.paste(column * 50, (column * 8, 0, column * 8 + 8, SIZE[1]))
        return Image.merge("CMYK", [*planes, key])
    return picture.convert(mode)


def ramp():
    """Alpha: 0 on the left, 255 on the right, in six steps."""
    alpha = Image.new("L", SIZE)
    for column in range(6):
        alpha.paste(column * 51, (column * 8, 0, column * 8 + 8, SIZE[1]))
    return alpha


def in_srgb(picture, icc, intent=ImageCms.Intent.RELATIVE_COLORIMETRIC):
    """Converts with black point compensation, so that black stays black."""
    return ImageCms.profileToProfile(
        picture, ImageCms.ImageCmsProfile(io.BytesIO(icc)), ImageCms.createProfile("sRGB"),
        renderingIntent=intent, outputMode="RGB",
        flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
    )  # fmt: skip


def with_alpha(picture, alpha):
    return Image.merge("RGBA", [*picture.split(), alpha])


def png(kind, depth, samples, *chunks, width=SIZE[0], height=SIZE[1]):
    """A PNG of any type, which Pillow cannot write. `samples` has the samples of all pixels, `depth` bits each."""

    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    a_row = len(samples) // height
    rows = b""
    for start in range(0, len(samples), a_row):
        row = samples[start : start + a_row]
        if depth == 16:
            rows += b"\0" + struct.pack(f">{a_row}H", *row)
        elif depth == 8:
            rows += b"\0" + bytes(row)
        else:
            bits = int("".join(f"{sample:0{depth}b}" for sample in row), 2)
            rows += b"\0" + bits.to_bytes(math.ceil(a_row * depth / 8), "big")
    header = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    middle = b"".join(chunk(name, body) for name, body in chunks)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + middle
        + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    )  # fmt: skip


def samples(picture, depth=8):
    scale = 257 if depth == 16 else 1
    return [level * scale for level in picture.tobytes()]


def iccp(icc):
    return b"iCCP", b"profile\0\0" + zlib.compress(icc, 9)


def encoded(picture, kind, **options):
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def keep(name, file, expected):
    (FOLDER / name).write_bytes(file)
    expected.save(FOLDER / f"{name}.expected.png", optimize=True)


def main():
    rgb, grey, alpha = patches(), patches("L"), ramp()
    fine = {"quality": 95, "subsampling": 0}
    keep("p3.jpg", encoded(rgb, "JPEG", icc_profile=P3, **fine), in_srgb(rgb, P3))
    keep("adobe-rgb.jpg", encoded(rgb, "JPEG", icc_profile=ADOBE, **fine), in_srgb(rgb, ADOBE))
    keep("p3.webp", encoded(rgb, "WEBP", icc_profile=P3, lossless=True), in_srgb(rgb, P3))
    keep("p3-16.png", png(2, 16, samples(rgb, 16), iccp(P3)), in_srgb(rgb, P3))
    seen = with_alpha(rgb, alpha)
    keep("p3-alpha.png", png(6, 8, samples(seen), iccp(P3)), with_alpha(in_srgb(rgb, P3), alpha))
    keep("p3-alpha-16.png", png(6, 16, samples(seen, 16), iccp(P3)), with_alpha(in_srgb(rgb, P3), alpha))
    keep("alpha-16.png", png(6, 16, samples(seen, 16)), seen)
    cmyk = patches("CMYK")
    keep("press.jpg", encoded(cmyk, "JPEG", icc_profile=PRESS, **fine), in_srgb(cmyk, PRESS))
    simple = in_srgb(cmyk, SIMPLE_PRESS, ImageCms.Intent.PERCEPTUAL)
    keep("press-simple.jpg", encoded(cmyk, "JPEG", icc_profile=SIMPLE_PRESS, **fine), simple)
    through_grey = ImageCms.profileToProfile(
        grey, ImageCms.ImageCmsProfile(io.BytesIO(GREY)), ImageCms.createProfile("sRGB"), outputMode="RGB",
        renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
    )  # fmt: skip
    keep("grey-profile.jpg", encoded(grey, "JPEG", icc_profile=GREY, **fine), through_grey)
    keep("grey-profile-16.png", png(0, 16, samples(grey, 16), iccp(GREY)), through_grey)
    keep("grey-16.png", png(0, 16, samples(grey, 16)), grey.convert("RGB"))
    both = Image.merge("LA", [grey, alpha])
    keep("grey-alpha.png", png(4, 8, samples(both)), both.convert("RGBA"))
    keep("grey-alpha-16.png", png(4, 16, samples(both, 16)), both.convert("RGBA"))
    black = [1 if level > 127 else 0 for level in grey.tobytes()]
    keep("one-bit.png", png(0, 1, black), Image.frombytes("L", SIZE, bytes(255 * bit for bit in black)).convert("RGB"))

    palette = b"".join(map(bytes, PATCHES))
    places = [y // 8 * 6 + x // 8 for y in range(SIZE[1]) for x in range(SIZE[0])]
    keep("palette.png", png(3, 8, places, (b"PLTE", palette)), rgb)
    keep("palette-profile.png", png(3, 8, places, iccp(P3), (b"PLTE", palette)), in_srgb(rgb, P3))
    levels = bytes(index * 11 for index in range(len(PATCHES)))
    see_through = Image.frombytes("L", SIZE, bytes(levels[place] for place in places))
    keep("palette-alpha.png", png(3, 8, places, (b"PLTE", palette), (b"tRNS", levels)), with_alpha(rgb, see_through))
    key = Image.frombytes("L", SIZE, bytes(0 if place == 0 else 255 for place in places))
    keep("colour-key.png", png(2, 8, samples(rgb), (b"tRNS", struct.pack(">3H", 255, 0, 0))), with_alpha(rgb, key))

    # An orientation in formats other than JPEG.
    for name, kind, orientation, turn in [
        ("turned.png", "PNG", 3, Image.Transpose.ROTATE_180), ("turned.webp", "WEBP", 4, Image.Transpose.FLIP_TOP_BOTTOM)
    ]:  # fmt: skip
        exif = Image.Exif()
        exif[0x0112] = orientation
        options = {"lossless": True} if kind == "WEBP" else {}
        keep(name, encoded(rgb, kind, exif=exif, **options), rgb.transpose(turn))

    # Pictures with an unusable profile are treated as sRGB.
    keep("broken-profile.jpg", encoded(rgb, "JPEG", icc_profile=P3[:180] + bytes(200), **fine), rgb)
    keep("wrong-profile.jpg", encoded(grey, "JPEG", icc_profile=P3, **fine), grey.convert("RGB"))
    keep("cut-profile.png", png(2, 8, samples(rgb), iccp(P3[:90])), rgb)


main()
