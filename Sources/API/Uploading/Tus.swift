import Bytes
import HTTP

/// The tus resumable upload protocol, version 1.0.0: what stands in its header fields.
enum Tus {
  static let version: HeaderValue = "1.0.0"
  static let mediaType: HeaderValue = "application/offset+octet-stream"
  private static let extensions: HeaderValue =
    "creation,creation-with-upload,expiration,termination"

  /// Whether a request is one of tus.
  ///
  /// - Throws: 412 where it is one of another version.
  static func isSpoken(_ headers: Headers) throws(Problem) -> Bool {
    let versions = headers.all(.tusResumable)
    guard let version = versions.first else { return false }
    guard versions.count == 1, version == Self.version else { throw otherVersion }
    return true
  }

  static let otherVersion = Problem(
    .unsupportedTusVersion, headers: Headers([(.tusVersion, version)]))

  /// What the answer to OPTIONS tells.
  static func options(maximumBytes: Int) -> [(HeaderName, HeaderValue)] {
    [
      (.tusResumable, version), (.tusVersion, version), (.tusExtension, extensions),
      (.tusMaxSize, HeaderValue("\(maximumBytes)") ?? "0"),
    ]
  }

  /// How many bytes an upload is to have, at least one.
  ///
  /// - Throws: 400 where the fields of a creation are malformed or missing; 413 where they are more than `maximumBytes`; 415 where
  ///   there are none.
  static func length(_ headers: Headers, atMost maximumBytes: Int) throws(Problem) -> Int {
    guard headers[.uploadDeferLength] == nil else {
      throw Problem(.malformedRequest, "Upload-Defer-Length is not taken: say Upload-Length.")
    }
    guard isMetadata(headers.combined(.uploadMetadata) ?? "") else {
      throw Problem(
        .malformedRequest,
        "Upload-Metadata is not a list of different keys, each with a value in Base64.")
    }
    let length = try number(.uploadLength, "Upload-Length", headers)
    guard length > 0 else {
      throw Problem(.unsupportedPicture, "The upload is empty. It must be a picture's file.")
    }
    guard length <= maximumBytes else {
      throw Problem(
        .contentTooLarge, "The upload has more bytes than the server takes: see Tus-Max-Size.",
        headers: Headers([(.tusMaxSize, HeaderValue("\(maximumBytes)") ?? "0")]))
    }
    return length
  }

  /// Where a piece begins.
  ///
  /// - Throws: 400 where that is not said.
  static func offset(_ headers: Headers) throws(Problem) -> Int {
    try number(.uploadOffset, "Upload-Offset", headers)
  }

  /// A number that is too large for this machine is the largest: no upload has so many bytes.
  private static func number(
    _ name: HeaderName, _ written: String, _ headers: Headers
  ) throws(Problem) -> Int {
    let values = headers.all(name)
    guard values.count == 1, let text = values.first?.text, !text.isEmpty,
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { throw Problem(.malformedRequest, "\(written) is not one whole number.") }
    return Int(text) ?? .max
  }

  /// Whether this is a list of `key`, or `key value`, with no key twice. What it says is not used; some clients send none.
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
  /// The same answer, which to a request of tus says so.
  func speakingTus(where route: Route?, to head: RequestHead) -> Response {
    guard let route, route.speaksTus, head.headers[.tusResumable] != nil else { return self }
    var response = self
    response.headers[.tusResumable] = Tus.version
    return response
  }
}
