import Foundation

/// Asks for a password that is not there yet: at a terminal twice and without showing it, else it is the first line of the
/// input.
enum PasswordPrompt {
  enum Failure: Error {
    /// None was given, or the asking was interrupted.
    case none
    /// What was typed the second time is another one.
    case differs
  }

  static func read() throws(Failure) -> String {
    guard isatty(STDIN_FILENO) == 1 else {
      guard let line = readLine(strippingNewline: true), !line.isEmpty else { throw .none }
      return line
    }
    var shown = termios()
    guard tcgetattr(STDIN_FILENO, &shown) == 0 else { throw .none }
    var hidden = shown
    // Without signals too: one would leave the terminal as it is here. A Control-C ends the line instead.
    hidden.c_lflag &= ~tcflag_t(ECHO | ISIG)
    withUnsafeMutableBytes(of: &hidden.c_cc) { $0[Int(VEOL)] = interrupt }
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown) }
    guard let password = ask("Password: ") else { throw .none }
    guard let again = ask("Again: ") else { throw .none }
    guard again == password else { throw .differs }
    return password
  }

  /// Control-C.
  private static let interrupt: UInt8 = 3
  /// A terminal takes no longer line.
  private static let maximumBytes = 4096

  /// - Returns: `nil` where nothing is typed, or no text, or it is interrupted.
  private static func ask(_ question: String) -> String? {
    tell(question)
    defer { tell("\n") }
    var line = [UInt8](repeating: 0, count: maximumBytes)
    let count = Foundation.read(STDIN_FILENO, &line, line.count)
    guard count > 0 else { return nil }
    line.removeLast(line.count - count)
    if line.last == interrupt { return nil }
    if line.last == UInt8(ascii: "\n") { line.removeLast() }
    return line.isEmpty ? nil : String(validating: line, as: UTF8.self)
  }

  private static func tell(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
