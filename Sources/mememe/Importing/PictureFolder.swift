import API
import Bytes
import Files
import Foundation
import Memes

/// A folder of pictures to import, with an optional list whose rows refer to them. Files outside of it are never read.
struct PictureFolder {
  /// The reason why the folder cannot be imported.
  struct Unusable: Error, CustomStringConvertible {
    let description: String
  }

  /// The maximum size of a list.
  private static let maximumListBytes = 1 << 30

  /// The path as the operator entered it, for messages.
  let path: String
  /// The path without symbolic links.
  private let root: String
  private let maximumBytes: Int

  /// - Parameter maximumBytes: the maximum size of a picture file.
  init(_ path: String, maximumBytes: Int) throws(Unusable) {
    guard let root = Self.realPath(path), Self.isFolder(root) else {
      throw Unusable(description: "\(path) does not exist or is not a folder")
    }
    (self.path, self.root, self.maximumBytes) = (path, root, maximumBytes)
  }

  /// - Parameter path: the path in the row.
  /// - Throws: ``RowFault`` if the folder has no such file, or the file is too large.
  func picture(at path: String) throws(RowFault) -> Bytes {
    let file = try open(path, maximumBytes: maximumBytes)
    guard !file.isEmpty else { throw RowFault("file", "The file is empty.") }
    return file
  }

  /// The list with this name; without a name, the only list in the folder.
  func list(named name: String?) throws(Unusable) -> (
    name: String, text: Bytes, kind: MemeList.Kind
  )? {
    let names = MemeList.Kind.allCases.map { "memes.\($0.rawValue)" }
    let found = name.map { [$0] } ?? names.filter { Self.realPath("\(root)/\($0)") != nil }
    guard let name = found.first else { return nil }
    guard found.count == 1 else {
      throw Unusable(
        description:
          "found \(found.joined(separator: " and ")) in \(path); choose one with --list"
      )
    }
    guard let kind = MemeList.Kind(rawValue: (name as NSString).pathExtension.lowercased()) else {
      throw Unusable(description: "\(name): the name of a list must end with .csv, .jsonl or .json")
    }
    do throws(RowFault) {
      return (name, try open(name, maximumBytes: Self.maximumListBytes), kind)
    } catch {
      throw Unusable(description: "\(name): \(error.reasons.map(\.message).joined(separator: " "))")
    }
  }

  /// A sorted list of every picture in the folder and its subfolders, selected by file extension. Hidden files are left
  /// out, and symbolic links are not followed.
  func listOfPictures() -> Bytes {
    let endings = Set(PictureFormat.allCases.map(\.rawValue) + ["jpg", "jpe"])
    let all = FileManager.default.enumerator(atPath: root)
    var paths: [String] = []
    while let path = all?.nextObject() as? String {
      let name = (path as NSString).lastPathComponent
      let type = all?.fileAttributes?[.type] as? FileAttributeType
      if name.hasPrefix(".") {
        if type == .typeDirectory { all?.skipDescendants() }
      } else if type == .typeRegular,
        endings.contains((name as NSString).pathExtension.lowercased())
      {
        paths.append(path)
      }
    }
    return MemeListText.list(ofFiles: paths.sorted())
  }

  /// The names of its subfolders, sorted. Hidden ones are left out, and symbolic links are not followed.
  func subfolders() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return names.filter { name in
      !name.hasPrefix(".")
        && FileStatus(of: "\(root)/\(name)", followingLinks: false)?.kind == .folder
    }.sorted()
  }

  /// Whether a regular file has this path in the folder.
  func has(_ path: String) -> Bool {
    FileStatus(of: "\(root)/\(path)", followingLinks: false)?.kind == .file
  }

  /// - Throws: ``RowFault`` if the folder has no such file, or the file is larger.
  func file(at path: String, maximumBytes: Int) throws(RowFault) -> Bytes {
    try open(path, maximumBytes: maximumBytes)
  }

  /// Writes a file into the folder; deletes it if `text` is `nil`.
  func replace(_ name: String, by text: Bytes?) throws(FileError) {
    guard let text else {
      unlink("\(root)/\(name)")
      return
    }
    try DurableFile.write(text, to: name, in: root)
  }

  private func open(_ path: String, maximumBytes: Int) throws(RowFault) -> Bytes {
    // Compares bytes, as the file system does: to Swift, a slash with a combining accent is another character.
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard path.utf8.first != UInt8(ascii: "/"),
      !parts.contains(where: { $0.elementsEqual("..".utf8) })
    else { throw RowFault("file", Self.leadsOut) }
    guard
      let real = Self.spellings(of: path).lazy.compactMap({ Self.realPath("\(root)/\($0)") }).first
    else { throw RowFault("file", "The file does not exist in the folder.") }
    guard real.utf8.starts(with: (root == "/" ? root : root + "/").utf8) else {
      throw RowFault("file", Self.leadsOut)
    }
    // O_NONBLOCK: opening a named pipe must not wait for a writer.
    let file = Foundation.open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw RowFault("file", Self.cannotBeRead) }
    defer { close(file) }
    guard let status = FileStatus(of: file), status.kind == .file else {
      throw RowFault("file", "Not a regular file.")
    }
    guard status.byteCount <= maximumBytes else {
      throw RowFault("file", "The file is larger than \(maximumBytes) bytes.")
    }
    let bytes = try Bytes(count: status.byteCount) { memory throws(RowFault) in
      var filled = 0
      while filled < memory.count {
        let count = read(file, memory.baseAddress?.advanced(by: filled), memory.count - filled)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw RowFault("file", Self.cannotBeRead) }
        filled += count
      }
    }
    guard let bytes else { throw RowFault("file", "Not enough memory for the file.") }
    return bytes
  }

  private static let leadsOut = "The path is outside the folder."
  private static let cannotBeRead = "The file cannot be read."

  /// Some file systems decompose accented characters in names, while lists have them composed, or the other way round.
  private static func spellings(of path: String) -> [String] {
    [path, path.precomposedStringWithCanonicalMapping, path.decomposedStringWithCanonicalMapping]
  }

  private static func realPath(_ path: String) -> String? {
    guard !path.utf8.contains(0), let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(validatingCString: real)
  }

  private static func isFolder(_ path: String) -> Bool {
    FileStatus(of: path)?.kind == .folder
  }
}
