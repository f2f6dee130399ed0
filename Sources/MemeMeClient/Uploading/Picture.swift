public import Foundation

/// A picture's file: JPEG, PNG, GIF or WebP. The server tells the kind by its bytes.
public enum Picture: Sendable, Hashable {
  case data(Data)
  /// The file is copied before it is sent, and never in memory as a whole.
  case file(URL)

  var part: SpooledFile.Part {
    switch self {
    case .data(let data): .data(data)
    case .file(let url): .file(url)
    }
  }

  /// The file alone, as it is.
  func body() throws -> RequestBody {
    .file(try SpooledFile([part]), contentType: "application/octet-stream")
  }
}
