import Foundation

/// The limit of open files and sockets of the process.
enum OpenFiles {
  /// Descriptors for the database's readers, for uploads that are buffered in files, and for libraries.
  private static let besideConnections = 1024
  /// Descriptors reserved for these if the limit cannot be raised.
  private static let reserve = 128

  /// Raises the soft limit, often 1024, as far as the system allows and the server needs.
  ///
  /// - Parameter connections: the maximum number of open connections. Each may buffer an upload in a file.
  static func raiseLimit(connections: Int) {
    let wanted = rlim_t(2 * connections + besideConnections)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(limit.rlim_max, wanted)
    setrlimit(resource, &limit)
  }

  /// The maximum number of connections, chosen so that descriptors are left for everything else.
  ///
  /// If a process runs out of descriptors, libraries fail in ways that it cannot handle: libdispatch
  /// aborts the process.
  static var connections: Int {
    guard let files = limit else { return .max }
    return max(1, files - min(files / 2, reserve))
  }

  /// The current soft limit; `nil` if the system does not report it.
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
