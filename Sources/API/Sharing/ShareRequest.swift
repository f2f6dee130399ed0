import Bytes
import HTTP
import Memes

/// The body of `POST /memes/{id}/shares`.
struct ShareRequest {
  static let maximumBytes = 4096

  let channel: ShareChannel
  /// The recipient of an email; `nil` if the client has shared the meme itself, and the server only counts the share.
  let to: EmailAddress?

  /// - Throws: `malformedRequest` if the body is not a JSON object; `invalidInput` with every invalid field.
  init(_ body: RequestBody) throws(Problem) {
    guard case .bytes(let bytes) = body else { throw Problem(.malformedRequest) }
    var fields = try FieldDecoder(body: bytes, known: ["channel", "to"])
    let channel = fields.word("channel", ShareChannel.self)
    fields.require(["channel"])
    to = fields.text("to", EmailAddress.init)
    if to != nil, let channel, channel != .email {
      fields.reject("to", code: "not-allowed", "Only allowed with channel email.")
    }
    try fields.finish()
    guard let channel else { throw Problem(.invalidInput) }
    self.channel = channel
  }
}
