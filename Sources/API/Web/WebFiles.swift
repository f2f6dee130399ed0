import Bytes
import Gzip
import HTTP
import Memes

/// The files of the web app as answers that are kept ready.
///
/// Those in folders are at addresses that carry the version of them all, so what is at an address never changes, and a
/// module finds the others of its own version beside it. Those at the top are at addresses of their own that stay, and are
/// asked for anew each time; in them `{{base}}` stands for what every address begins with, `{{version}}` for the version,
/// `{{files}}` for the paths of all that are in folders, with blanks between them, and `{{anonymous}}` for whether the server
/// shows anything to who is not signed in.
struct WebFiles: Sendable {
  /// Stands for the bytes of all files.
  let version: String
  /// By their paths, such as `app/main.js`.
  private let files: [String: Forms]
  /// By their names, such as `index.html`.
  private let documents: [String: Forms]

  /// The same file as it is, and compressed if that is smaller. It is compressed on the first request that accepts gzip.
  fileprivate struct Forms {
    let plain: Response
    let compressed: LazyValue<Response?, Never>

    func response(to request: Request) -> Response {
      let accepted = AcceptEncoding(request.head.headers.combined(.acceptEncoding))
      return accepted.takes("gzip") ? compressed.value() ?? plain : plain
    }
  }

  /// - Parameters:
  ///   - basePath: what every address begins with; no slash at its end.
  ///   - anonymous: whether people without credentials may do anything.
  init(
    _ all: [(path: String, bytes: Bytes)], digest: Digester, basePath: String, anonymous: Bool
  ) {
    let digests = all.map { digest($0.bytes) }
    let parts = zip(all, digests).flatMap { [$0.path, $1.hexadecimal] } + [basePath]
    let version = String(Digest(of: parts, digest).hexadecimal.prefix(16))
    let inFolders = all.map(\.path).filter { $0.contains("/") }.joined(separator: " ")
    var files: [String: Forms] = [:]
    var documents: [String: Forms] = [:]
    for ((path, bytes), sum) in zip(all, digests) {
      if path.contains("/") {
        files[path] = Forms(
          bytes, at: path, sum,
          headers: [(.cacheControl, "public, max-age=31536000, immutable")])
      } else {
        let text = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
          .replacing("{{base}}", with: basePath).replacing("{{version}}", with: version)
          .replacing("{{files}}", with: inFolders)
          .replacing("{{anonymous}}", with: "\(anonymous)")
        let document = Bytes(text)
        documents[path] = Forms(
          document, at: path, digest(document),
          headers: [
            (.cacheControl, "public, no-cache"), (.contentSecurityPolicy, Self.policy),
          ])
      }
    }
    (self.version, self.files, self.documents) = (version, files, documents)
  }

  /// - Throws: 404 for another version, and for what is not there.
  func file(
    _ path: String, version: String, to request: Request
  ) throws(Problem) -> Response {
    guard version == self.version, let file = files[path] else { throw Problem(.notFound) }
    return file.response(to: request)
  }

  /// - Throws: 404 for what is not there.
  func document(_ name: String, to request: Request) throws(Problem) -> Response {
    guard let document = documents[name] else { throw Problem(.notFound) }
    return document.response(to: request)
  }

  /// The icon at the address that browsers try by themselves. It stays, so caches ask for it anew.
  func favicon() throws(Problem) -> Response {
    guard var response = files["icons/app-192.png"]?.plain else { throw Problem(.notFound) }
    response.headers[.cacheControl] = "public, no-cache"
    return response
  }

  /// The app's own files and this server, and nothing else: no script or style that stands in a page, nothing of others, no
  /// frame. Text cannot become markup or script: the browser refuses it (`require-trusted-types-for`), but for the address
  /// of a worker, which the policy `mememe` lets through.
  private static let policy: HeaderValue =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types mememe"
}

extension WebFiles.Forms {
  fileprivate init(
    _ bytes: Bytes, at path: String, _ digest: Digest, headers: [(HeaderName, HeaderValue)]
  ) {
    let tag = digest.tag
    var plain = Response(.ok, MediaType.ofFile(named: path), bytes)
    plain.headers[.etag] = HeaderValue("\"\(tag)\"")
    plain.headers[.vary] = "Accept-Encoding"
    for (name, value) in headers { plain.headers[name] = value }
    self.plain = plain
    compressed = LazyValue { [plain] in
      guard let body = Gzip.compress(bytes) else { return nil }
      var compressed = plain
      compressed.body = body
      // RFC 9110 §8.8.3.3: another form of the same is another representation.
      compressed.headers[.etag] = HeaderValue("\"\(tag)-gzip\"")
      compressed.headers[.contentEncoding] = "gzip"
      return compressed
    }
  }
}

private enum MediaType {
  /// By the end of the name.
  static func ofFile(named path: String) -> HeaderValue {
    switch path.split(separator: ".").last {
    case "css": "text/css; charset=utf-8"
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "png": "image/png"
    case "svg": "image/svg+xml"
    case "webmanifest": "application/manifest+json"
    default: "application/octet-stream"
    }
  }
}
