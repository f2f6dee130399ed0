extension HTML {
  /// The stylesheet of plain pages, exactly as it appears between `<style>` and `</style>`.
  static let stylesheet = """

    :root {
      color-scheme: light dark;
      --page: #fbfaf8; --text: #1d1c1a; --quiet: #5e5b56; --code: #f1eee9; --link: #0b57a4;
    }
    @media (prefers-color-scheme: dark) {
      :root { --page: #161514; --text: #ece8e1; --quiet: #aaa59c; --code: #2a2826; --link: #8fc1ff; }
    }
    * { box-sizing: border-box; }
    body {
      margin: 0; background: var(--page); color: var(--text); overflow-wrap: anywhere;
      font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
    }
    a { color: var(--link); text-underline-offset: .15em; }
    a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
    .top, body > main { max-width: 76rem; margin: 0 auto; padding: 1.5rem 1rem 0; }
    h1 { margin: 0; font-size: 2.25rem; line-height: 1.15; letter-spacing: -.02em; }
    .top p { margin: .25rem 0 0; font-size: 1.125rem; color: var(--quiet); }
    p { margin: .6rem 0; }
    code {
      padding: .1em .3em; border-radius: .25rem; background: var(--code);
      font-family: ui-monospace, "SF Mono", "Noto Sans Mono", "DejaVu Sans Mono", monospace; font-size: .875em;
    }

    """
}
