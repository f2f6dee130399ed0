import Foundation
import Memes

/// One setting: its name, what it is for, and how its text is read.
package struct Setting: Sendable {
  package static let prefix = "MEMEME_"

  /// Without the prefix: `RENDER_MAX_EDGE`.
  package let name: String
  /// What stands where nothing is set, for people.
  package let standard: String
  package let help: String
  let apply: @Sendable (inout Settings, String) throws(InvalidSetting) -> Void

  /// `MEMEME_RENDER_MAX_EDGE`
  package var variable: String { Self.prefix + name }

  /// `--render-max-edge`
  package var flag: String { "--" + name.lowercased().replacing("_", with: "-") }

  private init(
    _ name: String, _ standard: String, _ help: String,
    _ apply: @escaping @Sendable (inout Settings, String) throws(InvalidSetting) -> Void
  ) {
    (self.name, self.standard, self.help, self.apply) = (name, standard, help, apply)
  }

  /// Every setting there is.
  package static let all: [Setting] = [
    Setting("HOST", "127.0.0.1", "the address or name to listen on") {
      settings, text throws(InvalidSetting) in settings.host = try nonEmpty(text)
    },
    Setting("PORT", "8080", "the port to listen on; 0 is any free one") {
      settings, text throws(InvalidSetting) in settings.port = try number(text, 0...65_535)
    },
    Setting("DATA", "./data", "the folder that holds everything") {
      settings, text throws(InvalidSetting) in settings.dataFolder = try nonEmpty(text)
    },
    Setting("ADMIN_TOKEN", "made", "the admin's bearer token, 16 to 512 characters") {
      settings, text throws(InvalidSetting) in settings.adminToken = try token(text)
    },
    Setting("PUBLIC_URL", "from HOST and PORT", "where clients see the server") {
      settings, text throws(InvalidSetting) in settings.publicURL = try PublicURL(text)
    },
    Setting("ANONYMOUS", "true", "whether people without credentials may do anything") {
      settings, text throws(InvalidSetting) in settings.anonymous = try flag(text)
    },
    Setting("MAX_UPLOAD_BYTES", "33554432", "how many bytes a picture's file may have") {
      settings, text throws(InvalidSetting) in
      settings.maxUploadBytes = try number(text, 1024...1 << 30)
    },
    Setting("MAX_PIXELS", "100000000", "how many pixels a picture may have, all frames together") {
      settings, text throws(InvalidSetting) in
      settings.maxPixels = try number(text, 1...1_000_000_000)
    },
    Setting("RENDER_MAX_EDGE", "2048", "the longest edge of a render that asks for none") {
      settings, text throws(InvalidSetting) in
      settings.renderMaxEdge = try number(text, MaxEdge.range)
    },
    Setting("RENDER_WORKERS", "cores", "how many pictures are drawn at once") {
      settings, text throws(InvalidSetting) in settings.renderWorkers = try number(text, 1...256)
    },
    Setting("RENDER_QUEUE", "256", "how many pictures may wait to be drawn") {
      settings, text throws(InvalidSetting) in settings.renderQueue = try number(text, 0...65_536)
    },
    Setting("RENDER_TIMEOUT", "20", "the seconds that a picture may wait and be drawn") {
      settings, text throws(InvalidSetting) in
      settings.renderTimeoutSeconds = try number(text, 1...3600)
    },
    Setting("LOG_LEVEL", "info", "debug, info, warning or error") {
      settings, text throws(InvalidSetting) in settings.logLevel = try word(text)
    },
    Setting("LOG_FORMAT", "text", "text or json") {
      settings, text throws(InvalidSetting) in settings.logFormat = try word(text)
    },
  ]
}

/// Why a setting's text cannot be taken.
struct InvalidSetting: Error {
  let reason: String
}

private func nonEmpty(_ text: String) throws(InvalidSetting) -> String {
  guard !text.isEmpty else { throw InvalidSetting(reason: "must not be empty") }
  return text
}

private func number(_ text: String, _ range: ClosedRange<Int>) throws(InvalidSetting) -> Int {
  guard let number = Int(text), range.contains(number) else {
    throw InvalidSetting(
      reason: "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
  }
  return number
}

private func flag(_ text: String) throws(InvalidSetting) -> Bool {
  guard let flag = Bool(text) else { throw InvalidSetting(reason: "must be true or false") }
  return flag
}

private func word<Word: RawRepresentable & CaseIterable>(
  _ text: String
) throws(InvalidSetting) -> Word where Word.RawValue == String {
  guard let word = Word(rawValue: text) else {
    let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
    throw InvalidSetting(reason: "must be one of \(words)")
  }
  return word
}

/// A token goes into a header field (RFC 6750 §2.1).
private func token(_ text: String) throws(InvalidSetting) -> String {
  guard (16...512).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
  else {
    throw InvalidSetting(reason: "must have 16 to 512 characters of ASCII and no space")
  }
  return text
}

extension PublicURL {
  fileprivate init(_ text: String) throws(InvalidSetting) {
    guard let components = URLComponents(string: text), let scheme = components.scheme,
      ["http", "https"].contains(scheme), components.host?.isEmpty == false,
      components.query == nil, components.fragment == nil, components.user == nil
    else {
      throw InvalidSetting(reason: "must be an http or https URL without query or fragment")
    }
    self.text = String(text.trimmingSuffix("/"))
    path = String(components.percentEncodedPath.trimmingSuffix("/"))
  }
}

extension String {
  fileprivate func trimmingSuffix(_ character: Character) -> Substring {
    var rest = self[...]
    while rest.last == character { rest.removeLast() }
    return rest
  }
}
