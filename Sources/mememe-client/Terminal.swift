import Foundation

/// Where a person reads along, and may type.
enum Terminal {
  /// Whether what is told comes to a screen.
  static let isScreen = isatty(STDERR_FILENO) == 1

  /// Writes a line beside the output.
  static func tell(_ text: String) { write("\(text)\n") }

  static func write(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Asks for a password without showing it; where there is no terminal, it is the first line of the input.
  static func password() throws -> String {
    guard isatty(STDIN_FILENO) == 1 else {
      guard let line = readLine(strippingNewline: true), !line.isEmpty else { throw none }
      return line
    }
    var shown = termios()
    guard tcgetattr(STDIN_FILENO, &shown) == 0 else { throw none }
    var hidden = shown
    // Without signals too: one would leave the terminal as it is here. A Control-C ends the line instead.
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

  /// Control-C.
  private static let interrupt: UInt8 = 3

  private static let none = Failure(reason: "no password was given")
}
