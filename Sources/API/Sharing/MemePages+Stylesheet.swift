extension MemePages {
  /// The page's stylesheet, exactly as it appears between `<style>` and `</style>`. The page's
  /// `Content-Security-Policy` contains its digest.
  static let stylesheet = """

    :root {
      color-scheme: light dark;
      --page: #fbfaf8; --card: #ffffff; --text: #1d1c1a; --quiet: #5e5b56; --line: #dedad3; --link: #0b57a4;
      --shadow: 0 1px 2px rgb(0 0 0 / .06), 0 12px 40px rgb(0 0 0 / .12);
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #161514; --card: #232120; --text: #ece8e1; --quiet: #aaa59c; --line: #393633; --link: #8fc1ff;
        --shadow: 0 1px 2px rgb(0 0 0 / .4), 0 12px 40px rgb(0 0 0 / .5);
      }
    }
    * { box-sizing: border-box; }
    body {
      margin: 0; min-height: 100vh; min-height: 100svh; display: grid; place-items: center;
      background: var(--page); color: var(--text); overflow-wrap: anywhere;
      font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
    }
    main { width: 100%; max-width: 72rem; padding: clamp(0rem, 4vw - 1rem, 3rem) clamp(0rem, 4vw - 1rem, 3rem) 2rem; }
    figure { margin: 0; display: grid; justify-items: center; gap: 1.25rem; }
    figure a { display: block; max-width: 100%; }
    img {
      display: block; width: auto; max-width: 100%; height: auto; max-height: calc(100vh - 13rem);
      border-radius: clamp(0rem, 4vw - 1rem, .75rem); box-shadow: var(--shadow); background: var(--card);
    }
    a:focus-visible { outline: 3px solid var(--link); outline-offset: 3px; }
    figcaption { padding: 0 1rem; max-width: 44rem; }
    h1 { margin: 0; font-size: 1.125rem; font-weight: 600; line-height: 1.4; text-align: center; text-wrap: balance; }
    ul { display: flex; flex-wrap: wrap; justify-content: center; gap: clamp(.375rem, 1.5vw, .5rem); margin: 1.25rem 0 0; padding: 0 1rem; list-style: none; }
    li a {
      display: block; padding: .55rem clamp(.6rem, 2.4vw, 1rem); border: 1px solid var(--line); border-radius: 2rem; background: var(--card);
      color: inherit; font-size: .875rem; text-decoration: none;
    }
    p { margin: 1rem 0 0; text-align: center; font-size: .875rem; }
    p a { display: inline-block; padding: .55rem 1rem; color: var(--link); }
    li a:hover { border-color: var(--link); color: var(--link); }

    """
}
