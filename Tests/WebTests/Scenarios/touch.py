"""Gestures, by the browser's own touch events."""

from app import comes_to_rest, frames


def swipe_left(page, element, distance, down=0, steps=8):
    """Swipes from the right half of the element to the left."""
    box = element.bounding_box()
    x, y = box["x"] + box["width"] * 0.9, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)

    def send(kind, *points):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    send("touchStart", {"x": x, "y": y})
    for step in range(1, steps + 1):
        send("touchMove", {"x": x - distance * step / steps, "y": y + down * step / steps})
        frames(page, 1)
    # The finger rests before it lifts: a tap during the browser's fling animation is not a click.
    frames(page, 10)
    send("touchMove", {"x": x - distance, "y": y + down})
    send("touchEnd")
    comes_to_rest(page)
