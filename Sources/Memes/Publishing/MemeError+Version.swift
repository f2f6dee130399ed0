extension MemeError {
  /// The error for a request for another version than the current one; `nil` if the versions match.
  ///
  /// - Parameters:
  ///   - version: the requested version; `nil` if the request names none.
  ///   - current: the version of the meme.
  package static func refusal(of version: Int?, at current: Int) -> MemeError? {
    guard let version, version != current else { return nil }
    return version < current ? .superseded : .notFound
  }
}
