public import Foundation

/// A picture file: JPEG, PNG, GIF or WebP, and AVIF or HEIC if the server supports them. The server detects the format.
public enum Picture: Sendable, Hashable {
  case data(Data)
  /// The file is copied before it is sent, and is never in memory as a whole.
  case file(URL)

  var part: SpooledFile.Part {
    switch self {
    case .data(let data): .data(data)
    case .file(let url): .file(url)
    }
  }

  /// A request body that consists of the file alone.
  func body() throws -> RequestBody {
    .file(try SpooledFile([part]), contentType: "application/octet-stream")
  }
}
