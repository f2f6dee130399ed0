import Foundation

/// Resource usage of this process, as the system reports it.
struct ProcessFigures {
  /// User and system time of all threads.
  let cpuSeconds: Double
  /// `nil` if the system does not report it.
  let residentBytes: Int?
  let virtualBytes: Int?
  /// Files, sockets and pipes.
  let openFiles: Int?

  /// Reads the current figures. This takes a few system calls, and one more per hundred open files or so.
  init() {
    var usage = rusage()
    let isKnown = getrusage(Self.ourselves, &usage) == 0
    cpuSeconds =
      isKnown ? Double(usage.ru_utime.microseconds + usage.ru_stime.microseconds) / 1e6 : 0
    (virtualBytes, residentBytes) = Self.memory()
    openFiles = Self.countOpenFiles()
  }

  #if os(Linux)
    private static let ourselves = __rusage_who_t(RUSAGE_SELF.rawValue)
    private static let openFilesFolder = "/proc/self/fd"

    /// proc(5): the first two numbers of `statm` are the sizes, in pages.
    private static func memory() -> (virtual: Int?, resident: Int?) {
      guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
        return (nil, nil)
      }
      let pages = text.split(separator: " ").prefix(2).compactMap { Int($0) }
      let pageBytes = sysconf(Int32(_SC_PAGESIZE))
      return pages.count == 2 ? (pages[0] * pageBytes, pages[1] * pageBytes) : (nil, nil)
    }
  #else
    private static let ourselves = RUSAGE_SELF
    private static let openFilesFolder = "/dev/fd"

    private static func memory() -> (virtual: Int?, resident: Int?) { (nil, nil) }
  #endif

  private static func countOpenFiles() -> Int? {
    guard let folder = opendir(openFilesFolder) else { return nil }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // Does not count `.`, `..` and the descriptor of the folder.
    return count - 3
  }
}

extension timeval {
  fileprivate var microseconds: Int { Int(tv_sec) * 1_000_000 + Int(tv_usec) }
}
