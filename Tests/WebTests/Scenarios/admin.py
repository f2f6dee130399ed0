"""7. Admin."""

import re

from app import PASSWORD, expect, frames, is_whole, looks, scenario
from machine import machine


def report(server, kind, id, reason, token=None):
    return server.json("POST", f"/{kind}/{id}/reports", {"reason": reason}, token=token)


def go(app, part=""):
    app.page.goto(f"/app/admin{part}")
    app.is_settled()
    return app.page


@scenario("7.1 only admins see the admin pages and the link to them")
def admins_only(app):
    with machine(app) as server:
        page = app.page
        page.goto("/app/admin")
        expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
        app.sign_in("Eve")
        page.goto("/app/you")
        expect(page.get_by_role("link", name="Settings")).to_be_visible()
        expect(page.get_by_role("link", name="Admin")).to_have_count(0)
        for part in ["", "/reports", "/memes", "/invitations", "/backups", "/log"]:
            go(app, part)
            expect(page.get_by_role("heading", name="Admins only")).to_be_visible()
            expect(page.get_by_role("navigation", name="Admin")).to_have_count(0)
        app.check_access("admins only")
        page = app.open_window()
        grace, token = server.admin()
        app.sign_in(who=(grace, token))
        page.goto("/app/you")
        page.get_by_role("link", name="Admin").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
        expect(page.get_by_role("heading", name="Uploads")).to_be_visible()
        # The role is revoked while the page is open.
        server.give("member", grace)
        page.get_by_role("button", name="Refresh").click()
        expect(page.get_by_role("heading", name="Admins only")).to_be_visible()
        expect(page.get_by_role("navigation", name="Admin")).to_be_hidden()
    app.forgive("403")


@scenario("7.2 statistics match the server's data, as charts and as tables")
def figures(app):
    with machine(app) as server:
        grace, token = server.admin()
        server.memes(3)
        meme = server.meme("to be reported")
        report(server, "memes", meme["id"], "It is an advertisement.")
        app.sign_in(who=(grace, token))
        page = go(app)
        stats = server.call("GET", "/admin/stats", token=token)
        tiles = page.locator(".tile")
        expect(tiles.filter(has_text="open reports")).to_contain_text("1")
        expect(tiles.filter(has=page.get_by_text("memes", exact=True))).to_contain_text("4")
        plot = page.get_by_role("img", name="Memes per day, last 30 days")
        bars = plot.locator(".plot-bar")
        expect(bars).to_have_count(30)
        heights = [float(bar.get_attribute("height")) for bar in bars.all()]
        assert heights[-1] > 100 and max(heights[:-1]) <= 2, heights
        storage = page.get_by_role("img", name="Database size by kind")
        expect(storage).to_be_visible()
        expect(page.get_by_role("listitem").filter(has_text="Originals")).to_be_visible()
        renders = page.get_by_role("img", name="Pictures by render time")
        titles = renders.locator("title").all_text_contents()
        assert sum(int(re.search(r": (\d+) picture", title)[1]) for title in titles) == stats["renders"]["count"] == 4, titles
        for name, rows in [("Uploads", 30), ("Storage", 5), ("Render time", len(titles))]:
            card = page.locator("section", has=page.get_by_role("heading", name=name, exact=True))
            card.get_by_text("Show as table").focus()
            page.keyboard.press("Enter")
            expect(card.get_by_role("table")).to_be_visible()
            expect(card.get_by_role("table").locator("tbody tr")).to_have_count(rows)
        today = page.get_by_role("table").first.locator("tbody tr").last
        expect(today.get_by_role("cell")).to_have_text("4")
        page.get_by_role("link", name="1 open reports").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Reports")


@scenario("7.3 reports can be resolved by deletion or suspension, dismissed with a note, and reopened")
def reports(app):
    with machine(app) as server:
        grace, token = server.admin()
        eve, eves = server.person("Eve")
        bad = server.meme("cheap watches", token=eves)
        fine = server.meme("a cat", token=eves)
        comment = server.json("POST", f"/memes/{fine['id']}/comments", {"text": "Cheaper <b>watches</b>!"}, token=eves)
        bob, bobs = server.person("Bob")
        for each in [None, bobs]:
            report(server, "memes", bad["id"], "It is an advertisement.", each)
        report(server, "memes", fine["id"], "I do not like cats.")
        report(server, "comments", comment["id"], "Again.")
        report(server, "users", eve, "Sells watches everywhere.")
        app.sign_in(who=(grace, token))
        page = go(app, "/reports")
        cards = page.get_by_role("article")
        dialog = page.get_by_role("dialog")
        told = page.locator("notice-bar")
        expect(cards).to_have_count(5)
        # Newest first. The keyboard operates everything.
        expect(cards.nth(0)).to_contain_text("Sells watches everywhere.")
        press(page, cards.nth(0).get_by_role("button", name="Suspend"))
        expect(dialog).to_contain_text("Suspend Eve?")
        app.check_access("suspend")
        page.keyboard.type("sells watches")
        press(page, dialog.get_by_role("button", name="Suspend"))
        expect(cards).to_have_count(4)
        expect(told.get_by_role("status")).to_have_text("Eve suspended, report resolved.")
        assert server.call("GET", "/admin/stats", token=token)["suspended"] == 1
        expect(cards.nth(0).get_by_role("heading")).to_be_focused()
        press(page, told.get_by_role("button", name="Undo"))
        expect(told.get_by_role("status")).to_have_text("Eve unsuspended.")

        expect(cards.nth(0)).to_contain_text("Cheaper <b>watches</b>!")
        cards.nth(0).get_by_role("button", name="Delete comment").click()
        dialog.get_by_role("button", name="Delete comment").click()
        expect(cards).to_have_count(3)
        assert server.call("GET", f"/memes/{fine['id']}/comments")["items"] == []

        cards.nth(0).get_by_role("button", name="Dismiss").click()
        dialog.get_by_role("textbox").fill("Everybody likes cats.")
        dialog.get_by_role("button", name="Dismiss").click()
        expect(cards).to_have_count(2)

        # The action closes both reports on the meme.
        expect(cards.nth(0)).to_contain_text("2 open reports on it")
        cards.nth(0).get_by_role("button", name="Delete meme").click()
        expect(dialog).to_contain_text("This also closes 1 other report on the same item.")
        dialog.get_by_role("button", name="Cancel").click()
        expect(cards).to_have_count(2)
        cards.nth(0).get_by_role("button", name="Delete meme").click()
        dialog.get_by_role("button", name="Delete meme").click()
        expect(page.get_by_role("heading", name="All clear")).to_be_visible()
        assert [item["top"] for item in server.call("GET", "/memes?view=table")["items"]] == ["a cat"]
        told.get_by_role("button", name="Undo").click()
        expect(told.get_by_role("status")).to_have_text("Meme restored. The report stays resolved.")
        assert len(server.call("GET", "/memes?view=table")["items"]) == 2

        page.get_by_role("radio", name="Dismissed").check()
        expect(cards).to_have_count(1)
        expect(cards.nth(0)).to_contain_text("Note: Everybody likes cats.")
        expect(cards.nth(0)).to_contain_text(f"Dismissed by {grace}")
        cards.nth(0).get_by_role("button", name="Reopen").click()
        expect(page.get_by_role("heading", name="None")).to_be_visible()
        page.get_by_role("radio", name="Open", exact=True).check()
        expect(cards).to_have_count(1)
        page.get_by_role("radio", name="Resolved").check()
        expect(cards).to_have_count(4)


def press(page, button):
    """Presses a button with the keyboard."""
    button.focus()
    page.keyboard.press("Enter")


@scenario("7.4 reports are paginated")
def many_reports(app):
    with machine(app) as server:
        grace, token = server.admin()
        for number in range(34):
            report(server, "memes", server.meme(f"meme {number}")["id"], f"reason {number}")
        app.sign_in(who=(grace, token))
        page = go(app, "/reports")
        expect(page.get_by_role("article")).to_have_count(30)
        page.get_by_role("button", name="More reports").click()
        expect(page.get_by_role("article")).to_have_count(34)
        expect(page.get_by_role("button", name="More reports")).to_have_count(0)
        expect(page.get_by_role("article").nth(30).get_by_role("heading")).to_be_focused()


@scenario("7.5 bulk deletion needs a preview, which deletes nothing, and the typed number of memes")
def bulk(app):
    with machine(app) as server:
        grace, token = server.admin()
        mal, mals = server.person("Mal")
        server.memes(5, token=mals)
        server.memes(2)
        app.sign_in(who=(grace, token))
        page = go(app, "/memes")
        preview = page.get_by_role("button", name="Preview")
        preview.click()
        expect(page.get_by_role("alert")).to_have_text("Choose a person or a time range.")
        page.get_by_label("One person").check()
        page.get_by_role("textbox", name="Username").fill(mal)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="5 memes will be deleted")).to_be_visible()
        expect(page.locator(".found img")).to_have_count(5)
        assert server.call("GET", "/admin/stats", token=token)["memes"] == 7
        app.check_access("preview")
        page.get_by_role("button", name="Delete 5 memes").click()
        dialog = page.get_by_role("dialog")
        delete = dialog.get_by_role("button", name="Delete")
        expect(delete).to_be_disabled()
        field = dialog.get_by_role("textbox", name="Type 5 to delete them")
        expect(field).to_be_focused()
        field.fill("7")
        expect(delete).to_be_disabled()
        field.fill("5")
        expect(delete).to_be_enabled()
        app.check_access("confirm")
        # Another meme is added, so the confirmation no longer applies.
        server.meme("one more", token=mals)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="6 memes will be deleted")).to_be_visible()
        expect(page.locator("notice-bar").get_by_role("status")).to_have_text("6 memes match now. Nothing was deleted.")
        assert server.call("GET", "/admin/stats", token=token)["memes"] == 8
        page.get_by_role("button", name="Delete 6 memes").click()
        field = dialog.get_by_role("textbox", name="Type 6 to delete them")
        field.fill("6")
        delete.click()
        expect(page.get_by_text("6 memes are deleted.")).to_be_visible()
        assert server.call("GET", "/admin/stats", token=token)["memes"] == 2
        preview.click()
        expect(page.get_by_text("No memes match.")).to_be_visible()
        # A change of the filter removes the preview.
        page.get_by_label("No account").check()
        expect(page.get_by_text("No memes match.")).to_have_count(0)
        page.get_by_label("Until").fill("2001-01-01T00:00")
        preview.click()
        expect(page.get_by_text("No memes match.")).to_be_visible()
        page.get_by_label("Until").fill("")
        page.get_by_label("From").fill("2001-01-01T00:00")
        preview.click()
        expect(page.get_by_role("heading", name="2 memes will be deleted")).to_be_visible()
        page.get_by_label("One person").check()
        page.get_by_role("textbox", name="Username").fill("No Such Name!")
        preview.click()
        expect(page.get_by_role("alert")).not_to_have_text("")
    app.forgive("422")


@scenario("7.6 the audit log shows actor, action, target and reason, newest first, and is paginated")
def log(app):
    with machine(app) as server:
        grace, token = server.admin()
        eve, eves = server.person("Eve")
        app.sign_in(who=(grace, token))
        # The role was given on the command line.
        page = go(app, "/log")
        acts = page.locator(".act")
        expect(acts).to_have_count(1)
        expect(acts.nth(0)).to_contain_text(f"Command line changed the role of {grace}")
        for number in range(30):
            server.json("PUT", f"/admin/users/{eve}/suspension", {"reason": f"reason {number}"}, token=token)
            server.call("DELETE", f"/admin/users/{eve}/suspension", token=server.admin_token)
        server.meme("x", token=eves)
        server.call("DELETE", f"/memes?author={eve}", token=token)
        page = go(app, "/log")
        expect(acts).to_have_count(50)
        expect(acts.nth(0)).to_contain_text(f"{grace} deleted 1 meme")
        expect(acts.nth(0)).to_contain_text(f"Of {eve}")
        expect(acts.nth(1)).to_contain_text(f"Admin token unsuspended {eve}")
        expect(acts.nth(2)).to_contain_text(f"{grace} suspended {eve}")
        expect(acts.nth(2)).to_contain_text("Reason: reason 29")
        # A double click shows them once.
        page.get_by_role("button", name="Earlier").dblclick()
        expect(acts).to_have_count(62)
        expect(acts.nth(50)).to_be_focused()
        expect(page.get_by_role("button", name="Earlier")).to_have_count(0)


@scenario("7.8 an admin finds a person, and changes, suspends and deletes the account")
def accounts(app):
    with machine(app) as server:
        grace, token = server.admin()
        eve, eves = server.person("Eve")
        bob, _ = server.person("Bob")
        app.sign_in(who=(grace, token))
        page = go(app, "/people")
        rows = page.locator("admin-people .person")
        dialog = page.get_by_role("dialog")
        status = page.locator("notice-bar").get_by_role("status")
        expect(rows).to_have_count(3)
        # Nobody can change their own account here.
        expect(rows.filter(has_text=f"@{grace}").get_by_role("button")).to_have_count(0)
        page.get_by_role("searchbox").fill(f"{eve}@exam"[:20].upper())
        expect(rows).to_have_count(1)
        page.get_by_role("searchbox").fill("%")
        expect(page.get_by_role("heading", name="No accounts")).to_be_visible()
        page.get_by_role("searchbox").fill(eve)
        expect(rows).to_have_count(1)

        def act(name):
            press(page, rows.get_by_role("button", name=f"Actions for {eve}"))
            app.check_access(f"menu before {name}")
            dialog.get_by_role("button", name=name, exact=True).click()

        act("Make an admin")
        dialog.get_by_role("button", name="Make an admin").click()
        expect(status).to_have_text(f"{eve} is an admin.")
        expect(rows).to_contain_text("Admin")
        server.call("GET", "/admin/stats", token=eves)
        act("Make a member")
        expect(status).to_have_text(f"{eve} is a member.")

        act("Suspend")
        page.keyboard.type("sells watches")
        dialog.get_by_role("button", name="Suspend").click()
        expect(rows).to_contain_text("suspended")
        assert server.call("GET", f"/admin/users/{eve}", token=token)["suspendedAt"]
        act("Unsuspend")
        expect(rows).not_to_contain_text("suspended")

        act("Storage quota")
        page.keyboard.type("2")
        page.keyboard.press("Enter")
        expect(status).to_have_text(f"Quota of {eve} changed.")
        assert server.call("GET", f"/admin/users/{eve}", token=token)["quotaBytes"] == 2 * 2 ** 30
        act("Storage quota")
        dialog.get_by_role("button", name="Cancel").click()
        expect(dialog).to_have_count(0)

        act("Password link")
        link = dialog.get_by_role("textbox", name="Password link")
        expect(link).to_be_focused()
        app.check_access("link")
        url = link.input_value()
        dialog.get_by_role("button", name="Close").click()
        server.json("PUT", f"/password-resets/{url.split('#')[1]}", {"password": "three cats and a keyboard"})
        server.json("POST", "/sessions", {"username": eve, "password": "three cats and a keyboard"})

        act("Delete account")
        dialog.get_by_role("button", name="Cancel").click()
        expect(rows).to_have_count(1)
        act("Delete account")
        dialog.get_by_role("button", name="Delete account").click()
        expect(status).to_have_text(f"{eve} deleted.")
        expect(rows).to_have_count(0)
        page.get_by_role("searchbox").fill("")
        expect(rows).to_have_count(2)
        expect(rows.filter(has_text=f"@{bob}")).to_have_count(1)


@scenario("7.11 a suspended person stays signed in, and exports the data and deletes the account")
def suspended(app):
    with machine(app) as server:
        _, token = server.admin()
        eve, eves = server.person("Eve")
        app.sign_in(who=(eve, eves))
        server.json("PUT", f"/admin/users/{eve}/suspension", {}, token=token)
        page = app.page
        page.goto("/")
        expect(page.get_by_text("This account is suspended.")).to_be_visible()
        page.goto("/app/settings/export")
        with page.expect_download() as download:
            page.get_by_role("button", name="Download").click()
        assert download.value.suggested_filename.startswith(f"mememe-{eve}-"), download.value.suggested_filename
        page.goto("/app/settings/delete")
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Delete my account").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete permanently").click()
        expect(page.get_by_role("status")).to_have_text("Your account was deleted.")
        app.forgive("403")


@scenario("7.7 every page is accessible in light and dark themes at all window sizes")
def access(app):
    with machine(app) as server:
        grace, token = server.admin()
        eve, eves = server.person("Eve")
        memes = server.memes(12, token=eves)
        bob, bobs = server.person("Bob")
        for each in [None, bobs]:
            report(server, "memes", memes[0]["id"], "It is an advertisement for watches, and I have seen it four times today.", each)
        comment = server.json("POST", f"/memes/{memes[1]['id']}/comments", {"text": "Cheap watches! Cheap watches!"}, token=eves)
        report(server, "comments", comment["id"], "Sells watches.", bobs)
        report(server, "users", eve, "Pretends to be somebody else.", bobs)
        server.json("PUT", f"/admin/users/{eve}/suspension", {"reason": "sells watches"}, token=token)
        server.call("DELETE", f"/admin/users/{eve}/suspension", token=token)
        server.call("DELETE", f"/memes/{memes[5]['id']}", token=token)
        app.sign_in(who=(grace, token))
        page = app.page
        for name, part in [("overview", ""), ("reports", "/reports"), ("people", "/people"), ("memes", "/memes"), ("invitations", "/invitations"), ("log", "/log")]:
            for look, is_new in looks(app):
                if is_new:
                    go(app, part)
                if is_new and part == "/memes":
                    page.get_by_label("One person").check()
                    page.get_by_role("textbox", name="Username").fill(eve)
                    page.keyboard.press("Enter")
                if part == "/memes":
                    expect(page.locator(".found img")).to_have_count(11)
                if is_new:
                    app.check_access(f"{name} {look}")
                is_whole(page, f"{name} {look}")


@scenario("7.9 the tabs keep their words whole, and forms fit, also with text at 200 %")
def tabs(app):
    with machine(app) as server:
        who = server.admin()
        app.sign_in(who=who)
        page = go(app, "/memes")
        for width, size in [(390, "100%"), (320, "100%"), (390, "200%")]:
            page.set_viewport_size({"width": width, "height": 844})
            page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
            frames(page)
            lines = page.locator(".tab-bar span").evaluate_all("""words => words.map((each) => {
              const range = document.createRange();
              range.selectNodeContents(each);
              return range.getClientRects().length;
            })""")
            assert len(lines) >= 6 and set(lines) == {1}, (width, size, lines)
            form = page.locator(".admin-form").bounding_box()
            for field in page.locator(".admin-form .field").all():
                box = field.bounding_box()
                assert box["x"] + box["width"] <= form["x"] + form["width"], (width, size, box, form)
            if (width, size) == (390, "200%"):
                # The parts of a time take two lines.
                single, double = [page.locator(f".admin-form [name={name}]").bounding_box()["height"] for name in ["author", "after"]]
                assert double > 1.4 * single, (single, double)
            if size == "100%":
                # Each tab is visible without scrolling.
                assert page.locator(".tab-bar").evaluate("bar => bar.scrollWidth <= bar.clientWidth"), width
            app.photograph(f"admin-tabs-{width}-{size.rstrip('%')}")
        server.json("PATCH", "/users/me/settings", {"accessibility": {"textScale": 2}}, token=who[1])
        go(app, "/log")
        tab = page.get_by_role("link", name="Log", exact=True).bounding_box()
        assert tab["x"] >= 0 and tab["x"] + tab["width"] < 391, tab


@scenario("7.10 if a tab cannot be loaded, the page before keeps its address")
def tab_not_loaded(app):
    with machine(app) as server:
        app.sign_in(who=server.admin())
        page = go(app)
        heading = page.get_by_role("heading", level=1).filter(visible=True)
        expect(heading).to_have_text("Overview")
        # The browser may have cached this file.
        module = re.compile(r"/admin-reports\.js$")
        page.route(module, lambda route: route.abort("internetdisconnected"))
        app.context.set_offline(True)
        page.get_by_role("navigation", name="Admin").get_by_role("link", name="Reports").click()
        expect(page.locator("notice-bar")).to_contain_text("You are offline.")
        expect(page).to_have_url(re.compile("/app/admin$"))
        expect(heading).to_have_text("Overview")
        app.context.set_offline(False)
        page.unroute(module)
        page.get_by_role("navigation", name="Admin").get_by_role("link", name="Reports").click()
        expect(heading).to_have_text("Reports")
        expect(page).to_have_url(re.compile("/app/admin/reports$"))
        app.forgive("ERR_INTERNET_DISCONNECTED")
        app.forgive("TypeError")
