import Foundation

/// The program that draws in processes of its own, and what it is told when it starts.
package struct HelperProgram: Sendable {
  /// The first argument of such a process: the same program does other things by another name.
  package static let name = "mememe-draw"

  let path: String
  package var fontFolder: String?
  /// Of shrunken pictures that previews are drawn on.
  package var shelfBytes = 64 << 20
  /// Of its own memory, and of one file that it writes.
  package var memoryBytes = HelperProgram.memoryBytes(forPixels: 100_000_000)
  package var confinement = Confinement.Demand.try
  /// Whether what its libraries say is shown on standard error.
  package var showsErrors = false
  /// Variables that tests add to its environment.
  package var additions: [String: String] = [:]

  package init(path: String) { self.path = path }

  /// The program that this process runs, also if its file was replaced since.
  package static var own: HelperProgram {
    #if os(Linux)
      HelperProgram(path: "/proc/self/exe")
    #else
      HelperProgram(path: Bundle.main.executablePath ?? CommandLine.arguments[0])
    #endif
  }

  /// Enough for all but the deepest of the largest pictures, and for any that is made. Of a WebP with transparency, four copies
  /// are in memory.
  package static func memoryBytes(forPixels pixels: Int) -> Int {
    let (product, isTooMany) = pixels.multipliedReportingOverflow(by: 16)
    return isTooMany ? .max : min(product, .max - (768 << 20)) + 768 << 20
  }

  var arguments: [String] {
    [Self.name, String(shelfBytes), String(memoryBytes), confinement.rawValue, fontFolder ?? ""]
  }

  /// Variables that libraries look for, and no others: no setting of the server, and no token.
  var environment: [String] {
    let names: Set = [
      "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
      "XDG_DATA_HOME", "XDG_DATA_DIRS", "LD_LIBRARY_PATH", "GLIBC_TUNABLES",
    ]
    let prefixes = [
      "FONTCONFIG_", "VIPS_", "DYLD_", "ASAN_", "UBSAN_", "LSAN_", "TSAN_", "SWIFT_",
      "MALLOC_",
    ]
    var environment = ProcessInfo.processInfo.environment.filter { name, _ in
      names.contains(name) || prefixes.contains { name.hasPrefix($0) }
    }
    environment.merge(additions) { $1 }
    return environment.map { "\($0)=\($1)" }
  }
}
