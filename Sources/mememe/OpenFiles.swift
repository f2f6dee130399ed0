import Foundation

/// How many files and sockets the process may have open.
enum OpenFiles {
  /// For the database's readers, the uploads that wait in files, and what the libraries open.
  private static let besideConnections = 1024
  /// What is kept for them where the limit cannot be raised.
  private static let reserve = 128

  /// Raises the soft limit, often 1024, as far as the system allows and is of use.
  ///
  /// - Parameter connections: how many may be open at once; each may have an upload that waits in a file.
  static func raiseLimit(connections: Int) {
    let wanted = rlim_t(2 * connections + besideConnections)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(limit.rlim_max, wanted)
    setrlimit(resource, &limit)
  }

  /// The most connections that leave files for everything else.
  ///
  /// Where a process has no file left, libraries in it fail in ways that nobody can answer: libdispatch ends the process.
  static var connections: Int {
    guard let files = limit else { return .max }
    return max(1, files - min(files / 2, reserve))
  }

  /// How many there may be now; `nil` where the system does not tell.
  static var limit: Int? {
    var limit = rlimit()
    return getrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_cur) : nil
  }

  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let resource = RLIMIT_NOFILE
  #endif
}
