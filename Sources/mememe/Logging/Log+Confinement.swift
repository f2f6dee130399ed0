import Rendering

extension Log {
  /// Logs how the drawing processes are confined.
  func write(_ confinement: Confinement, of settings: Settings) {
    let facts: [(name: StaticString, value: Value)] = [
      ("calls", .text(confinement.contains(.calls) ? "yes" : "no")),
      ("files", .text(confinement.contains(.files) ? "yes" : "no")),
    ]
    if confinement == [.calls, .files] { return write(.info, "decoders are confined", facts) }
    let hint: Value =
      settings.confinement == .off
      ? .text("MEMEME_CONFINE is off")
      : .text("allow seccomp and landlock_*; see Confinement in docs/operations.md")
    write(.warning, "decoders are not fully confined", facts + [("hint", hint)])
  }
}
