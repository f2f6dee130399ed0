import Bytes
import Foundation
import HTTP
import Memes

/// The page that the link in the mail leads to: a new password, and a button.
///
/// The token is behind the `#` of the address, which browsers keep to themselves; the page's script sends it with the password. The
/// policy names the script and the style by their digests, and lets the page talk to this server alone.
struct ResetPage: Sendable {
  let response: Response

  init(digest: Digester) {
    var response = Response(.ok, "text/html; charset=utf-8", Bytes(Self.html.text))
    func source(_ text: String) -> String {
      "'sha256-\(Data(digest(Bytes(text)).bytes).base64EncodedString())'"
    }
    response.headers[.contentSecurityPolicy] = HeaderValue(
      "default-src 'none'; script-src \(source(Self.script)); style-src \(source(Self.stylesheet)); connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    response.headers[.cacheControl] = "no-store"
    self.response = response
  }

  private static let html = HTML.page(
    title: "Choose a new password", style: stylesheet,
    body: """
      <main>
      <h1>Choose a new password</h1>
      <form>
      <label for="password">New password</label>
      <input id="password" type="password" autocomplete="new-password" required minlength="8" maxlength="256" autofocus aria-describedby="rule">
      <p id="rule">8 characters or more, of any kind.</p>
      <label class="show"><input id="show" type="checkbox"> Show it</label>
      <button>Change the password</button>
      </form>
      <p id="told" role="status"></p>
      <noscript><p>This page needs JavaScript. Without it, send the new password to <code>password-resets/</code>, \
      followed by what stands behind the # of this page's address, like this:</p>
      <pre>curl -X PUT --json '{"password": "…"}' …/password-resets/…</pre></noscript>
      </main>
      <script>\(HTML(stringLiteral: script))</script>
      """)
}

extension ResetPage {
  /// Exactly as it stands between `<script>` and `</script>`.
  static let script = """

    "use strict";
    const form = document.querySelector("form"), told = document.querySelector("#told");
    const password = document.querySelector("#password"), show = document.querySelector("#show");
    const token = location.hash.slice(1);
    const done = (text) => { form.hidden = true; told.textContent = text; };
    if (!token) done("This page is opened by the link in the mail.");
    show.addEventListener("change", () => { password.type = show.checked ? "text" : "password"; });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const button = form.querySelector("button");
      button.disabled = true;
      told.textContent = "";
      try {
        const answer = await fetch("password-resets/" + encodeURIComponent(token), {
          method: "PUT", credentials: "omit", headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ password: password.value }),
        });
        if (answer.ok) {
          history.replaceState(null, "", location.pathname);
          done("The password is changed. Sign in with the new one.");
        } else {
          const problem = await answer.json();
          told.textContent = problem.errors ? problem.errors.map((error) => error.message).join(" ") : problem.detail;
        }
      } catch {
        told.textContent = "The server did not answer. Try again.";
      }
      button.disabled = false;
    });

    """

  /// Exactly as it stands between `<style>` and `</style>`.
  static let stylesheet = """

    :root {
      color-scheme: light dark;
      --page: #fbfaf8; --card: #ffffff; --text: #1d1c1a; --quiet: #5e5b56; --line: #8d8880; --link: #0b57a4; --on-link: #ffffff;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #161514; --card: #232120; --text: #ece8e1; --quiet: #aaa59c; --line: #7d786f; --link: #8fc1ff; --on-link: #10151b;
      }
    }
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    body {
      margin: 0; min-height: 100vh; min-height: 100svh; display: grid; place-items: center; padding: 1rem;
      background: var(--page); color: var(--text); overflow-wrap: anywhere;
      font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
    }
    main { width: 100%; max-width: 24rem; }
    h1 { margin: 0 0 1.25rem; font-size: 1.375rem; line-height: 1.3; }
    label { display: block; font-weight: 600; }
    label.show { margin: .75rem 0 1.25rem; font-weight: 400; }
    input[type=password], input[type=text] {
      width: 100%; margin-top: .25rem; padding: .6rem .75rem; border: 1px solid var(--line); border-radius: .5rem;
      background: var(--card); color: inherit; font: inherit;
    }
    #rule { margin: .25rem 0 0; color: var(--quiet); font-size: .875rem; }
    button {
      width: 100%; padding: .7rem 1rem; border: 0; border-radius: .5rem; background: var(--link); color: var(--on-link);
      font: inherit; font-weight: 600; cursor: pointer;
    }
    button:disabled { opacity: .6; cursor: progress; }
    :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
    pre { white-space: pre-wrap; }

    """
}
