#if os(Linux)
  import Foundation
  import Support
  import Synchronization

  /// A machine with controlled faults around one server process: in its disk, memory, clock and power.
  ///
  /// `Tests/FaultyMachine` is the library that the process loads.
  final class FaultyMachine: Sendable {
    struct Calls: OptionSet, Hashable {
      let rawValue: Int32
      static let open = Calls(rawValue: 1)
      static let read = Calls(rawValue: 2)
      static let write = Calls(rawValue: 4)
      static let sync = Calls(rawValue: 8)
      static let truncate = Calls(rawValue: 16)
      /// Calls that make a hard link.
      static let link = Calls(rawValue: 32)
      /// All calls that change something.
      static let changes: Calls = [.open, .write, .sync, .truncate]
    }

    struct Files: OptionSet, Hashable {
      let rawValue: Int32
      static let database = Files(rawValue: 1)
      static let wal = Files(rawValue: 2)
      static let shm = Files(rawValue: 4)
      static let journal = Files(rawValue: 8)
      static let spool = Files(rawValue: 16)
      static let other = Files(rawValue: 32)
      static let all = Files(rawValue: 127)
    }

    enum Action: Int32 {
      /// The call fails and does nothing.
      case fail
      /// A write writes its first half, and then fails.
      case tear
      /// A sync fails, and its data is lost.
      case forget
      /// The process is killed. A write first writes its first half.
      case kill
    }

    /// What happens to unsynced writes when the process is killed.
    enum Power: Equatable {
      /// The machine keeps running, with its memory.
      case stays
      /// All of them are lost at the next start. With a seed, only some parts of some of them are lost.
      case goes(keeping: UInt64?)
    }

    let folder: URL
    private let control: FileHandle

    /// - Parameter folder: the folder for the files of the machine, which is created.
    init(in folder: URL) throws {
      self.folder = folder
      try FileManager.default.createDirectory(
        at: folder.appending(path: "undo"), withIntermediateDirectories: true)
      let path = folder.appending(path: "control")
      try Data(count: 4 * Slot.allCases.count).write(to: path)
      control = try FileHandle(forUpdating: path)
    }

    /// The environment variables that the server's process needs to run on this machine.
    func environment(data: URL, power: Power = .stays) -> [String: String] {
      var environment = [
        "LD_PRELOAD": ServerProcess.product("libFaultyMachine.so").path,
        "FAULTY_FOLDER": data.path, "FAULTY_CONTROL": folder.appending(path: "control").path,
      ]
      if case .goes(let seed) = power {
        environment["FAULTY_UNDO"] = folder.appending(path: "undo").path
        environment["FAULTY_KEEP"] = String(seed ?? 0)
      }
      return environment
    }

    /// Makes some calls fail from now on.
    ///
    /// - Parameters:
    ///   - skip: the number of calls that succeed first.
    ///   - times: the number of calls that fail then, or `nil` for all of them.
    func fail(
      _ calls: Calls, on files: Files = .all, after skip: Int = 0, times: Int? = nil,
      _ action: Action = .fail, _ error: Int32 = EIO
    ) {
      // Nothing is counted until all fields are set.
      set(.calls, 0)
      set(.files, files.rawValue)
      set(.skip, Int32(skip))
      set(.times, Int32(times ?? -1))
      set(.action, action.rawValue)
      set(.error, error)
      set(.seen, 0)
      set(.failed, 0)
      set(.calls, calls.rawValue)
    }

    /// Ends all faults.
    func mend() {
      set(.calls, 0)
      set(.largestAllocation, 0)
      set(.largeAllocations, 0)
    }

    /// The number of calls that failed since the last ``fail(_:on:after:times:_:_:)``.
    var failed: Int { Int(get(.failed)) }

    /// The number of calls that were counted since then.
    var seen: Int { Int(get(.seen)) }

    /// Makes larger allocations fail.
    func limitAllocations(bytes: Int) { set(.largestAllocation, Int32(bytes)) }

    /// Makes allocations of 256 KiB or more fail if their total would exceed the current total by more than this size.
    func limitLargeAllocations(spareBytes bytes: Int) {
      set(.refused, 0)
      set(.largeAllocations, get(.taken) + Int32(bytes))
    }

    /// Whether the machine sees the allocations of the process. It does not under a sanitizer, which has its own
    /// allocator.
    var seesAllocations: Bool { Int(get(.taken)) > 0 }

    /// The number of allocations that failed since the last ``limitLargeAllocations(spareBytes:)``.
    var refusedAllocations: Int { Int(get(.refused)) }

    /// Sets the wall clock forward or back.
    func setClock(aheadSeconds seconds: Int) { set(.clockSeconds, Int32(seconds)) }

    private enum Slot: Int, CaseIterable {
      case calls, files, skip, times, action, error, seen, failed, largestAllocation, clockSeconds
      case largeAllocations, taken, refused
    }

    private func set(_ slot: Slot, _ value: Int32) {
      withUnsafeBytes(of: value) {
        _ = pwrite(control.fileDescriptor, $0.baseAddress, $0.count, off_t(4 * slot.rawValue))
      }
    }

    private func get(_ slot: Slot) -> Int32 {
      var value: Int32 = 0
      withUnsafeMutableBytes(of: &value) {
        _ = pread(control.fileDescriptor, $0.baseAddress, $0.count, off_t(4 * slot.rawValue))
      }
      return value
    }
  }
#endif
