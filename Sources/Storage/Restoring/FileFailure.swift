import Files
import Foundation

/// The reason why a file operation failed.
package enum FileFailure: Error, Equatable {
  /// The disk has too little free space. This was detected before anything was written.
  case noRoom(neededBytes: Int64, freeBytes: Int64)
  /// A system call failed with this error number.
  case failed(call: String, path: String, errno: Int32)

  /// - Parameter error: the error number; by default, the last one of this thread.
  init(_ call: String, _ path: String, _ error: Int32 = errno) {
    self = .failed(call: call, path: path, errno: error)
  }

  init(_ error: FileError) {
    self = .failed(call: error.call, path: error.path, errno: error.errno)
  }

  package var isDiskFull: Bool {
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
