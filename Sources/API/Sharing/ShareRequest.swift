import Bytes
import HTTP
import Memes

/// The body of `POST /memes/{id}/shares`.
struct ShareRequest {
  static let maximumBytes = 4096

  let channel: ShareChannel
  /// Where a mail is to go; `nil` where the sharing was done elsewhere, and is only counted.
  let to: EmailAddress?

  /// - Throws: 400 where the body is no JSON object, 422 with every field that is invalid.
  init(_ body: RequestBody) throws(Problem) {
    guard case .bytes(let bytes) = body else { throw Problem(.malformedRequest) }
    var fields = try FieldReader(body: bytes, known: ["channel", "to"])
    let channel = fields.word("channel", ShareChannel.self)
    fields.require(["channel"])
    to = fields.text("to", EmailAddress.init)
    if to != nil, let channel, channel != .email {
      fields.reject("to", code: "not-allowed", "This goes with the channel email alone.")
    }
    try fields.finish()
    guard let channel else { throw Problem(.invalidInput) }
    self.channel = channel
  }
}
