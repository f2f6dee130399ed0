/// A request's conditions on the client's copy of a representation (RFC 9110 §13), and the part that it requests.
///
/// No representation here has a modification date. So `If-Modified-Since` and `If-Unmodified-Since` are ignored, as
/// §13.1.3 and §13.1.4 require, and a date in `If-Range` never matches.
package struct Preconditions: Equatable, Sendable {
  private let ifMatch: EntityTagList?
  private let ifNoneMatch: EntityTagList?
  private let range: ByteRange?
  /// As the client sent it. Only a single strong tag can match.
  private let ifRange: String?

  /// Parses the header fields.
  ///
  /// An unreadable `If-None-Match` or `Range` is ignored, because the whole response is always correct.
  ///
  /// - Returns: `nil` if the request has no such fields, which is the usual case.
  /// - Throws: 400 if `If-Match` is unreadable.
  package init?(_ headers: Headers) throws(Problem) {
    guard headers.fields.contains(where: { Self.names.contains($0.name) }) else { return nil }
    ifMatch = try Self.ifMatch(headers)
    ifNoneMatch = headers.combined(.ifNoneMatch).flatMap { EntityTagList($0) }
    range = headers.combined(.range).flatMap { ByteRange($0) }
    ifRange = headers.combined(.ifRange)
  }

  /// The tags of `If-Match`. The client only wants to change a representation that has one of them.
  ///
  /// - Throws: 400 if the field is unreadable. Ignoring it would remove the protection that the client requested.
  package static func ifMatch(_ headers: Headers) throws(Problem) -> EntityTagList? {
    guard let text = headers.combined(.ifMatch) else { return nil }
    guard let list = EntityTagList(text) else {
      throw Problem(
        .malformedRequest,
        "If-Match must be * or a list of at most \(EntityTagList.maximumCount) quoted ETags.")
    }
    return list
  }

  /// The result for a response to GET or HEAD.
  package enum Outcome: Equatable, Sendable {
    case whole
    /// 304.
    case notModified
    /// 206.
    case part(Range<Int>)
    /// 412.
    case failed
    /// 416.
    case unsatisfiable
  }

  /// Evaluates all conditions, in the order of RFC 9110 §13.2.2.
  ///
  /// - Parameters:
  ///   - tag: the current tag of the representation.
  ///   - count: its number of bytes, or `nil` if it is only sent whole.
  package func outcome(for tag: EntityTag, rangesOver count: Int?) -> Outcome {
    if let ifMatch, !ifMatch.contains(tag, by: EntityTag.matchesStrongly) { return .failed }
    if let ifNoneMatch, ifNoneMatch.contains(tag, by: EntityTag.matchesWeakly) {
      return .notModified
    }
    // An empty representation has no part that Content-Range could describe.
    guard let range, let count, count > 0, isRangeWanted(for: tag) else { return .whole }
    return range.resolved(in: count).map(Outcome.part) ?? .unsatisfiable
  }

  /// Whether the client can use a part: it needs the rest of the same bytes (RFC 9110 §13.1.5).
  private func isRangeWanted(for tag: EntityTag) -> Bool {
    guard let ifRange else { return true }
    return EntityTag(ifRange)?.matchesStrongly(tag) ?? false
  }

  private static let names: [HeaderName] = [.ifNoneMatch, .range, .ifMatch]
}

extension EntityTagList {
  fileprivate func contains(
    _ tag: EntityTag, by matches: (EntityTag) -> (EntityTag) -> Bool
  ) -> Bool {
    switch self {
    case .any: true
    case .tags(let tags): tags.contains { matches($0)(tag) }
    }
  }
}
