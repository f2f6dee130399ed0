import HTTP
import Memes

extension Response {
  /// A picture's file, for everybody.
  init(picture: PictureFile) {
    self.init(.ok, picture.facts.format.headerValue, picture.bytes)
    headers[.etag] = HeaderValue("\"\(picture.facts.digest.tag)\"")
    headers[.cacheControl] = "public, no-cache"
    headers[.crossOriginResourcePolicy] = "cross-origin"
  }
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
