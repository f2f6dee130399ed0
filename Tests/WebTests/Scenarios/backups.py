"""9. Backups, as admins see them."""

import json
import sqlite3
import time

from app import expect, scenario
from machine import machine

SIZES = [(320, 568), (390, 844), (768, 1024), (1440, 900)]


def go(app):
    app.page.goto("/app/admin/backups")
    app.is_settled()
    return app.page


def made(server, token):
    """Makes a backup by the API. Returns what the server says of it once it is there."""
    server.call("POST", "/admin/backups", token=token)
    for _ in range(300):
        newest = server.call("GET", "/admin/backups", token=token)["items"][0]
        if newest["state"] in ("complete", "failed"):
            return newest
        time.sleep(0.1)
    raise AssertionError(f"the backup is not made: {newest}")


@scenario("9.60 how it looks, in every state, and that everybody can use it: light and dark, small and large")
def looks(app):
    with machine(app) as server:
        grace, token = server.admin()
        app.sign_in(who=(grace, token))
        state = app.context.storage_state()
        for theme in ["light", "dark"]:
            for width, height in SIZES:
                for name, answer in STATES.items():
                    page = app.open_window(width, height, theme, storage_state=state, service_workers="block")
                    # No server is in all these states at once; what it really answers the scenarios after this one see.
                    page.route(f"{app.address}/admin/backups", lambda route, _, answer=answer: route.fulfill(json=answer()))
                    go(app)
                    page.wait_for_timeout(150)
                    if width in (320, 1440):
                        app.check_access(f"{name} {theme} {width}")
                    over = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
                    assert over <= 0, (name, width, over)
                    page.screenshot(path=str(app.folder / f"backups-{name}-{width}x{height}-{theme}.png"), full_page=True)


def before(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - seconds))


def backup(age, state="complete", **more):
    id = f"0196f000-0000-7000-8000-{age:012d}"
    whole = {
        "verifiedAt": before(age - 40), "byteCount": 1_310_720_000 - age * 300, "memes": 12_034 - age // 900,
        "url": f"/admin/backups/{id}/file", "progress": None,
    }
    unfinished = {"verifiedAt": None, "byteCount": None, "memes": None, "url": None, "progress": None}
    return {
        "id": id, "state": state, "createdAt": before(age), "fileName": "mememe-20261122T112953Z.db", "version": "0.9.0", "problem": None,
        **(whole if state == "complete" else unfinished), **more,
    }


def answer(*items, interval=86_400, free=44_023_414_784):
    return {
        "items": items, "nextCursor": None, "intervalSeconds": interval, "keepDays": 7, "keepWeeks": 4, "freeBytes": free,
    }


DAY = 86_400
STATES = {
    "none": lambda: answer(interval=0),
    "some": lambda: answer(*(backup(age) for age in [5 * 3600, DAY + 5 * 3600, 2 * DAY, 9 * DAY, 16 * DAY])),
    "running": lambda: answer(
        backup(2, "copying", progress={"doneBytes": 812_646_400, "allBytes": 1_310_720_000}),
        backup(3600, "failed", problem="The disk has no room for it."), backup(DAY), backup(2 * DAY)),
    "late": lambda: answer(backup(9 * DAY), interval=0, free=1_200_000_000),
}
