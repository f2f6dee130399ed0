/// The path of a page of the web app, to which the server redirects a browser.
struct AppPath {
  static let home = AppPath(text: "/")
  private static let maximumBytes = 512

  /// Without the server's base path.
  let text: String

  private init(text: String) { self.text = text }

  /// - Returns: `nil` unless the text is `/app` or below it. Other texts could lead to another server, or to a path
  /// that is not the app's: browsers take a backslash for a slash, and an encoded dot for a dot.
  init?(_ text: String) {
    let path = text.prefix { $0 != "?" }
    guard text.utf8.count <= Self.maximumBytes, path == "/app" || path.hasPrefix("/app/"),
      text.utf8.allSatisfy(Self.isAllowed), !text.contains("//"), !text.contains(".."),
      !text.lowercased().contains("%2e"), !text.contains("/.")
    else { return nil }
    self.text = text
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "/?=&-_.~%+".utf8.contains(byte)
    }
  }
}
