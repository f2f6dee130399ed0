import Storage

extension Log {
  /// Logs the copy that is made before an upgrade: its progress if it takes long, and its path.
  func restorePoint() -> @Sendable (RestorePoints.Event) -> Void {
    let progress = ProgressLine(
      "copying the database before the upgrade", .bytes, isScreen: false,
      write: { [self] line in write(.info, String(line.dropLast())) })
    return { [self] event in
      switch event {
      case .copying(let done, let all): if done < all { progress.show(done, of: all) }
      case .made(let path):
        write(
          .info, "database upgraded; restore point saved", [("path", .text(path))])
      }
    }
  }
}
