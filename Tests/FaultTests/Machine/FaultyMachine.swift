#if os(Linux)
  import Foundation
  import Support
  import Synchronization

  /// A machine that fails as it is told, around one server process: its disk, its memory, its clock, its power.
  ///
  /// `Tests/FaultyMachine` is the part that is loaded into the process.
  final class FaultyMachine: Sendable {
    struct Calls: OptionSet, Hashable {
      let rawValue: Int32
      static let open = Calls(rawValue: 1)
      static let read = Calls(rawValue: 2)
      static let write = Calls(rawValue: 4)
      static let sync = Calls(rawValue: 8)
      static let truncate = Calls(rawValue: 16)
      /// All that changes something.
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
      /// A write does its first half, and fails.
      case tear
      /// A sync fails, and what it should have kept is gone.
      case forget
      /// The process is killed; a write does its first half before.
      case kill
    }

    /// What becomes of writes that were not synced when the process is killed.
    enum Power: Equatable {
      /// The machine goes on, and its memory with it.
      case stays
      /// All of them are lost at the next start; with a seed, some parts of some.
      case goes(keeping: UInt64?)
    }

    let folder: URL
    private let control: FileHandle

    /// - Parameter folder: gets the files of the machine; it is made.
    init(in folder: URL) throws {
      self.folder = folder
      try FileManager.default.createDirectory(
        at: folder.appending(path: "undo"), withIntermediateDirectories: true)
      let path = folder.appending(path: "control")
      try Data(count: 4 * Slot.allCases.count).write(to: path)
      control = try FileHandle(forUpdating: path)
    }

    /// What the server's process needs in its environment to run on this machine.
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

    /// From now on some calls fail.
    ///
    /// - Parameters:
    ///   - skip: so many of them succeed first.
    ///   - times: so many fail then; all where it is `nil`.
    func fail(
      _ calls: Calls, on files: Files = .all, after skip: Int = 0, times: Int? = nil,
      _ action: Action = .fail, _ error: Int32 = EIO
    ) {
      // Nothing counts until all is set.
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

    /// Nothing fails any more.
    func mend() {
      set(.calls, 0)
      set(.largestAllocation, 0)
      set(.largeAllocations, 0)
    }

    /// How many calls failed since the last ``fail(_:on:after:times:_:_:)``.
    var failed: Int { Int(get(.failed)) }

    /// How many calls counted since then.
    var seen: Int { Int(get(.seen)) }

    /// Allocations of more than this fail.
    func limitAllocations(bytes: Int) { set(.largestAllocation, Int32(bytes)) }

    /// Allocations of 256 KiB or more fail where all of them together would have so much more than they have now.
    func limitLargeAllocations(spareBytes bytes: Int) {
      set(.refused, 0)
      set(.largeAllocations, get(.taken) + Int32(bytes))
    }

    /// Whether it sees the process's allocations: under a sanitizer, which has its own, it does not.
    var seesAllocations: Bool { Int(get(.taken)) > 0 }

    /// How many allocations failed since the last ``limitLargeAllocations(spareBytes:)``.
    var refusedAllocations: Int { Int(get(.refused)) }

    /// Puts the wall clock forward, or back.
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
