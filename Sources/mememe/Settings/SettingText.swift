import Foundation
import HTTP
import Mail
import Memes
import Objects
import PostgreSQL

/// The text that the operator set for a setting, and the parsers for it.
struct SettingText {
  let text: String

  func nonEmpty() throws(InvalidSetting) -> String {
    guard !text.isEmpty else { throw InvalidSetting(reason: "must not be empty") }
    return text
  }

  /// The URI of a PostgreSQL database.
  func serverAddress() throws(InvalidSetting) -> ServerAddress {
    do throws(ServerAddress.Invalid) { return try ServerAddress(text) } catch {
      throw InvalidSetting(reason: error.problem)
    }
  }

  /// The address of a bucket.
  func bucket() throws(InvalidSetting) -> S3Address {
    do throws(S3Address.Invalid) { return try S3Address(text) } catch {
      throw InvalidSetting(reason: error.problem)
    }
  }

  /// A path that need not exist, without trailing slashes.
  func path() throws(InvalidSetting) -> String {
    let path = Self.withoutSlashes(try nonEmpty())
    return path.isEmpty ? "/" : path
  }

  func folder() throws(InvalidSetting) -> String {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: text, isDirectory: &isFolder), isFolder.boolValue
    else { throw InvalidSetting(reason: "must be an existing folder") }
    return text
  }

  func number(_ range: ClosedRange<Int>) throws(InvalidSetting) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw InvalidSetting(
        reason: "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func flag() throws(InvalidSetting) -> Bool {
    guard let flag = Bool(text) else { throw InvalidSetting(reason: "must be true or false") }
    return flag
  }

  func onOrOff() throws(InvalidSetting) -> Bool {
    guard ["on", "off"].contains(text) else { throw InvalidSetting(reason: "must be on or off") }
    return text == "on"
  }

  /// Comma-separated addresses and address ranges.
  func ranges() throws(InvalidSetting) -> [AddressRange] {
    var ranges: [AddressRange] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let range = AddressRange(part.trimmingCharacters(in: .whitespaces)) else {
        throw InvalidSetting(
          reason: "must be addresses like 127.0.0.1 or 10.0.0.0/8, separated by commas")
      }
      ranges.append(range)
    }
    return ranges
  }

  /// One case of an enumeration.
  func word<Word: RawRepresentable & CaseIterable>() throws(InvalidSetting) -> Word
  where Word.RawValue == String {
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw InvalidSetting(reason: "must be one of \(words)")
    }
    return word
  }

  /// Comma-separated cases of an enumeration, at least one.
  func words<Word: RawRepresentable & CaseIterable>() throws(InvalidSetting) -> [Word]
  where Word.RawValue == String {
    var words: [Word] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      words.append(try SettingText(text: part.trimmingCharacters(in: .whitespaces)).word())
    }
    return words
  }

  /// A token that is valid in a header field as a bearer token (RFC 6750 §2.1).
  func token() throws(InvalidSetting) -> String {
    guard (16...512).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw InvalidSetting(reason: "must have 16 to 512 ASCII characters without spaces")
    }
    return text
  }

  func pictureHosts() throws(InvalidSetting) -> PictureHosts {
    guard let hosts = PictureHosts(text), !hosts.isEmpty else {
      throw InvalidSetting(
        reason: "must be hosts like example.org or example.org:8443, separated by commas")
    }
    return hosts
  }

  func publicURL() throws(InvalidSetting) -> PublicURL {
    guard var url = Self.encoded(text), let components = URLComponents(string: url),
      let scheme = components.scheme, ["http", "https"].contains(scheme),
      let host = components.encodedHost, !host.isEmpty, !host.contains("%"),
      components.port.map({ (1...65_535).contains($0) }) != false,
      components.query == nil, components.fragment == nil, components.user == nil
    else {
      throw InvalidSetting(reason: "must be an http or https URL without user, query or fragment")
    }
    // Browsers lowercase the host, and compare origins in this form.
    if let range = components.rangeOfHost {
      url.replaceSubrange(range, with: url[range].lowercased())
    }
    return PublicURL(
      text: Self.withoutSlashes(url), path: Self.withoutSlashes(components.percentEncodedPath),
      origin: Self.origin(scheme: scheme, host: host, port: components.port))
  }

  /// Comma-separated origins in the form that browsers send (RFC 6454 §6.2), or `*`.
  func origins() throws(InvalidSetting) -> AllowedOrigins {
    if text == "*" { return .any }
    var origins: Set<String> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let origin = part.trimmingCharacters(in: .whitespaces).lowercased()
      guard let url = Self.encoded(origin), let components = URLComponents(string: url),
        let scheme = components.scheme, let host = components.encodedHost, !host.isEmpty,
        !host.contains("%"), components.path.isEmpty,
        components.query == nil, components.fragment == nil, components.user == nil,
        components.port != (scheme == "https" ? 443 : 80), ["http", "https"].contains(scheme)
      else {
        throw InvalidSetting(
          reason: "must be * or origins like https://memes.example, separated by commas")
      }
      origins.insert(url)
    }
    return .listed(origins)
  }

  func mailServer() throws(InvalidSetting) -> SMTPServer {
    do throws(SMTPServer.Invalid) { return try SMTPServer(text) } catch {
      throw InvalidSetting(reason: error.reason)
    }
  }

  func emailAddress() throws(InvalidSetting) -> EmailAddress {
    do throws(InvalidValue) { return try EmailAddress(text) } catch {
      throw InvalidSetting(reason: "must be an address like memes@example.org")
    }
  }

  /// `127.0.0.1:9090` or `[::1]:9090`.
  func hostAndPort() throws(InvalidSetting) -> HostAndPort {
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
      (0...65_535).contains(port)
    else { throw InvalidSetting(reason: "must be host:port") }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw InvalidSetting(reason: "must have an IPv6 address in brackets")
    }
    guard !host.isEmpty else { throw InvalidSetting(reason: "must be host:port") }
    return HostAndPort(host: String(host), port: port)
  }

  /// A URL as browsers send it: ASCII. A host with other letters is in the form `xn--…` (RFC 5891), and other
  /// characters of a path are percent-encoded.
  private static func encoded(_ text: String) -> String? { URLComponents(string: text)?.string }

  private static func origin(scheme: String, host: String, port: Int?) -> String {
    let host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    let own = scheme == "https" ? 443 : 80
    let port = port.flatMap { $0 == own ? nil : ":\($0)" } ?? ""
    return "\(scheme)://\(host)\(port)".lowercased()
  }

  private static func withoutSlashes(_ text: String) -> String {
    var rest = text[...]
    while rest.last == "/" { rest.removeLast() }
    return String(rest)
  }
}

/// The reason why the text of a setting is invalid.
struct InvalidSetting: Error, CustomStringConvertible {
  let reason: String

  var description: String { reason }
}
