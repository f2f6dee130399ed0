import HTTP

/// What `type` of a problem document leads to: a page that says what the error means.
struct ProblemPage {
  let kind: ProblemKind

  var html: HTML {
    .page(
      title: kind.title,
      body: """
        <header class="top">
        <h1>\(kind.title)</h1>
        <p>Status \(String(kind.status.code)), code <code>\(kind.rawValue)</code></p>
        </header>
        <main>
        <p>\(kind.explanation)</p>
        <p><a href="../docs">All calls</a></p>
        </main>
        """)
  }
}
