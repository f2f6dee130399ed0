/// What a request for a representation says about the copy that the client has (RFC 9110 §13), and the part that it wants.
///
/// Nothing here has a modification date, so `If-Modified-Since` and `If-Unmodified-Since` are ignored, as §13.1.3 and
/// §13.1.4 say, and a date in `If-Range` never matches.
package struct Preconditions: Equatable, Sendable {
  private let ifMatch: EntityTagList?
  private let ifNoneMatch: EntityTagList?
  private let range: ByteRange?
  /// As sent: only a single strong tag can match.
  private let ifRange: String?

  /// Reads the fields.
  ///
  /// An `If-None-Match` or `Range` that cannot be read is as if it were not there: the whole answer is always right.
  ///
  /// - Returns: `nil` where there are none, as in most requests.
  /// - Throws: 400 where `If-Match` cannot be read.
  package init?(_ headers: Headers) throws(Problem) {
    guard headers.fields.contains(where: { Self.names.contains($0.name) }) else { return nil }
    ifMatch = try Self.ifMatch(headers)
    ifNoneMatch = headers.combined(.ifNoneMatch).flatMap { EntityTagList($0) }
    range = headers.combined(.range).flatMap { ByteRange($0) }
    ifRange = headers.combined(.ifRange)
  }

  /// The tags of which a client has one, and wants to change that and nothing else.
  ///
  /// - Throws: 400 where it cannot be read: to ignore it would take away the protection that the client asked for.
  package static func ifMatch(_ headers: Headers) throws(Problem) -> EntityTagList? {
    guard let text = headers.combined(.ifMatch) else { return nil }
    guard let list = EntityTagList(text) else {
      throw Problem(
        .malformedRequest,
        "If-Match is * or a list of at most \(EntityTagList.maximumCount) tags in quotes.")
    }
    return list
  }

  /// What an answer to GET or HEAD comes to.
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

  /// Evaluates everything, in the order of RFC 9110 §13.2.2.
  ///
  /// - Parameters:
  ///   - tag: of the representation as it is.
  ///   - rangesOver: the number of its bytes; `nil` where it is only sent whole.
  package func outcome(for tag: EntityTag, rangesOver count: Int?) -> Outcome {
    if let ifMatch, !ifMatch.contains(tag, by: EntityTag.matchesStrongly) { return .failed }
    if let ifNoneMatch, ifNoneMatch.contains(tag, by: EntityTag.matchesWeakly) {
      return .notModified
    }
    // What is empty has no part that Content-Range could name.
    guard let range, let count, count > 0, isRangeWanted(for: tag) else { return .whole }
    return range.resolved(in: count).map(Outcome.part) ?? .unsatisfiable
  }

  /// A part is of use only to whoever has the rest of the same bytes (RFC 9110 §13.1.5).
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
