import Arguments
import Foundation

/// The options that all commands share.
struct Options {
  let store: URL
  /// `nil` for the server of the signed-in account.
  let server: URL?
  /// The maximum time without network activity.
  let timeout: Duration
  let isOffline: Bool
  let isJSON: Bool

  init(
    taking words: inout ArgumentParser,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(UsageError) {
    store = Self.store(try words.takeValue(of: "--store"), environment)
    server = try Self.url(try words.takeValue(of: "--server"))
    timeout = try Self.duration(try words.takeValue(of: "--timeout"))
    isOffline = words.take("--offline")
    isJSON = words.take("--json")
  }

  /// See https://specifications.freedesktop.org/basedir-spec: empty variables are unset, relative paths invalid.
  private static func store(_ path: String?, _ environment: [String: String]) -> URL {
    if let path { return URL(filePath: path, directoryHint: .isDirectory) }
    let data =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
      ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/share")
    return data.appending(path: "mememe-client", directoryHint: .isDirectory)
  }

  private static func url(_ text: String?) throws(UsageError) -> URL? {
    guard let text else { return nil }
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host != nil
    else {
      throw UsageError("\(text) is not a URL like https://memes.example.org")
    }
    return url
  }

  private static func duration(_ text: String?) throws(UsageError) -> Duration {
    guard let text else { return .seconds(60) }
    guard let seconds = Int(text), (1...3600).contains(seconds) else {
      throw UsageError("--timeout must be a whole number of seconds from 1 to 3600")
    }
    return .seconds(seconds)
  }
}
