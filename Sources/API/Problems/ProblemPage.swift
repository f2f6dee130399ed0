import Bytes
import HTTP

/// What `type` of a problem document leads to: a page that says what the error means.
struct ProblemPage {
  let kind: ProblemKind

  var html: Bytes {
    Bytes(
      """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(kind.title)</title>
      <h1>\(kind.title)</h1>
      <p>\(kind.explanation)</p>
      <p>Status <b>\(kind.status.code)</b>, code <code>\(kind.rawValue)</code>.
      <a href="../docs">All calls</a></p>
      </html>

      """)
  }
}
