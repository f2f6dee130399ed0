import Foundation

/// Asks for a password: at a terminal without showing it, else it is the first line of the input.
enum PasswordPrompt {
  /// - Returns: `nil` where there is none.
  static func read() -> String? {
    guard isatty(STDIN_FILENO) == 1 else { return line() }
    var shown = termios()
    guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return nil }
    var hidden = shown
    // Without signals too: a Control-C would leave the terminal as it is here.
    hidden.c_lflag &= ~tcflag_t(ECHO | ISIG)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    FileHandle.standardError.write(Data("Password: ".utf8))
    let password = line()
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
    FileHandle.standardError.write(Data("\n".utf8))
    // Control-C is a character here.
    return password.flatMap { $0.contains("\u{3}") ? nil : $0 }
  }

  private static func line() -> String? {
    readLine(strippingNewline: true).flatMap { $0.isEmpty ? nil : $0 }
  }
}
