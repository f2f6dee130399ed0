import Foundation

/// How many files and sockets the process may have open.
enum OpenFiles {
  /// Enough for every connection, the database's readers and the uploads that wait in files.
  private static let wanted: rlim_t = 8192

  /// Raises the soft limit, often 1024, as far as the system allows and is of use.
  static func raiseLimit() {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(limit.rlim_max, wanted)
    setrlimit(resource, &limit)
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
