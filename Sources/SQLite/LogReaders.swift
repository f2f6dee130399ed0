import Bytes
import Foundation

/// The processes that read from a database now, as far as the system knows: each reader has a lock on a byte of the log's index
/// (https://sqlite.org/walformat.html#wal_locks).
enum LogReaders {
  /// The bytes of WAL_READ_LOCK(0) to WAL_READ_LOCK(4).
  private static let bytes = 123...127

  /// The name of a process that reads, another one before this; such as `sqlite3`.
  static func name(ofDatabase path: String) -> String {
    let others = processes(reading: "\(path)-shm").filter { $0 != getpid() }
    return others.min().map(name) ?? "this server"
  }

  /// From the kernel's list: to open the file here would give up the locks of this process when it is closed.
  static func processes(reading path: String) -> Set<Int32> {
    guard let file = FileStatus(of: path),
      let locks = try? String(contentsOfFile: "/proc/locks", encoding: .utf8)
    else { return [] }
    return Set(
      locks.split(separator: "\n").compactMap { line in
        // 3: POSIX  ADVISORY  READ 1234 fe:00:5678 124 124
        let fields = line.split(separator: " ")
        guard fields.count == 8, fields[1] == "POSIX", fields[3] == "READ",
          // Not the device too: some file systems tell one here and another one there.
          fields[5].split(separator: ":").last.flatMap({ UInt64($0) }) == file.identity.number,
          let byte = Int(fields[6]), bytes.contains(byte)
        else { return nil }
        return Int32(fields[4])
      })
  }

  /// What a process was started as: the name of its program, and of mememe also the command.
  private static func name(_ process: Int32) -> String {
    let line = (try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline"))) ?? Data()
    let words = line.split(separator: 0).prefix(2).map { String(decoding: $0, as: UTF8.self) }
    guard let program = words.first?.split(separator: "/").last else { return "another process" }
    let name = program == "mememe" ? "mememe \(words.last ?? "")" : String(program)
    return String(name.filter { $0.isASCII && !$0.isNewline }.prefix(64))
  }
}
