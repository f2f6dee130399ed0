"""What fingers do, by the browser's own touch events."""

from app import comes_to_rest, frames


def swipe_left(page, element, distance, down=0, steps=8):
    """Puts a finger on the right half of the element, pulls it to the left, and lets go."""
    box = element.bounding_box()
    x, y = box["x"] + box["width"] * 0.9, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)

    def send(kind, *points):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    send("touchStart", {"x": x, "y": y})
    for step in range(1, steps + 1):
        send("touchMove", {"x": x - distance * step / steps, "y": y + down * step / steps})
        frames(page, 1)
    # It rests before it lets go: a tap that comes while the browser thinks that something still flies is not a click.
    frames(page, 10)
    send("touchMove", {"x": x - distance, "y": y + down})
    send("touchEnd")
    comes_to_rest(page)
