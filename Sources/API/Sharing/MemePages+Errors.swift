import Bytes
import HTTP
import Memes

/// The pages in place of a meme's page. Most clients are browsers that followed a link, so a page is better than a
/// problem document.
extension MemePages {
  /// The page for a meme that does not exist, or that only signed-in users can see; `nil` for other problems and for
  /// clients that do not prefer a page.
  func errorPage(for problem: Problem, _ head: RequestHead) -> Response? {
    guard Accept(head.headers.combined(.accept)).prefersPage else { return nil }
    let html: HTML
    // The page leads to the app, which says that the account is suspended.
    let kind = problem.kind == .suspended ? ProblemKind.unauthorized : problem.kind
    switch kind {
    case .notFound, .gone: html = ProblemPage(kind: kind).html
    case .unauthorized: html = signIn(toSee: head.target.segments.last.flatMap { MemeID($0) })
    default: return nil
    }
    return Response(page: Bytes(html.text), status: kind.status)
      .with(.cacheControl, "no-store")
      .with(.wwwAuthenticate, kind == .unauthorized ? #"Bearer realm="mememe""# : nil)
  }

  /// The app asks for a sign-in, and then shows the meme. The page does not reveal whether the meme exists.
  private func signIn(toSee meme: MemeID?) -> HTML {
    let target = meme.map { "\(basePath)/app/meme/\($0)" } ?? "\(basePath)/"
    return .page(
      title: "Sign in to see this meme",
      body: """
        <header class="top">
        <h1>Sign in to see this meme</h1>
        <p>Only members of this server can see its memes.</p>
        </header>
        <main>
        <p><a href="\(target)">Open in MemeMe</a></p>
        </main>
        """)
  }
}

extension Accept {
  /// Whether the client prefers an error as a page over a problem document. Browsers do, because they name HTML.
  fileprivate var prefersPage: Bool {
    quality(of: "text/html") > quality(of: "application/problem+json")
  }
}
