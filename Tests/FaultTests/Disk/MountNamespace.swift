#if os(Linux)
  import Foundation
  import Support

  /// Processes that have other mounts than the tests.
  enum MountNamespace {
    /// The commands that start a program in its own mount namespace.
    ///
    /// Mounting requires privileges that a container may not have. Without them the list is empty.
    static let launchers: [[String]] = {
      // As root, or else as root of a separate user namespace.
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
