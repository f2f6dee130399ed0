"""The service worker while the server is upgraded."""

from app import eventually, expect, scenario
from front import Front
from machine import machine
from offline import is_away, is_ready, kept

# Options of the windows that these scenarios open.
WINDOW = {"service_workers": "allow", "hurried": True}


@scenario("6.37 a page that is opened while a new version is downloaded leaves the downloaded files alone")
def opened_during_download(app):
    with machine(app, Front) as (server, front):
        server.meme("of both versions")
        page = app.page
        page.goto("/")
        is_ready(app)
        front.version = "beef" * 4
        front.holds = f"/web/{front.version}/settings/"
        front.may_show.clear()
        # An open tab does this once an hour.
        page.evaluate("async () => { (await navigator.serviceWorker.ready).update(); }")
        name = f"mememe:shell:{front.version}"
        eventually("the download has begun", lambda: name in kept(page), page)
        page.reload()
        app.is_settled()
        front.may_show.set()
        eventually("the new version is whole", lambda: "/" in kept(page).get(name, []), page)
        page.wait_for_function("""async () => {
          const { installing, waiting, active } = await navigator.serviceWorker.getRegistration();
          return !installing && !waiting && active.state === 'activated';
        }""")
        # Without the server the new version opens.
        front.listener.shutdown()
        front.listener.server_close()
        page.goto("/")
        expect(page.get_by_role("listitem")).to_have_count(1)
        assert page.locator(f"script[src*='{front.version}']").count() > 0
    is_away(app)
