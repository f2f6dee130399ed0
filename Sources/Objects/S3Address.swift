import Foundation

/// Where a bucket is: `s3://bucket/prefix?endpoint=https://…&region=…&path-style=yes`.
package struct S3Address: Sendable, Equatable {
  /// Why a text is no usable address.
  package struct Invalid: Error, Equatable {
    package let problem: String
  }

  package let bucket: String
  /// The beginning of all keys; empty, or with a slash at its end.
  package let prefix: String
  package let region: String
  /// The URL of the bucket, without a slash at its end.
  let url: String
  /// The path of the bucket in that URL; empty if the host names the bucket.
  let path: String

  /// Reads an address.
  ///
  /// - `endpoint`: the URL of the store, without a path. The default is the endpoint of AWS in the region.
  /// - `region`: `us-east-1` by default.
  /// - `path-style`: `yes` if the URL of the bucket is `https://host/bucket` instead of `https://bucket.host`.
  /// - `insecure`: `yes` if `http` is allowed to another host than this machine. Requests carry no digest of their
  ///   body, so the network must be trusted.
  package init(_ text: String) throws(Invalid) {
    guard let parts = URLComponents(string: text), parts.scheme == "s3", let bucket = parts.host,
      parts.user == nil, parts.password == nil, parts.port == nil, parts.fragment == nil
    else { throw Invalid(problem: "it must be like s3://bucket/prefix?endpoint=https://…") }
    guard Self.isName(bucket, "-."), (3...63).contains(bucket.utf8.count) else {
      throw Invalid(problem: "\(bucket) is no name of a bucket")
    }
    self.bucket = bucket
    prefix = try Self.prefix(parts.percentEncodedPath)
    let options = try Self.options(parts.queryItems ?? [])
    region = options["region"] ?? "us-east-1"
    guard Self.isName(region, "-") else { throw Invalid(problem: "region is no name of a region") }
    let isPathStyle = try Self.isYes("path-style", options)
    let endpoint = try Self.endpoint(
      options["endpoint"] ?? "https://s3.\(region).amazonaws.com",
      isInsecure: try Self.isYes("insecure", options))
    path = isPathStyle ? "/\(bucket)" : ""
    url =
      isPathStyle
      ? "\(endpoint.scheme)://\(endpoint.host)\(path)"
      : "\(endpoint.scheme)://\(bucket).\(endpoint.host)"
  }

  private static func prefix(_ path: String) throws(Invalid) -> String {
    let words = path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    // Others would need escapes, which stores sign in different ways.
    guard words.allSatisfy({ isName($0.lowercased(), "-_.") && $0 != "." && $0 != ".." }),
      path.utf8.count <= 200
    else { throw Invalid(problem: "the prefix may have letters, digits, and - _ . only") }
    return words.map { "\($0)/" }.joined()
  }

  private static func options(_ items: [URLQueryItem]) throws(Invalid) -> [String: String] {
    var options: [String: String] = [:]
    for item in items {
      guard ["endpoint", "region", "path-style", "insecure"].contains(item.name),
        let value = item.value, !value.isEmpty
      else { throw Invalid(problem: "unknown option \(item.name)") }
      guard options.updateValue(value, forKey: item.name) == nil else {
        throw Invalid(problem: "\(item.name) is there twice")
      }
    }
    return options
  }

  private static func isYes(
    _ name: String, _ options: [String: String]
  ) throws(Invalid) -> Bool {
    switch options[name] {
    case "yes": true
    case nil, "no": false
    default: throw Invalid(problem: "\(name) must be yes or no")
    }
  }

  /// The scheme, and the host with its port.
  private static func endpoint(
    _ text: String, isInsecure: Bool
  ) throws(Invalid) -> (scheme: String, host: String) {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme,
      ["http", "https"].contains(scheme), let host = parts.host,
      isName(host.lowercased(), "-.") || isIPv6(host),
      parts.user == nil, parts.password == nil, ["", "/"].contains(parts.path),
      parts.query == nil, parts.fragment == nil
    else { throw Invalid(problem: "endpoint must be like https://host:port") }
    guard scheme == "https" || isInsecure || isLoopback(host) else {
      throw Invalid(
        problem: "endpoint must begin with https://, unless it is this machine or insecure=yes")
    }
    return (scheme, host + (parts.port.map { ":\($0)" } ?? ""))
  }

  private static func isLoopback(_ host: String) -> Bool {
    if ["localhost", "[::1]"].contains(host) { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
  }

  private static func isIPv6(_ host: String) -> Bool {
    host.hasPrefix("[") && host.hasSuffix("]")
      && host.dropFirst().dropLast().allSatisfy { $0.isASCII && ($0.isHexDigit || $0 == ":") }
  }

  /// Whether a text has only lowercase letters, digits, and these characters, and is not empty.
  private static func isName(_ text: String, _ others: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || others.utf8.contains($0)
      }
  }
}

extension S3Address: CustomStringConvertible {
  /// For the log.
  package var description: String { "\(url)/\(prefix)" }
}

/// An account of an object store.
package struct S3Credentials: Sendable {
  let accessKey: String
  let secret: String

  package init(accessKey: String, secret: String) {
    (self.accessKey, self.secret) = (accessKey, secret)
  }

  /// Reads the content of a key file: the access key and the secret, each on a line.
  ///
  /// - Returns: `nil` if it is no key file.
  package init?(file text: String) {
    let lines = text.split(whereSeparator: \.isNewline).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    guard lines.count == 2, lines.allSatisfy({ !$0.isEmpty }) else { return nil }
    self.init(accessKey: lines[0], secret: lines[1])
  }
}
