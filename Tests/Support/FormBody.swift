import Foundation

/// A `multipart/form-data` body in the form that curl and browsers use.
package struct FormBody {
  package enum Part {
    case field(String, String)
    case rawField(String, [UInt8])
    case file(String, [UInt8], filename: String = "photo.jpg", type: String = "image/jpeg")
  }

  package static let boundary = "------------------------d74496d66958873e"

  package let bytes: [UInt8]
  private let boundary: String

  package init(_ parts: [Part], boundary: String = Self.boundary) {
    self.boundary = boundary
    var bytes: [UInt8] = []
    for part in parts {
      bytes += "--\(boundary)\r\nContent-Disposition: form-data; ".utf8
      switch part {
      case .field(let name, let text):
        bytes += "name=\"\(name)\"\r\n\r\n\(text)".utf8
      case .rawField(let name, let content):
        bytes += "name=\"\(name)\"\r\n\r\n".utf8
        bytes += content
      case .file(let name, let content, let filename, let type):
        bytes += "name=\"\(name)\"; filename=\"\(filename)\"\r\nContent-Type: \(type)\r\n\r\n".utf8
        bytes += content
      }
      bytes += "\r\n".utf8
    }
    bytes += "--\(boundary)--\r\n".utf8
    self.bytes = bytes
  }

  package var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  package static let contentType = "multipart/form-data; boundary=\(boundary)"
}
