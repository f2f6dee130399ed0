import Foundation

/// Prompts for a new password. At a terminal it prompts twice and does not echo. Otherwise it reads the first line
/// of standard input.
enum PasswordPrompt {
  enum Failure: Error {
    /// No password was entered, or the prompt was interrupted.
    case none
    /// The two entries differ.
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
    // Disables signals as well: a signal here would leave the terminal without echo. Control-C ends the line instead.
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
  /// The maximum length of a line at a terminal.
  private static let maximumBytes = 4096

  /// - Returns: `nil` if the line is empty, is not UTF-8, or was interrupted.
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
    FileHandle.standardError.put(text)
  }
}
