import HTTP

/// The page that the `type` of a problem document links to. It explains the error.
struct ProblemPage {
  let kind: ProblemKind

  var html: HTML {
    .page(
      title: kind.title,
      body: """
        <header class="top">
        <h1>\(kind.title)</h1>
        <p>Status \(String(kind.status.code)), code <code>\(kind.code)</code></p>
        </header>
        <main>
        <p>\(kind.explanation)</p>
        <p><a href="../docs">All calls</a></p>
        </main>
        """)
  }
}
