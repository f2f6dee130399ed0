package import Bytes
package import HTTP
package import Memes

/// One call of the API. Routes are data: they feed the dispatch, and the test that holds them against the contract.
package struct Route: Sendable {
  package typealias Handler = @Sendable (Call) async throws -> Response
  package typealias ReaderMaker =
    @Sendable (RequestHead, Parameters) throws(Problem) -> any BodyReader

  package let method: Method
  package let pattern: RoutePattern
  package let access: Access
  /// What its calls are counted for, before their bodies are read; `nil` where there may be any number.
  package let limit: Limit?
  /// The name in the query without which a call is not counted; `nil` where each is.
  let counted: String?
  /// The names that the query may have.
  package let query: Set<String>
  /// Whether other names are passed over: links that people share, and addresses that other programs put together, get
  /// names of others on their way.
  package let takesAnyQuery: Bool
  package let body: Body
  /// Whether a client may name its request by an `Idempotency-Key` and send it again. Elsewhere the field is not looked at.
  package let takesKeys: Bool
  /// Whether the answer may take longer than requests may.
  package let isLongRunning: Bool
  /// Whether a request may be one of tus, the protocol of uploads that are resumed.
  let speaksTus: Bool
  let keeping: Keeping?
  let subject: Subject
  package let handler: Handler

  /// What becomes of the credentials that a request shows.
  package enum Access: Sendable {
    /// They are not looked at.
    case open
    /// None are needed, but wrong ones are refused.
    case viewer
    /// Some are needed.
    case credentials
    /// Those of somebody who is signed in are needed.
    case person
    /// The same, and somebody who is suspended will do: to leave, and to end what they began.
    case leaving
    /// Those of an admin are needed.
    case admin
    /// The same, unless the request comes from this machine, and by no proxy that says so.
    case machine
  }

  package enum Body: Sendable {
    case none
    /// `multipart/form-data`; with at most so many bytes in all.
    case form(FormRule, maximumBytes: Int)
    /// A file as it is, whatever its Content-Type says.
    case file(maximumBytes: Int, spool: SpoolPlace)
    /// `application/json` or `application/merge-patch+json`.
    case json(maximumBytes: Int, spool: SpoolPlace)
    /// Either, as its Content-Type says. JSON brings no files.
    case formOrJSON(FormRule, maximumBytes: Int, maximumJSONBytes: Int)
    /// A file of this media type, read by a reader of the route's own, which looks at the head first and may refuse it.
    case own(HeaderValue, maximumBytes: Int, ReaderMaker)

    /// Whatever its Content-Type is.
    var maximumBytes: Int {
      switch self {
      case .none: 0
      case .form(_, let maximumBytes), .file(let maximumBytes, _), .json(let maximumBytes, _),
        .formOrJSON(_, let maximumBytes, _), .own(_, let maximumBytes, _):
        maximumBytes
      }
    }
  }

  /// For how long an answer can be given again to anybody who shows no credentials. It depends on the target alone, and where
  /// it says `Vary: Accept` on that.
  package enum Keeping: Sendable {
    case untilItsMemeChanges
    /// It shows none of its meme's counts, so it outlives a change of them.
    case untilItsLookChanges
    /// It lists memes.
    case untilMemesChange
  }

  /// What the `id` in the path is of.
  package enum Subject: Sendable {
    case meme, template

    func possession(_ id: String) -> Possession? {
      switch self {
      case .meme: MemeID(id).map(Possession.meme)
      case .template: TemplateID(id).map(Possession.template)
      }
    }
  }

  /// - Parameters:
  ///   - counted: the name in the query without which a call is not counted.
  ///   - keeping: `nil` where every request is answered anew.
  ///   - subject: whose `deleteToken` may be shown.
  package init(
    _ method: Method, _ pattern: RoutePattern, access: Access, limit: Limit? = nil,
    counting counted: String? = nil, query: Set<String> = [], takesAnyQuery: Bool = false,
    body: Body = .none, takesKeys: Bool = false, isLongRunning: Bool = false,
    speaksTus: Bool = false, keeping: Keeping? = nil, about subject: Subject = .meme,
    _ handler: @escaping Handler
  ) {
    (self.method, self.pattern, self.access, self.limit) = (method, pattern, access, limit)
    (self.counted, self.subject) = (counted, subject)
    (self.query, self.takesAnyQuery) = (query, takesAnyQuery)
    (self.body, self.takesKeys, self.keeping, self.handler) = (body, takesKeys, keeping, handler)
    (self.isLongRunning, self.speaksTus) = (isLongRunning, speaksTus)
  }
}

/// One request on its way through a handler.
package struct Call: Sendable {
  package let request: Request
  package let parameters: Parameters
  package let viewer: Viewer
  /// That of the person who asks; `nil` where nobody is signed in.
  let session: Session?
  /// `nil` where none was sent, or the route takes none.
  let key: IdempotencyKey?
  /// The names in the query that the route does not have.
  let unknownQuery: [String]
}

extension Call {
  /// The meme that the path names.
  ///
  /// - Throws: 404 where it is not a UUID.
  func memeID() throws(Problem) -> MemeID { try parameters.memeID() }

  /// Reads the query's parameters; those that the route does not have are invalid.
  var query: FieldReader {
    var reader = FieldReader(request.head.target.query.map { ($0.name, .text($0.value)) })
    for name in unknownQuery { reader.rejectUnknown(name) }
    return reader
  }

  /// The session of the person who asks.
  ///
  /// - Throws: 401 where nobody is signed in, 403 where that is the admin's token, which is nobody's; both of which the access of
  ///   routes for people rules out.
  func signedIn() throws(Problem) -> Session {
    guard let session else {
      throw viewer.isSignedIn ? Problem.forPeople : Problem(.unauthorized)
    }
    return session
  }

  /// The right that an admin acts by, for the log of what admins do.
  ///
  /// - Throws: 403 where no admin asks, which the route's access rules out.
  func authority() throws(Problem) -> Authority {
    guard let authority = Authority(viewer, request: requestName) else { throw Problem(.forbidden) }
    return authority
  }

  /// What the request is called in logs.
  var requestName: String { request.head.id.text }

  /// Where the client asks from.
  var network: ClientNetwork { request.head.network }

  /// The same, unless that is this machine: behind a proxy that is not named, all clients ask from there.
  var remoteNetwork: ClientNetwork? {
    let isHere = IPAddress(request.head.peer)?.isLoopback ?? false
    return isHere ? nil : network
  }

  /// What the client takes.
  var accept: Accept { Accept(request.head.headers.combined(.accept)) }
}

extension Parameters {
  func memeID() throws(Problem) -> MemeID {
    guard let id = self["id"].flatMap({ MemeID($0) }) else { throw Problem(.notFound) }
    return id
  }
}
