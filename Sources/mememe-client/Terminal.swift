import Foundation

/// The user's terminal: standard error for messages, and standard input.
enum Terminal {
  /// Whether standard error is a terminal.
  static let isScreen = isatty(STDERR_FILENO) == 1

  /// Writes a line to standard error.
  static func tell(_ text: String) { write("\(text)\n") }

  static func write(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Reads a password without echoing it. If standard input is not a terminal, reads its first line.
  static func password() throws -> String {
    guard isatty(STDIN_FILENO) == 1 else {
      guard let line = readLine(strippingNewline: true), !line.isEmpty else { throw none }
      return line
    }
    var shown = termios()
    guard tcgetattr(STDIN_FILENO, &shown) == 0 else { throw none }
    var hidden = shown
    // Disables signals as well: a signal would leave the terminal without echo. Control-C ends the line instead.
    hidden.c_lflag &= ~tcflag_t(ECHO | ISIG)
    withUnsafeMutableBytes(of: &hidden.c_cc) { $0[Int(VEOL)] = interrupt }
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
      write("\n")
    }
    write("Password: ")
    guard let line = readLine(strippingNewline: true), !line.isEmpty,
      line.utf8.last != interrupt
    else { throw none }
    return line
  }

  /// Reads a code of the second factor: the next line of standard input.
  static func code() throws -> String {
    if isatty(STDIN_FILENO) == 1 { write("Code of your authenticator app, or a recovery code: ") }
    guard let line = readLine(strippingNewline: true), !line.isEmpty else {
      throw Failure(reason: "no code given")
    }
    return line
  }

  /// The character of Control-C.
  private static let interrupt: UInt8 = 3

  private static let none = Failure(reason: "no password given")
}
