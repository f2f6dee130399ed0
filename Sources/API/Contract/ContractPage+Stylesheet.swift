extension ContractPage {
  /// The page's stylesheet, exactly as it appears between `<style>` and `</style>`.
  package static let stylesheet = """

    :root {
      color-scheme: light dark;
      --page: #fbfaf8; --card: #ffffff; --text: #1d1c1a; --quiet: #5e5b56; --line: #dedad3;
      --code: #f1eee9; --link: #0b57a4; --get: #0b57a4; --post: #1a6b35; --delete: #b3261e;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #161514; --card: #1f1e1c; --text: #ece8e1; --quiet: #aaa59c; --line: #393633;
        --code: #2a2826; --link: #8fc1ff; --get: #2f6fb5; --post: #2f7d4a; --delete: #c0483f;
      }
    }
    * { box-sizing: border-box; }
    html { scroll-padding-top: 1rem; }
    body {
      margin: 0; background: var(--page); color: var(--text); overflow-wrap: anywhere;
      font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
    }
    a { color: var(--link); text-underline-offset: .15em; }
    a:focus-visible, summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
    .skip { position: absolute; left: -100vw; }
    .skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--card); }
    .top, .columns, body > main { max-width: 76rem; margin: 0 auto; padding: 1.5rem 1rem 0; }
    h1 { margin: 0; font-size: 2.25rem; line-height: 1.15; letter-spacing: -.02em; }
    h1 small { font-size: 1rem; font-weight: 400; letter-spacing: 0; color: var(--quiet); }
    .top p { margin: .25rem 0 0; font-size: 1.125rem; color: var(--quiet); }
    h2 { margin: 3rem 0 .5rem; font-size: 1.6rem; line-height: 1.25; }
    h2::first-letter { text-transform: uppercase; }
    h3 { margin: 0; font-size: 1.1rem; line-height: 1.5; }
    h3 a { color: inherit; text-decoration: none; }
    h3 a:hover { text-decoration: underline; }
    h4 { margin: 1.5rem 0 .25rem; font-size: 1rem; }
    p, ul, pre, dl { margin: .6rem 0; }
    ul { padding-left: 1.25rem; }
    code, pre { font-family: ui-monospace, "SF Mono", "Noto Sans Mono", "DejaVu Sans Mono", monospace; font-size: .875em; }
    p code, li code, dd code { padding: .1em .3em; border-radius: .25rem; background: var(--code); }
    pre { padding: .75rem 1rem; border-radius: .5rem; background: var(--code); white-space: pre-wrap; }
    pre code { padding: 0; font-size: inherit; }
    article { margin: 1rem 0 1.5rem; padding: 1rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--card); }
    article:target { border-color: var(--link); }
    .method {
      display: inline-block; min-width: 4.2em; padding: .1em .5em; border-radius: .3rem; background: var(--quiet);
      color: #fff; font: 700 .75rem/1.6 system-ui, sans-serif; text-align: center; letter-spacing: .03em;
    }
    .method.get { background: var(--get); } .method.post { background: var(--post); } .method.delete { background: var(--delete); }
    .summary { font-size: 1.125rem; font-weight: 600; }
    .note, .type { color: var(--quiet); font-size: .9rem; }
    .bound { color: var(--quiet); }
    .status { font-variant-numeric: tabular-nums; }
    dl { border-top: 1px solid var(--line); }
    dt { padding-top: .5rem; }
    dt code { font-weight: 700; }
    dd { margin: 0; padding: .1rem 0 .5rem; border-bottom: 1px solid var(--line); }
    dd dl { margin: .5rem 0 0; padding-left: .75rem; }
    dd dl > dd:last-child { border-bottom: 0; padding-bottom: 0; }
    .answer + .answer { margin-top: 1.25rem; }
    details { margin: .5rem 0; }
    summary { cursor: pointer; }
    nav { font-size: .95rem; }
    nav ul { list-style: none; margin: 0; padding: 0; }
    nav > ul > li > a { display: block; margin-top: 1rem; font-weight: 700; color: inherit; text-decoration: none; }
    nav > ul > li > a::first-letter { text-transform: uppercase; }
    nav li li a { display: flex; gap: .5rem; align-items: baseline; padding: .2rem 0; text-decoration: none; }
    nav li li a:hover { text-decoration: underline; }
    nav .method { flex: none; }
    @media (max-width: 60rem) { nav .wide { display: none; } }
    @media (min-width: 60rem) {
      .columns { display: grid; grid-template-columns: 18rem minmax(0, 1fr); gap: 3rem; }
      nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding-bottom: 2rem; }
      article { padding: 1.25rem 1.5rem; }
      dl { display: grid; grid-template-columns: minmax(9rem, 1fr) 2.4fr; }
      dt { padding: .5rem 1rem .5rem 0; border-bottom: 1px solid var(--line); }
      dd { padding: .5rem 0; }
      dd dl { display: block; padding-left: 1rem; }
      dd dl dt { border-bottom: 0; padding-bottom: 0; }
    }
    @media print { nav, .skip { display: none; } article { break-inside: avoid; } }

    """
}
