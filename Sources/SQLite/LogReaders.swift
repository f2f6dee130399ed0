import Bytes
import Foundation

/// Finds the processes that are reading from a database. Each reader locks a byte of the WAL index
/// (https://sqlite.org/walformat.html#wal_locks).
enum LogReaders {
  /// The bytes of WAL_READ_LOCK(0) to WAL_READ_LOCK(4).
  private static let bytes = 123...127

  /// The name of a process that reads, such as `sqlite3`. Other processes take precedence over this one.
  ///
  /// - Parameter list: the kernel's list of locks.
  static func name(ofDatabase path: String, in list: String = "/proc/locks") -> String {
    guard let readers = processes(reading: "\(path)-shm", in: list) else {
      return "an unknown process"
    }
    return readers.filter { $0 != getpid() }.min().map(name) ?? "this server"
  }

  /// Reads the kernel's list of locks. If this process opened and closed the file, it would lose its own locks.
  ///
  /// - Returns: `nil` if the list cannot be read, as in a service with `ProcSubset=pid`.
  private static func processes(reading path: String, in list: String) -> Set<Int32>? {
    guard let file = FileStatus(of: path),
      let locks = try? String(contentsOfFile: list, encoding: .utf8)
    else { return nil }
    return Set(
      locks.split(separator: "\n").compactMap { line in
        // 3: POSIX  ADVISORY  READ 1234 fe:00:5678 124 124
        let fields = line.split(separator: " ")
        guard fields.count == 8, fields[1] == "POSIX", fields[3] == "READ",
          // The device is not compared: on some file systems, it differs between the file's status and this list.
          fields[5].split(separator: ":").last.flatMap({ UInt64($0) }) == file.identity.number,
          let byte = Int(fields[6]), bytes.contains(byte)
        else { return nil }
        return Int32(fields[4])
      })
  }

  /// The program name of a process. For mememe, this includes the command.
  private static func name(_ process: Int32) -> String {
    let line = (try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline"))) ?? Data()
    let words = line.split(separator: 0).prefix(2).map { String(decoding: $0, as: UTF8.self) }
    guard let program = words.first?.split(separator: "/").last else { return "another process" }
    let name = program == "mememe" ? "mememe \(words.last ?? "")" : String(program)
    return String(name.filter { $0.isASCII && !$0.isNewline }.prefix(64))
  }
}
