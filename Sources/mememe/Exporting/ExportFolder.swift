import API
import Bytes
import Files
import Foundation
import Memes
import Synchronization

/// The folder that ``MemeExport`` fills: a new one, or one that an earlier run of the same export began. Safe to use
/// from any thread, except for the list.
///
/// A file in it, `mememe-export.json`, describes the export. It is locked while an export runs.
final class ExportFolder: Sendable {
  /// The reason why an export cannot use the folder.
  struct Unusable: Error, CustomStringConvertible {
    let description: String
  }

  private static let mark = "mememe-export.json"
  private static let folders = ["pictures", "memes"]

  private let path: String
  private let text: MemeListText
  private let disk: DiskReserve
  private let digest: Digester
  private let lock: Int32
  // Accessed only by the task of MemeExport.run, in list() and finish(). Its child tasks call only holds() and write().
  nonisolated(unsafe) private var list: DurableFile?

  /// - Parameters:
  ///   - author: exports only the memes of this author; `nil` exports all memes.
  ///   - disk: nothing is written without this reserve of free space, because a server may use the same disk.
  ///   - digest: compares existing files with the pictures.
  init(
    _ path: String, of author: Username?, as text: MemeListText, disk: DiskReserve,
    digest: @escaping Digester
  ) throws {
    (self.path, self.text, self.disk, self.digest) = (path, text, disk, digest)
    let mark = Self.markText(author, text)
    try Self.make(path)
    let names = try Self.names(in: path)
    let found = try? String(contentsOfFile: "\(path)/\(Self.mark)", encoding: .utf8)
    guard names.isEmpty || found == mark || names == [Self.mark] && found == "" else {
      throw Unusable(
        description:
          "\(path) is not empty and belongs to no export with these options; choose a new folder")
    }
    lock = open("\(path)/\(Self.mark)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw FileError("open", Self.mark) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      throw Unusable(description: "another export is writing to \(path)")
    }
    // Written in place: a new file under the same name would not be locked.
    let count = mark.withCString { pwrite(lock, $0, strlen($0), 0) }
    guard count == mark.utf8.count else { throw FileError("write", Self.mark) }
    try Files.sync(lock, path: Self.mark)
    for folder in Self.folders { try Self.make("\(path)/\(folder)") }
    let list = try DurableFile(text.fileName, in: path)
    try list.append(text.head)
    self.list = list
  }

  deinit {
    flock(lock, LOCK_UN)
    close(lock)
  }

  /// Whether the folder already has this file, with the same size and digest.
  func holds(_ facts: PictureFacts, at path: String) throws -> Bool {
    let path = "\(self.path)/\(path)"
    guard let status = FileStatus(of: path, followingLinks: false), status.kind == .file,
      status.byteCount == facts.byteCount,
      let data = try? Data(contentsOf: URL(filePath: path))
    else { return false }
    return digest(data.withUnsafeBytes { Bytes(copying: $0) }) == facts.digest
  }

  /// Writes a file completely or not at all.
  func write(_ bytes: Bytes, at path: String) throws {
    guard disk.hasRoom(at: self.path) else { throw MemeError.storageFull }
    try DurableFile.write(bytes, to: path, in: self.path)
  }

  /// Appends a row to the list. Called by one task, in the order of the list.
  func list(_ meme: Meme, _ paths: MemeListText.Paths) throws {
    try list?.append(text.row(meme, paths))
  }

  /// Makes all files durable, then the list. Afterwards, deletes the pictures of memes that are not in `paths`.
  ///
  /// - Parameter damaged: the memes of which an earlier export may have intact files. They stay.
  func finish(keeping paths: Set<String>, damaged: Set<MemeID>) throws {
    for folder in Self.folders { try Files.sync("\(path)/\(folder)") }
    try list?.finish()
    list = nil
    try Files.sync(path)
    // Deletes pictures of memes that were deleted since an earlier export. Other files do not belong to the
    // export and stay.
    for folder in Self.folders {
      for name in try Self.names(in: "\(path)/\(folder)") where !paths.contains("\(folder)/\(name)")
      {
        guard let id = Self.meme(of: name), !damaged.contains(id) else { continue }
        unlink("\(path)/\(folder)/\(name)")
      }
    }
  }

  /// The meme that a file belongs to: `ID.jpg`, or `ID-1.png` for the picture of a box.
  private static func meme(of name: String) -> MemeID? {
    let stem = name.prefix { $0 != "." }
    return MemeID(String(stem)) ?? stem.lastIndex(of: "-").flatMap { MemeID(String(stem[..<$0])) }
  }

  private static func markText(_ author: Username?, _ text: MemeListText) -> String {
    let author = author.map { "\"\($0)\"" } ?? "null"
    return "{\"format\": 1, \"author\": \(author), \"list\": \"\(text.fileName)\"}\n"
  }

  private static func make(_ path: String) throws(FileError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileError("mkdir", path) }
  }

  private static func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path)
  }
}
