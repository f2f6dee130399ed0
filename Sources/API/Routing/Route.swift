package import Bytes
package import HTTP
package import Memes

/// An operation of the API. Routes are data: the router uses them, and a test compares them with the contract.
package struct Route: Sendable {
  package typealias Handler = @Sendable (Call) async throws -> Response
  /// The page for a problem; `nil` if the request gets the problem document.
  typealias ErrorPage = @Sendable (Problem, RequestHead) -> Response?
  /// Creates a body reader. May wait for the database.
  package typealias ReaderMaker =
    @Sendable (RequestHead, Parameters) async throws(Problem) -> any BodyReader

  package let method: Method
  package let pattern: RoutePattern
  package let access: Access
  /// The rate limit of the route. Requests are counted before their bodies are read. `nil` if the
  /// number is not limited.
  package let limit: Limit?
  /// The query parameters without any of which a request is not counted; empty if every request is counted.
  let counted: Set<String>
  /// The query parameters that the route accepts.
  package let query: Set<String>
  /// Whether other query parameters are ignored. Links that people share, and URLs that other programs build, often
  /// gain parameters of other services.
  package let takesAnyQuery: Bool
  package let body: Body
  /// Whether callers may use an access token. By default, they may only if anonymous callers may too, so that a new
  /// route about an account refuses them.
  let takesTokens: Bool
  /// Whether a client may send an `Idempotency-Key` and repeat the request. Other routes ignore that header field.
  package let takesKeys: Bool
  /// Whether the response may take longer than the time limit for requests.
  package let isLongRunning: Bool
  /// Whether the route supports tus, the protocol for resumable uploads.
  let supportsTus: Bool
  let cachePolicy: CachePolicy?
  let subject: Subject
  package internal(set) var handler: Handler
  /// The response to a request in place of a problem document; `nil` if all errors are problem documents.
  private(set) var errorPage: ErrorPage?

  /// The credentials that a route requires.
  package enum Access: Sendable {
    /// Ignores credentials.
    case open
    /// Accepts anonymous callers if the server allows them. Rejects invalid credentials.
    case viewer
    /// Like ``viewer``, but always accepts anonymous callers. The handler decides about them, by the signature of the
    /// URL.
    case signed
    /// Requires credentials of any kind.
    case credentials
    /// Requires a signed-in user.
    case person
    /// Like ``person``, but also accepts a suspended user, for example to end sessions or delete the account.
    case leaving
    /// Requires an admin.
    case admin
    /// Like ``admin``, but also accepts requests from this machine without credentials, unless a
    /// proxy has forwarded them.
    case machine
  }

  package enum Body: Sendable {
    case none
    /// `multipart/form-data`, with a maximum total size.
    case form(FormRule, maximumBytes: Int)
    /// The raw bytes of a file, with any `Content-Type`.
    case file(maximumBytes: Int, spool: SpoolPlace)
    /// `application/json` or `application/merge-patch+json`.
    case json(maximumBytes: Int, spool: SpoolPlace)
    /// Either a form or JSON, depending on the `Content-Type`. JSON cannot contain files.
    case formOrJSON(FormRule, maximumBytes: Int, maximumJSONBytes: Int)
    /// A body of this media type with the route's own reader, which reads the head first and may reject it.
    case own(HeaderValue, maximumBytes: Int, ReaderMaker)

    /// The maximum size of the body in bytes, with any `Content-Type`.
    var maximumBytes: Int {
      switch self {
      case .none: 0
      case .form(_, let maximumBytes), .file(let maximumBytes, _), .json(let maximumBytes, _),
        .formOrJSON(_, let maximumBytes, _), .own(_, let maximumBytes, _):
        maximumBytes
      }
    }
  }

  /// How long a response is valid for all clients without credentials. It must depend only on the target, and on
  /// `Accept` if it has `Vary: Accept`.
  package enum CachePolicy: Sendable {
    case untilItsMemeChanges
    /// The response shows no counts of the meme, so it stays valid when they change.
    case untilItsLookChanges
    /// The response lists memes.
    case untilMemesChange
    /// The response is drawn from a template, which it lists. A response that lists nothing is not cached.
    case untilItsTemplateChanges
  }

  /// The kind of resource that the `id` in the path names.
  package enum Subject: Sendable {
    case meme, template

    func possession(_ id: String) -> ResourceRef? {
      switch self {
      case .meme: MemeID(id).map(ResourceRef.meme)
      case .template: TemplateID(id).map(ResourceRef.template)
      }
    }
  }

  /// - Parameters:
  ///   - counted: the query parameters without any of which a request is not counted; empty counts every request.
  ///   - cachePolicy: `nil` if responses are not cached.
  ///   - subject: the kind of resource whose `deleteToken` clients may send.
  package init(
    _ method: Method, _ pattern: RoutePattern, access: Access, takesTokens: Bool = false,
    limit: Limit? = nil, counting counted: Set<String> = [], query: Set<String> = [],
    takesAnyQuery: Bool = false,
    body: Body = .none, takesKeys: Bool = false, isLongRunning: Bool = false,
    supportsTus: Bool = false, cachePolicy: CachePolicy? = nil, about subject: Subject = .meme,
    _ handler: @escaping Handler
  ) {
    (self.method, self.pattern, self.access, self.limit) = (method, pattern, access, limit)
    (self.counted, self.subject) = (counted, subject)
    self.takesTokens = takesTokens || access == .viewer || access == .signed
    (self.query, self.takesAnyQuery) = (query, takesAnyQuery)
    (self.body, self.takesKeys, self.cachePolicy, self.handler) = (
      body, takesKeys, cachePolicy, handler
    )
    (self.isLongRunning, self.supportsTus) = (isLongRunning, supportsTus)
  }
}

extension Route {
  /// The same route, with pages for errors, also for those that occur before the handler.
  func showing(errorPage: @escaping ErrorPage) -> Route {
    var route = self
    route.errorPage = errorPage
    return route
  }

  /// The scope that an access token needs; `nil` if no token is enough. The method decides, so no route can forget it.
  package var scope: TokenScope? {
    switch access {
    case .open: nil
    case _ where !takesTokens: nil
    case .admin, .machine: .admin
    case .viewer, .signed, .credentials, .person, .leaving: method.isSafe ? .read : .write
    }
  }
}

/// A request that its route's handler processes.
package struct Call: Sendable {
  package let request: Request
  package let parameters: Parameters
  package let viewer: Principal
  /// The session or access token of the user; `nil` if the caller is not a user.
  let credential: Credential?
  /// `nil` if the request has no key, or the route accepts none.
  let key: IdempotencyKey?
  /// The query parameters that the route does not accept.
  let unknownQuery: [String]
}

extension Call {
  /// The ID of the meme that the path names.
  ///
  /// - Throws: `notFound` if it is not a UUID.
  func memeID() throws(Problem) -> MemeID { try id() }

  /// The ID that the path names.
  ///
  /// - Throws: `notFound` if it is not a UUID.
  func id<ID: Identifier>() throws(Problem) -> ID { try parameters.id() }

  /// The user that the path names.
  ///
  /// - Throws: `notFound` if the path contains no valid username.
  func username() throws(Problem) -> Username { try Username(listed: parameters["username"] ?? "") }

  /// Reads the query parameters. Those that the route does not accept are invalid.
  var query: FieldDecoder {
    var reader = FieldDecoder(request.head.target.query.map { ($0.name, .text($0.value)) })
    for name in unknownQuery { reader.rejectUnknown(name) }
    return reader
  }

  /// The session or access token of the user.
  ///
  /// - Throws: `unauthorized` if the caller is not signed in; `forbidden` if the caller uses the admin token, which
  ///   belongs to no user. Routes that require a signed-in user rule out both.
  func signedIn() throws(Problem) -> Credential {
    guard let credential else {
      throw viewer.isSignedIn ? Problem.forPeople : Problem(.unauthorized)
    }
    return credential
  }

  /// The session of the signed-in user.
  ///
  /// - Throws: the errors of ``signedIn()``; `forbidden` if the caller uses an access token. Routes that take no access
  ///   tokens rule this out.
  func session() throws(Problem) -> Session {
    guard case .session(let session) = try signedIn() else { throw Problem.notForTokens }
    return session
  }

  /// The authority of the admin who sent the request, for the audit log.
  ///
  /// - Throws: `forbidden` if the caller is not an admin. Routes that require an admin rule this out.
  func authority() throws(Problem) -> Authority {
    guard let authority = Authority(viewer, request: requestName) else { throw Problem(.forbidden) }
    return authority
  }

  /// The ID of the request in logs.
  var requestName: String { request.head.id.text }

  /// The network of the client.
  var network: ClientNetwork { request.head.network }

  /// The network of the client; `nil` if the request comes from this machine. Behind a proxy that is not configured,
  /// all requests come from there.
  var remoteNetwork: ClientNetwork? {
    let isHere = IPAddress(request.head.peer)?.isLoopback ?? false
    return isHere ? nil : network
  }

  /// The content types that the client accepts.
  var accept: Accept { Accept(request.head.headers.combined(.accept)) }
}

extension Parameters {
  func id<ID: Identifier>() throws(Problem) -> ID {
    guard let id = self["id"].flatMap({ ID($0) }) else { throw Problem(.notFound) }
    return id
  }
}
