/// A response's status code (RFC 9110 §15).
package struct Status: Hashable, Sendable {
  package let code: Int

  package init(_ code: Int) { self.code = code }

  package static let ok = Status(200)
  package static let created = Status(201)
  package static let accepted = Status(202)
  package static let noContent = Status(204)
  package static let partialContent = Status(206)
  package static let movedPermanently = Status(301)
  package static let found = Status(302)
  package static let notModified = Status(304)
  package static let permanentRedirect = Status(308)

  /// Whether a response of this status never has a body (RFC 9110 §6.4.1).
  package var isBodiless: Bool { code < 200 || code == 204 || code == 304 }
}
