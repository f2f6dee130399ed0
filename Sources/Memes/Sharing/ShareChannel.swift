/// A channel through which a meme is shared.
package enum ShareChannel: String, CaseIterable, Sendable {
  case facebook, x, whatsapp, sms, email
  /// The URL was copied.
  case link
  case other
}
