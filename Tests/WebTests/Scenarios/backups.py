"""9. Backups, as admins see them."""

import contextlib
import sqlite3
import time

from app import PICTURES, eventually, expect, is_whole, looks, scenario
from machine import machine


def go(app):
    app.page.goto("/app/admin/backups")
    app.is_settled()
    return app.page


def make_backup(server, token):
    """Creates a backup with the API. Returns its state once it has ended."""
    id = server.call("POST", "/admin/backups", token=token)["id"]

    def ended():
        backup = server.call("GET", f"/admin/backups/{id}", token=token)
        return backup if backup["state"] in ("complete", "failed") else None

    return eventually("the backup has ended", ended)


def upload_large_files(server, token):
    """Uploads enough data that a backup takes a while."""
    photo = (PICTURES / "photo.jpg").read_bytes()
    # JPEG comments, which decoders skip.
    comment = b"\xff\xfe" + (60_000).to_bytes(2, "big") + bytes(59_998)
    for _ in range(6):
        server.call("POST", "/uploads", photo[:2] + 500 * comment + photo[2:], token, {"Content-Type": "image/jpeg"})


def age(server, seconds):
    """Makes the only backup look `seconds` older. The server learns the time only from the file."""
    file = next((server.data / "backups").glob("*.db"))
    taken = int((time.time() - seconds) * 1000)
    with contextlib.closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE backup SET taken_at = ?", (taken,))
    file.rename(file.with_name(time.strftime("mememe-%Y%m%dT%H%M%SZ.db", time.gmtime(taken // 1000))))


@scenario("9.60 the page is accessible in every state, in light and dark themes at all window sizes")
def states(app):
    with machine(app) as server:
        grace, token = server.admin()
        app.sign_in(who=(grace, token))
        page = app.page
        for name, answer in STATES.items():
            # No single server has all these states, so the responses are made up. Later scenarios get real ones.
            page.unroute_all()
            page.route(f"{app.address}/admin/backups", lambda route, _, answer=answer: route.fulfill(json=answer()))
            for look, is_new in looks(app):
                if is_new:
                    go(app)
                    app.check_access(f"{name} {look}")
                is_whole(page, f"{name} {look}")


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
    "late": lambda: answer(backup(9 * DAY), interval=0, free=900_000_000),
}


@scenario("9.61 a manual backup shows its progress and the server's data, and downloads as a valid database")
def making(app):
    with machine(app) as server:
        grace, token = server.admin()
        server.memes(3)
        upload_large_files(server, token)
        app.sign_in(who=(grace, token))
        page = app.page
        page.goto("/app/admin")
        page.get_by_role("link", name="No backups yet").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Backups")
        expect(page.get_by_role("heading", name="No backups yet")).to_be_visible()
        expect(page.get_by_text("Automatic backups are off. Keeps the newest of each of the last 7 days and of each of the last 4 weeks.")).to_be_visible()
        button = page.get_by_role("button", name="Back up now")
        button.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("progressbar")).to_be_visible()
        expect(button).to_have_attribute("aria-disabled", "true")
        expect(page.locator("notice-bar").get_by_role("status")).to_have_text("Backup complete and verified.")
        expect(page.get_by_role("heading", name="Backed up now")).to_be_visible()
        expect(button).to_be_focused()
        expect(button).to_have_attribute("aria-disabled", "false")
        [told] = server.call("GET", "/admin/backups", token=token)["items"]
        row = page.get_by_role("list", name="Backups").get_by_role("listitem")
        expect(row).to_have_count(1)
        expect(row).to_contain_text("3 memes")
        expect(row).to_contain_text(f"version {told['version']}")
        expect(row).to_contain_text(f"{told['byteCount'] / 2**20:.0f} MiB")
        with page.expect_download() as download:
            row.get_by_role("link", name="Download").click()
        assert download.value.suggested_filename == told["fileName"]
        with contextlib.closing(sqlite3.connect(download.value.path())) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert database.execute("SELECT count(*) FROM memes").fetchone() == (3,)
            assert database.execute("SELECT taken_at FROM backup").fetchone()[0] > 0
        page.get_by_role("link", name="Log").click()
        acts = page.locator(".act")
        expect(acts.nth(0)).to_contain_text(f"{grace} downloaded a backup")
        expect(acts.nth(1)).to_contain_text(f"{grace} created a backup")


@scenario("9.62 stopping a backup discards it; deleting one needs confirmation, with a warning if it is the only one")
def deleting(app):
    with machine(app) as server:
        grace, token = server.admin()
        older = make_backup(server, token)
        # Of the backups of one day only the newest is kept.
        age(server, DAY)
        newer = make_backup(server, token)
        app.sign_in(who=(grace, token))
        page = go(app)
        rows = page.get_by_role("list", name="Backups").get_by_role("listitem")
        expect(rows).to_have_count(2)
        rows.nth(0).get_by_role("button", name="Delete").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).not_to_contain_text("This is the only backup.")
        dialog.get_by_role("button", name="Cancel").click()
        expect(rows.nth(0).get_by_role("button", name="Delete")).to_be_focused()
        page.keyboard.press("Enter")
        app.check_access("delete")
        dialog.get_by_role("button", name="Delete").click()
        expect(rows).to_have_count(1)
        expect(rows.nth(0)).to_be_focused()
        assert [each["id"] for each in server.call("GET", "/admin/backups", token=token)["items"]] == [older["id"]] != [newer["id"]]
        rows.nth(0).get_by_role("button", name="Delete").click()
        expect(dialog).to_contain_text("This is the only backup.")
        dialog.get_by_role("button", name="Delete").click()
        expect(page.get_by_role("heading", name="No backups yet")).to_be_visible()
        expect(page.get_by_role("heading", level=1)).to_be_focused()
        upload_large_files(server, token)
        page.get_by_role("button", name="Back up now").click()
        rows.get_by_role("button", name="Stop").click()
        expect(rows).to_have_count(0)
        assert list((server.data / "backups").iterdir()) == []


@scenario("9.63 the page warns about an outdated backup, with and without a schedule, and shows the retention rule")
def late(app):
    with machine(app) as server:
        grace, token = server.admin()
        make_backup(server, token)
        for seconds, words in [(6 * DAY, "Backed up 6 days ago"), (9 * DAY, "The newest backup is 9 days old")]:
            age(server, seconds)
            app.sign_in(who=(grace, token))
            page = go(app)
            expect(page.get_by_role("heading", name=words)).to_be_visible()
            page.goto("/app/admin")
            app.is_settled()
            expect(page.get_by_role("link", name=words)).to_have_count(int(seconds > 7 * DAY))
    with machine(app, MEMEME_BACKUP_INTERVAL="7200", MEMEME_BACKUP_KEEP_DAYS="1", MEMEME_BACKUP_KEEP_WEEKS="0") as server:
        grace, token = server.admin()
        app.sign_in(who=(grace, token))
        eventually("the first scheduled backup", lambda: any(
            each["state"] == "complete" for each in server.call("GET", "/admin/backups", token=token)["items"]))
        page = go(app)
        expect(page.get_by_role("heading", name="Backed up now")).to_be_visible()
        expect(page.get_by_text("Automatic backups: every 2 hours. Keeps the newest of the last day.")).to_be_visible()
        age(server, 5 * 3600)
        go(app)
        expect(page.get_by_role("heading", name="The newest backup is 5 hours old")).to_be_visible()


@scenario("9.64 a backup that fails verification shows the reason, and the page survives a server restart")
def failing(app):
    with machine(app) as server:
        grace, token = server.admin()
        server.memes(1)
        app.sign_in(who=(grace, token))
        page = go(app)
        upload_large_files(server, token)
        page.get_by_role("button", name="Back up now").click()
        expect(page.get_by_role("progressbar")).to_be_visible()
        server.end()
        # Damages a picture on the disk.
        with contextlib.closing(sqlite3.connect(server.data / "mememe.db")) as database, database:
            database.execute("UPDATE blobs SET bytes = zeroblob(length(bytes)) WHERE id = (SELECT min(id) FROM blobs)")
        server.start()
        # The server's end discards the running backup without a message.
        expect(page.get_by_role("heading", name="No backups yet")).to_be_visible()
        expect(page.get_by_role("progressbar")).to_have_count(0)
        page.get_by_role("button", name="Back up now").click()
        rows = page.get_by_role("list", name="Backups").get_by_role("listitem")
        expect(rows.nth(0)).to_contain_text("Failed.")
        expect(page.locator("notice-bar").get_by_role("status")).to_have_text("Backup failed.")
        expect(page.get_by_role("heading", name="No backups yet")).to_be_visible()
        [told] = server.call("GET", "/admin/backups", token=token)["items"]
        expect(rows.nth(0)).to_contain_text(told["problem"])
        expect(rows.nth(0).get_by_role("link")).to_have_count(0)
        app.photograph("backups-failed")
        rows.nth(0).get_by_role("button", name="Delete").click()
        expect(rows).to_have_count(0)
    app.forgive("ERR_")
