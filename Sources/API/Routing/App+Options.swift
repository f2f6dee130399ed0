import HTTP

extension App {
  /// Answers `OPTIONS` for a path, or for the whole server (`*`). It needs no token, because browsers send preflight
  /// requests without one.
  ///
  /// - Throws: `notFound` if no route has this path.
  func options(_ head: RequestHead) throws(Problem) -> Admission {
    let endpoints = head.target.isWholeServer ? nil : try router.endpoints(at: head.target.segments)
    let allowed = Method.allow(endpoints?.keys.map { $0 } ?? Array(router.methods))
    var response = Response(.noContent, headers: Headers([(.allow, allowed)]))
    // RFC 5789 §3.1.
    if let body = endpoints?[.patch]?.route.body {
      response.headers[.acceptPatch] = body.mediaTypes
    }
    let ofTus = endpoints?.values.filter(\.route.supportsTus) ?? []
    if let maximumBytes = ofTus.map(\.route.body.maximumBytes).max() {
      for (name, value) in Tus.options(maximumBytes: maximumBytes) {
        response.headers[name] = value
      }
    }
    origins.grant(allowed, to: head, in: &response)
    let answer = reply(with: protected(response), to: head)
    return Admission(
      body: NoBody(), bodyLimit: 0, route: endpoints?.first?.value.mark
    ) { _ in answer }
  }
}
