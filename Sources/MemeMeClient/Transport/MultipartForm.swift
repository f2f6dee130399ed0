import Foundation

/// The fields of a form in the format `multipart/form-data` (RFC 7578).
struct MultipartForm {
  private let boundary = "mememe-\(UUID().uuidString.lowercased())"
  private var parts: [SpooledFile.Part] = []

  /// Adds a field, unless the value is `nil`.
  mutating func add(_ name: String, _ value: (some CustomStringConvertible)?) {
    guard let value else { return }
    parts.append(.data(Data("\(head(name))\r\n\r\n\(value)\r\n".utf8)))
  }

  /// Adds a field with JSON text, unless the value is `nil`.
  mutating func add(_ name: String, json value: (some Encodable)?) throws {
    add(
      name,
      try value.map { String(decoding: try JSONEncoder.mememe.encode($0), as: UTF8.self) })
  }

  mutating func add(_ name: String, picture: Picture) {
    let type = "\r\nContent-Type: application/octet-stream"
    parts.append(.data(Data("\(head(name)); filename=\"picture\"\(type)\r\n\r\n".utf8)))
    parts.append(picture.part)
    parts.append(.data(Data("\r\n".utf8)))
  }

  /// Writes the form into a file.
  func body() throws -> RequestBody {
    let end = SpooledFile.Part.data(Data("--\(boundary)--\r\n".utf8))
    return .file(
      try SpooledFile(parts + [end]), contentType: "multipart/form-data; boundary=\(boundary)")
  }

  private func head(_ name: String) -> String {
    "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\""
  }
}
