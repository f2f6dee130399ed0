import Bytes
import HTTP
import Memes

extension Response {
  /// A picture's file. What is not for everybody is kept by nobody but the client, and shown by no other site.
  init(picture: PictureFile, for visibility: Visibility = .public) {
    self.init(.ok, picture.facts.format.headerValue, picture.bytes)
    headers[.etag] = HeaderValue("\"\(picture.facts.digest.tag)\"")
    show(to: visibility)
  }

  /// A picture at an address of its own, of one version or of whatever there is.
  init(_ picture: StoredPicture, version: Int?) {
    self.init(picture: picture.file, for: picture.visibility)
    headers[.acceptRanges] = "bytes"
    if version != nil { keep(picture.visibility) }
  }

  /// The answer to HEAD for a picture that would have to be made, with all that is known without making it.
  init(unmade key: DerivedPictureKey, for visibility: Visibility, version: Int?) {
    self.init(.ok, PictureFormat(key.derivation.format).headerValue, Bytes())
    show(to: visibility)
    headers[.acceptRanges] = "bytes"
    if version != nil { keep(visibility) }
    stream = UnknownBody()
  }

  private mutating func show(to visibility: Visibility) {
    let isPublic = visibility == .public
    headers[.cacheControl] = isPublic ? "public, no-cache" : "private, no-cache"
    headers[.crossOriginResourcePolicy] = isPublic ? "cross-origin" : "same-origin"
  }

  /// For an address of one version.
  private mutating func keep(_ visibility: Visibility) {
    guard visibility == .public else { return }
    // What is deleted is gone from caches that many people share within the hour.
    headers[.cacheControl] = "public, max-age=31536000, s-maxage=3600, immutable"
  }
}

/// The body of an answer to HEAD whose length is not known: it is never asked for.
private final class UnknownBody: BodyStream {
  func next() async -> Bytes? { nil }
}

extension Digest {
  /// As much of the digest as tells two states of the same thing apart.
  var tag: Substring { hexadecimal.prefix(32) }
}

extension PictureFormat {
  fileprivate var headerValue: HeaderValue {
    switch self {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    case .gif: "image/gif"
    case .webp: "image/webp"
    case .avif: "image/avif"
    case .heic: "image/heic"
    }
  }
}
