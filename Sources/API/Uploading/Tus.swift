import Bytes
import HTTP

/// The header fields of the tus resumable upload protocol, version 1.0.0.
enum Tus {
  static let version: HeaderValue = "1.0.0"
  static let mediaType: HeaderValue = "application/offset+octet-stream"
  private static let extensions: HeaderValue =
    "creation,creation-with-upload,expiration,termination"

  /// Whether a request uses tus.
  ///
  /// - Throws: `unsupportedTusVersion` if it uses another version.
  static func isUsed(_ headers: Headers) throws(Problem) -> Bool {
    let versions = headers.all(.tusResumable)
    guard let version = versions.first else { return false }
    guard versions.count == 1, version == Self.version else { throw otherVersion }
    return true
  }

  static let otherVersion = Problem(
    .unsupportedTusVersion, headers: Headers([(.tusVersion, version)]))

  /// The header fields of the response to `OPTIONS`.
  static func options(maximumBytes: Int) -> [(HeaderName, HeaderValue)] {
    [
      (.tusResumable, version), (.tusVersion, version), (.tusExtension, extensions),
      (.tusMaxSize, HeaderValue("\(maximumBytes)") ?? "0"),
    ]
  }

  /// The size of a new upload in bytes, at least one.
  ///
  /// - Throws: `malformedRequest` if a header field is missing or malformed; `contentTooLarge` if the size exceeds
  ///   `maximumBytes`; `unsupportedPicture` if it is 0.
  static func length(_ headers: Headers, atMost maximumBytes: Int) throws(Problem) -> Int {
    guard headers[.uploadDeferLength] == nil else {
      throw Problem(
        .malformedRequest, "Upload-Defer-Length is not supported. Send Upload-Length instead.")
    }
    guard isMetadata(headers.combined(.uploadMetadata) ?? "") else {
      throw Problem(
        .malformedRequest,
        "Upload-Metadata must be a comma-separated list of unique keys with Base64 values.")
    }
    let length = try number(.uploadLength, "Upload-Length", headers)
    guard length > 0 else {
      throw Problem(.unsupportedPicture, "The upload is empty. Send a picture file.")
    }
    guard length <= maximumBytes else {
      throw Problem(
        .contentTooLarge, "The upload exceeds the size limit in Tus-Max-Size.",
        headers: Headers([(.tusMaxSize, HeaderValue("\(maximumBytes)") ?? "0")]))
    }
    return length
  }

  /// The offset of a chunk.
  ///
  /// - Throws: `malformedRequest` if it is missing or malformed.
  static func offset(_ headers: Headers) throws(Problem) -> Int {
    try number(.uploadOffset, "Upload-Offset", headers)
  }

  /// Reads a whole number. If it is too large for `Int`, returns the maximum, which exceeds the size of every upload.
  private static func number(
    _ name: HeaderName, _ written: String, _ headers: Headers
  ) throws(Problem) -> Int {
    let values = headers.all(name)
    guard values.count == 1, let text = values.first?.text, !text.isEmpty,
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { throw Problem(.malformedRequest, "\(written) must be a single whole number.") }
    return Int(text) ?? .max
  }

  /// Whether the text is a list of `key` or `key value` with distinct keys. The server does not use the metadata, and
  /// some clients send none.
  static func isMetadata(_ text: String) -> Bool {
    guard !text.isEmpty else { return true }
    var keys: Set<Substring> = []
    return text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { pair in
      let words = pair.trimmingSpaces().split(
        separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = words.first, !key.isEmpty,
        key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else { return false }
      return keys.insert(key).inserted && (words.count == 1 || isBase64(words[1]))
    }
  }

  /// RFC 4648 §4, with padding.
  private static func isBase64(_ text: Substring) -> Bool {
    let bytes = text.utf8
    let digits = bytes.prefix { $0 != UInt8(ascii: "=") }
    let padding = bytes.dropFirst(digits.count)
    return bytes.count.isMultiple(of: 4) && padding.count <= 2
      && padding.allSatisfy { $0 == UInt8(ascii: "=") } && digits.allSatisfy(isBase64Digit)
  }

  private static func isBase64Digit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}

extension Response {
  /// Adds `Tus-Resumable` to the response if the request uses tus.
  func speakingTus(where route: Route?, to head: RequestHead) -> Response {
    guard let route, route.supportsTus, head.headers[.tusResumable] != nil else { return self }
    return with(.tusResumable, Tus.version)
  }
}
