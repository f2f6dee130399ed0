import Bytes
import Dispatch
import Foundation
import Synchronization

/// Buffers lines for a file descriptor and writes them in batches, on a separate queue.
///
/// Callers never wait for the reader. If the reader is too slow, lines are buffered up to a limit; lines beyond it are
/// dropped and counted. Safe to use from any thread.
final class LogOutput: Sendable {
  /// The maximum time that a line waits for further lines.
  private static let gathering = DispatchTimeInterval.milliseconds(50)
  /// Once this many bytes are buffered, they are written at once.
  private static let fullBytes = 64 << 10
  /// The maximum number of bytes buffered behind those that are being written.
  private static let maximumBytes = 2 << 20
  /// The number of bytes that a ready pipe accepts without blocking (POSIX, PIPE_BUF: at least 512; 4096 on Linux).
  private static let pipeBytes = 4096

  private struct State {
    var lines: [UInt8] = []
    /// The lines dropped since the last line that reported dropped lines.
    var lostLines = 0
    var allLostLines = 0
    var flush = Flush.none
  }

  /// The bytes that are being written.
  private struct Outgoing {
    var lines: [UInt8] = []
    var writtenBytes = 0

    var isWritten: Bool { writtenBytes == lines.count }
  }

  /// Whether a write is scheduled on the queue, and when.
  private enum Flush { case none, later, now }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "log")
  private let descriptor: Int32
  /// The maximum number of bytes of one write.
  private let pieceBytes: Int
  private let noteOfLoss: @Sendable (Int) -> [UInt8]
  // Used on `queue` only.
  nonisolated(unsafe) private var outgoing = Outgoing()

  /// - Parameter noteOfLoss: makes the line that reports the number of dropped lines.
  init(descriptor: Int32, noteOfLoss: @escaping @Sendable (Int) -> [UInt8]) {
    pieceBytes = FileStatus(of: descriptor)?.kind == .file ? .max : Self.pipeBytes
    (self.descriptor, self.noteOfLoss) = (descriptor, noteOfLoss)
  }

  /// The number of lines dropped since `init`.
  var lostLines: Int { state.withLock { $0.allLostLines } }

  /// Appends a line, without the newline at its end.
  ///
  /// - Parameter atOnce: whether to write the line without waiting for further lines.
  func append(_ line: UnsafeRawBufferPointer, atOnce: Bool) {
    let wanted = state.withLock { state -> Flush in
      guard state.lines.count + line.count <= Self.maximumBytes else {
        state.lostLines += 1
        state.allLostLines += 1
        return .none
      }
      state.lines.append(contentsOf: line)
      state.lines.append(UInt8(ascii: "\n"))
      let wanted: Flush = atOnce || state.lines.count >= Self.fullBytes ? .now : .later
      guard state.flush == .none || state.flush == .later && wanted == .now else { return .none }
      state.flush = wanted
      return wanted
    }
    switch wanted {
    case .none: break
    case .later: writeLater()
    case .now: queue.async { self.writeGathered() }
    }
  }

  /// Writes all buffered lines, but gives up if the reader accepts nothing for this long.
  func flush(patienceMilliseconds: Int32) {
    queue.sync {
      repeat {
        guard writeOutgoing(patienceMilliseconds: patienceMilliseconds) else { return }
      } while takeLines()
    }
  }

  private func writeLater() {
    queue.asyncAfter(deadline: .now() + Self.gathering) { self.writeGathered() }
  }

  /// Writes the lines buffered so far. Lines that arrive during the write are buffered for the next one.
  private func writeGathered() {
    guard writeOutgoing(patienceMilliseconds: 0) else { return tryAgain() }
    guard takeLines() else { return }
    if !writeOutgoing(patienceMilliseconds: 0) { tryAgain() }
  }

  private func tryAgain() {
    // Prevents `append` from scheduling another write.
    state.withLock { $0.flush = .now }
    writeLater()
  }

  /// Moves the buffered lines to `outgoing`, once all earlier ones are written.
  ///
  /// - Returns: whether there is something to write.
  private func takeLines() -> Bool {
    state.withLock { state in
      state.flush = .none
      guard !state.lines.isEmpty || state.lostLines > 0 else { return false }
      swap(&state.lines, &outgoing.lines)
      if state.lostLines > 0 {
        outgoing.lines += noteOfLoss(state.lostLines) + [UInt8(ascii: "\n")]
      }
      state.lostLines = 0
      return true
    }
  }

  /// - Returns: whether everything is written. If not, a later attempt may succeed, because the reader continues or the
  ///   disk has space again.
  private func writeOutgoing(patienceMilliseconds: Int32) -> Bool {
    while !outgoing.isWritten {
      var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&state, 1, patienceMilliseconds) > 0 else { return false }
      let count = outgoing.lines[outgoing.writtenBytes...].prefix(pieceBytes).withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 || errno == EINTR else { return false }
      outgoing.writtenBytes += max(count, 0)
    }
    outgoing.lines.removeAll(keepingCapacity: true)
    outgoing.writtenBytes = 0
    return true
  }
}
