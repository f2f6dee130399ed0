import Foundation

/// The program that runs in helper processes, and its arguments.
package struct HelperProgram: Sendable {
  /// The first argument of a helper process. The same program has other functions under other names.
  package static let name = "mememe-draw"

  let path: String
  package var fontFolder: String?
  /// The capacity of the preview cache in bytes.
  package var shelfBytes = 64 << 20
  /// The maximum size of the process's own memory, and of each file that it writes, in bytes.
  package var memoryBytes = HelperProgram.memoryBytes(forPixels: 100_000_000)
  package var confinement = Confinement.Demand.try
  /// Whether messages of its libraries appear on standard error.
  package var showsErrors = false
  /// Environment variables that tests add.
  package var additions: [String: String] = [:]

  package init(path: String) { self.path = path }

  /// The program of the current process, even if its file has been replaced since the start.
  package static var own: HelperProgram {
    #if os(Linux)
      HelperProgram(path: "/proc/self/exe")
    #else
      HelperProgram(path: Bundle.main.executablePath ?? CommandLine.arguments[0])
    #endif
  }

  /// Enough for all pictures except the largest ones of the highest bit depth, and for all results. A WebP with
  /// transparency needs four copies in memory.
  package static func memoryBytes(forPixels pixels: Int) -> Int {
    let (product, isTooMany) = pixels.multipliedReportingOverflow(by: 16)
    return isTooMany ? .max : min(product, .max - (768 << 20)) + 768 << 20
  }

  var arguments: [String] {
    [Self.name, String(shelfBytes), String(memoryBytes), confinement.rawValue, fontFolder ?? ""]
  }

  /// The environment variables that libraries use. Excludes all others, such as settings and tokens of the server.
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
    // libvips looks for its modules here. `Vips` loads the only one that is needed.
    environment["VIPSHOME"] = "/dev/null"
    environment.merge(additions) { $1 }
    return environment.map { "\($0)=\($1)" }
  }
}
