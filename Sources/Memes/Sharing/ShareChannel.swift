/// A way in which people share a meme.
package enum ShareChannel: String, CaseIterable, Sendable {
  case facebook, x, whatsapp, sms, email
  /// Its address was copied.
  case link
  case other
}
