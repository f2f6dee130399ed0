package import Bytes
import HTTP
package import Memes

/// The web app: one page for all URLs of the app, and the files that it loads. Also the page that shows the API.
package struct WebRoutes: Sendable {
  private let files: WebFiles
  private let robots: Response
  private let basePath: String

  /// - Parameters:
  ///   - files: with paths relative to `Sources/Web`.
  ///   - basePath: the prefix of every URL, without a trailing slash.
  ///   - access: what the app shows to visitors and members.
  package init(
    files: [(path: String, bytes: Bytes)], digest: @escaping Digester, basePath: String,
    access: WebAccess
  ) {
    self.files = WebFiles(files, digest: digest, basePath: basePath, access: access)
    self.basePath = basePath
    // RFC 9309: an empty rule allows everything.
    let rules = Bytes("User-agent: *\nDisallow:\(access.anonymous ? "" : " /")\n")
    robots = Response(.ok, "text/plain; charset=utf-8", rules)
      .with(.etag, HeaderValue("\"\(digest(rules).tag)\"")).with(.cacheControl, "public, no-cache")
  }

  package var routes: [Route] {
    // Links to the app often gain query parameters of other services. Emails link to the last path, so
    // it must never change.
    [
      "/", "/app/{page}", "/app/{page}/{name}", "/app/{page}/{name}/{part}", "/reset-password",
    ].map { pattern in
      Route(.get, RoutePattern(pattern), access: .open, takesAnyQuery: true) { call in
        try files.document("index.html", to: call.request)
      }
    } + [
      Route(.get, "/docs", access: .open) { call in
        try files.document("docs.html", to: call.request)
      },
      Route(.get, "/manifest.webmanifest", access: .open) { call in
        try files.document("manifest.webmanifest", to: call.request)
      },
      // At the top level, because a service worker controls only URLs below its own.
      Route(.get, "/service-worker.js", access: .open) { call in
        try files.document("service-worker.js", to: call.request)
      },
      Route(.get, "/favicon.ico", access: .open) { _ in try files.favicon() },
      Route(.get, "/robots.txt", access: .open) { _ in robots },
      Route(.get, "/.well-known/change-password", access: .open) { _ in
        Response(.found).with(.location, HeaderValue("\(basePath)/app/settings/password"))
      },
      Route(.get, "/web/{version}/{folder}/{file}", access: .open) { call in
        func part(_ name: String) -> String { call.parameters[name] ?? "" }
        return try files.file(
          "\(part("folder"))/\(part("file"))", version: part("version"), to: call.request)
      },
    ]
  }
}

/// The settings that decide what the web app shows to visitors and members.
package struct WebAccess: Sendable {
  /// Whether the server allows anonymous access.
  let anonymous: Bool
  private let registration: RegistrationMode
  private let memberInvites: Int
  private let confirmsEmails: Bool
  private let connections: ConnectionMode
  private let signOnName: String?

  /// - Parameters:
  ///   - memberInvites: the maximum number of valid invitations of a member.
  ///   - confirmsEmails: whether the server can confirm emails.
  ///   - connections: who may have connections.
  ///   - signOnName: how users know the provider of single sign-ons; `nil` if there is none.
  package init(
    anonymous: Bool, registration: RegistrationMode, memberInvites: Int, confirmsEmails: Bool,
    connections: ConnectionMode, signOnName: String?
  ) {
    self.signOnName = signOnName
    (self.anonymous, self.registration) = (anonymous, registration)
    (self.memberInvites, self.confirmsEmails) = (memberInvites, confirmsEmails)
    self.connections = connections
  }

  /// Escapes a text for an attribute in double quotes.
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
      .replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// Feed readers have no session, so the feed is useless to them if the server allows no anonymous access.
  private var atom: String {
    let link = """
      <link rel="alternate" type="application/atom+xml" href="{{base}}/memes.atom" title="New memes">

      """
    return anonymous ? link : ""
  }

  /// The names of placeholders in `index.html`, without braces, and their values, which may contain `{{base}}`.
  var placeholders: [(name: String, value: String)] {
    [
      ("anonymous", "\(anonymous)"), ("registration", registration.rawValue),
      ("confirms", "\(confirmsEmails)"), ("connections", connections.rawValue),
      ("signon", Self.escaped(signOnName ?? "")),
      ("atom", atom),
      ("invites", "\(registration != .closed && memberInvites > 0)"),
    ]
  }
}
