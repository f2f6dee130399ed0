import CHelpers
import Foundation
import Imaging
import Rendering

/// What a process does that draws for a server: one job after the other, until the server is gone.
package enum DrawingHelper {
  /// The version of libvips, such as `8.14.1`.
  package static var libraryVersion: String { Vips.version }

  /// - Parameter arguments: those of a ``HelperProgram``.
  package static func run(_ arguments: [String]) -> Never {
    mememe_follow_parent()
    mememe_keep_freed_memory()
    guard arguments.count == 4, let shelfBytes = Int(arguments[1]),
      let memoryBytes = UInt64(arguments[2]), let desk = HelperDesk()
    else { exit(2) }
    mememe_bound_process(memoryBytes)
    // Before the first look for a font.
    if !arguments[3].isEmpty { _ = AddedFont.add(folder: arguments[3]) }
    let drawer = WorkerDrawer(shelfBytes: shelfBytes)
    drawer.warmUp()
    desk.serve(drawer)
    exit(0)
  }
}
