#if os(Linux)
  import Foundation
  import Support

  /// A process that sees other file systems than the tests do.
  enum MountNamespace {
    /// What starts a program in a namespace of its own.
    ///
    /// Mounting needs rights that a container may not give: it is empty if it cannot be done.
    static let launchers: [[String]] = {
      // With the rights of root, or else as root of a namespace of its own.
      let candidates = [["--mount"], ["--user", "--map-root-user", "--mount"]]
      for flags in candidates {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/unshare")
        process.arguments = flags + ["mount", "-t", "tmpfs", "none", "/mnt"]
        process.standardError = FileHandle.nullDevice
        guard let end = try? process.startAlone() else { continue }
        end.wait()
        if process.terminationStatus == 0 { return [["/usr/bin/unshare"] + flags] }
      }
      return []
    }()
  }
#endif
