import Bytes
import HTTP
import Memes

extension Response {
  /// A picture file. If it is not public, only the client may cache it, and other sites cannot embed it.
  init(picture: PictureFile, for visibility: Visibility = .public) {
    self.init(.ok, picture.facts.format.headerValue, picture.bytes)
    headers[.etag] = HeaderValue("\"\(picture.facts.digest.tag)\"")
    show(to: visibility)
  }

  /// A stored picture. Its bytes are not read yet if they are in an object store.
  init(stored file: StoredPictureFile, for visibility: Visibility = .public) {
    switch file.content {
    case .local(let bytes):
      self.init(picture: PictureFile(facts: file.facts, bytes: bytes), for: visibility)
    case .remote(let bytes):
      self.init(picture: PictureFile(facts: file.facts, bytes: Bytes()), for: visibility)
      remote = RemotePart(bytes)
    }
  }

  /// A picture at its own URL: of this version, or of the current one if `version` is `nil`.
  init(_ picture: StoredPicture, version: Int?) {
    self.init(stored: picture.file, for: picture.visibility)
    headers[.acceptRanges] = "bytes"
    if version != nil { keep(picture.visibility) }
  }

  /// The response to HEAD for a picture that is not rendered yet, with all headers that are known without rendering it.
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

  /// Allows long-term caching for the URL of one version.
  private mutating func keep(_ visibility: Visibility) {
    guard visibility == .public else { return }
    // Shared caches drop a deleted picture within an hour.
    headers[.cacheControl] = "public, max-age=31536000, s-maxage=3600, immutable"
  }
}

/// The body of a response to HEAD whose length is unknown. It is never read.
private final class UnknownBody: BodyStream {
  func next() async -> Bytes? { nil }
}

extension Digest {
  /// The part of the digest that serves as an entity tag: enough to distinguish any two states of a resource.
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
