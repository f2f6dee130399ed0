package import Foundation

/// An archive as read by Python's zipfile, which verifies its checksums.
package struct Unzipped: Decodable {
  package struct File: Decodable, Equatable {
    package let name: String
    package let content: Data
    /// Year, month, day, hour, minute, second.
    package let date: [Int]

    package init(_ name: String, _ content: Data, _ date: [Int]) {
      (self.name, self.content, self.date) = (name, content, date)
    }
  }

  package let files: [File]

  /// Reads an archive from a file.
  package init(file: String) throws {
    self = try JSONDecoder().decode(Self.self, from: try Python.run(Self.program, file))
  }

  /// Reads an archive through a temporary file.
  package init(_ archive: [UInt8]) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).zip")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(archive).write(to: file)
    try self.init(file: file.path)
  }

  private static let program = """
    import base64, json, sys, zipfile
    with zipfile.ZipFile(sys.argv[1]) as archive:
        assert archive.testzip() is None
        json.dump({"files": [{
            "name": entry.filename, "date": list(entry.date_time),
            "content": base64.b64encode(archive.read(entry)).decode(),
        } for entry in archive.infolist()]}, sys.stdout)
    """
}
