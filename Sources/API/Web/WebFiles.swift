import Archive
import Bytes
import HTTP
import Memes

/// The files of the web app as prepared responses.
///
/// The URLs of files in folders contain a version of all files. So the content at a URL never changes, and a module
/// imports other modules of its own version by relative paths. Files at the top level have fixed URLs, and clients
/// revalidate them on each use.
///
/// Files at the top level contain placeholders: `{{base}}` for the prefix of every URL, `{{version}}` for the version,
/// `{{files}}` for the paths of all files in folders, separated by spaces, and those of ``WebAccess``.
struct WebFiles: Sendable {
  /// Identifies the content of all files.
  let version: String
  /// By path, for example `app/main.js`.
  private let files: [String: Forms]
  /// By name, for example `index.html`.
  private let documents: [String: Forms]

  /// A file uncompressed, and compressed if that is smaller. The first request that accepts gzip compresses it.
  fileprivate struct Forms {
    let plain: Response
    let compressed: LazyValue<Response?, Never>

    func response(to request: Request) -> Response {
      let accepted = AcceptEncoding(request.head.headers.combined(.acceptEncoding))
      return accepted.takes("gzip") ? compressed.value() ?? plain : plain
    }
  }

  /// - Parameters:
  ///   - basePath: the prefix of every URL, without a trailing slash.
  ///   - access: what the app shows to visitors and members.
  init(
    _ all: [(path: String, bytes: Bytes)], digest: Digester, basePath: String, access: WebAccess
  ) {
    let digests = all.map { digest($0.bytes) }
    let parts =
      zip(all, digests).flatMap { [$0.path, $1.hexadecimal] }
      // Apps keep the page until its version changes.
      + [basePath] + access.placeholders.map(\.value)
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
        var text = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        for (name, value) in access.placeholders { text.replace("{{\(name)}}", with: value) }
        text = text.replacing("{{base}}", with: basePath).replacing("{{version}}", with: version)
          .replacing("{{files}}", with: inFolders)
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

  /// - Throws: `notFound` if the version is another one or the file does not exist.
  func file(
    _ path: String, version: String, to request: Request
  ) throws(Problem) -> Response {
    guard version == self.version, let file = files[path] else { throw Problem(.notFound) }
    return file.response(to: request)
  }

  /// - Throws: `notFound` if the file does not exist.
  func document(_ name: String, to request: Request) throws(Problem) -> Response {
    guard let document = documents[name] else { throw Problem(.notFound) }
    return document.response(to: request)
  }

  /// The icon at the URL that browsers request by default. This URL is fixed, so caches must revalidate the icon.
  func favicon() throws(Problem) -> Response {
    guard let response = files["icons/app-192.png"]?.plain else { throw Problem(.notFound) }
    return response.with(.cacheControl, "public, no-cache")
  }

  /// Allows only the app's own files and requests to this server: no inline scripts or styles, no third-party content,
  /// no frames. The browser prevents text from becoming markup or script (`require-trusted-types-for`). The only
  /// exception is the URL of a worker, which the policy `mememe` allows.
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
      // RFC 9110 §8.8.3.3: a response with another content coding needs its own entity tag.
      compressed.headers[.etag] = HeaderValue("\"\(tag)-gzip\"")
      compressed.headers[.contentEncoding] = "gzip"
      return compressed
    }
  }
}

private enum MediaType {
  /// By file extension.
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
