import CHelpers
import Foundation
import Imaging
import Rendering

/// The process that draws for a server. It performs one job after another until the server exits.
package enum DrawingHelper {
  /// The version of libvips, such as `8.14.1`.
  package static var libraryVersion: String { Vips.version }

  /// - Parameter arguments: the arguments of a ``HelperProgram``.
  package static func run(_ arguments: [String]) -> Never {
    mememe_follow_parent()
    mememe_keep_freed_memory()
    guard arguments.count == 5, let shelfBytes = Int(arguments[1]),
      let memoryBytes = UInt64(arguments[2]),
      let demand = Confinement.Demand(rawValue: arguments[3]), let desk = HelperConnection()
    else { exit(2) }
    mememe_bound_process(memoryBytes)
    // Fonts must be added before the first font lookup.
    if !arguments[4].isEmpty { _ = AddedFont.add(folder: arguments[4]) }
    var confinement: Confinement = []
    // A second thread would not be confined, so confine the process before one starts.
    if demand != .off, confineFiles() { confinement.insert(.files) }
    let drawer = WorkerDrawer(shelfBytes: shelfBytes)
    drawer.warmUp()
    if demand != .off {
      // Libraries load some of their parts on first use. The rehearsal loads them before system calls are restricted.
      LibraryWarmUp.run()
      FreedMemory.giveBack()
      if mememe_confine_calls() != 0 { confinement.insert(.calls) }
    }
    desk.serve(drawer, confinement)
    exit(0)
  }

  /// - Returns: whether the kernel enforces the rules: a file that all users may read can no longer be read.
  private static func confineFiles() -> Bool {
    let system = [
      "/usr/lib", "/usr/lib64", "/usr/share", "/usr/local/lib", "/usr/local/share", "/lib",
      "/lib64", "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime", "/proc/cpuinfo",
      "/proc/meminfo", "/proc/sys/vm/overcommit_memory", "/sys/devices/system/cpu",
      "/sys/fs/cgroup", "/dev/urandom",
    ]
    let known = "/etc/passwd"
    guard mememe_reaches(known) != 0 else { return false }
    var places = (system + FontconfigPaths.all).map { UnsafePointer(strdup($0)) }
    defer { for place in places { free(UnsafeMutableRawPointer(mutating: place)) } }
    return mememe_confine_files(&places, Int32(places.count)) != 0 && mememe_reaches(known) == 0
  }
}
