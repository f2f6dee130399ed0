import Foundation

/// Why something could not be done with a file.
package enum FileFailure: Error, Equatable {
  /// The disk has not so much room as is needed, which was seen before anything was written.
  case noRoom(neededBytes: Int64, freeBytes: Int64)
  /// A system call failed, with this error number.
  case failed(call: String, path: String, errno: Int32)

  /// - Parameter error: what the system said last, unless it is told.
  init(_ call: String, _ path: String, _ error: Int32 = errno) {
    self = .failed(call: call, path: path, errno: error)
  }

  package var isForWantOfDisk: Bool {
    switch self {
    case .noRoom: true
    case .failed(_, _, let error): error == ENOSPC || error == EDQUOT
    }
  }
}

extension FileFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noRoom(let needed, let free):
      "\(Self.megabytes(needed)) MB are needed and \(Self.megabytes(free)) MB are free"
    case .failed(let call, let path, let error):
      "\(call) \(path): \(String(cString: strerror(error)))"
    }
  }

  private static func megabytes(_ bytes: Int64) -> Int64 { (bytes + 999_999) / 1_000_000 }
}
