import Foundation

/// What holds for every command.
struct Options {
  let store: URL
  /// `nil` for the one that is signed in at.
  let server: URL?
  /// How long the server may be silent.
  let timeout: Duration
  let isOffline: Bool
  let isJSON: Bool

  init(
    taking words: inout Words, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(Order.Invalid) {
    store = Self.store(try words.takeValue(of: "--store"), environment)
    server = try Self.url(try words.takeValue(of: "--server"))
    timeout = try Self.duration(try words.takeValue(of: "--timeout"))
    isOffline = words.take("--offline")
    isJSON = words.take("--json")
  }

  /// https://specifications.freedesktop.org/basedir-spec: an empty variable is none, and a relative path is not valid.
  private static func store(_ path: String?, _ environment: [String: String]) -> URL {
    if let path { return URL(filePath: path, directoryHint: .isDirectory) }
    let data =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
      ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/share")
    return data.appending(path: "mememe-client", directoryHint: .isDirectory)
  }

  private static func url(_ text: String?) throws(Order.Invalid) -> URL? {
    guard let text else { return nil }
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host != nil
    else { throw Order.Invalid(reason: "\(text) is no address such as https://memes.example.org") }
    return url
  }

  private static func duration(_ text: String?) throws(Order.Invalid) -> Duration {
    guard let text else { return .seconds(60) }
    guard let seconds = Int(text), (1...3600).contains(seconds) else {
      throw Order.Invalid(reason: "--timeout: whole seconds, 1 to 3600")
    }
    return .seconds(seconds)
  }
}
