import Bytes
import Dispatch
import Foundation
import Synchronization

/// Gathers lines for a file descriptor and writes many of them at once, on a queue of its own.
///
/// Who logs never waits for who reads: where nobody takes what is written, lines are kept up to a bound, and those
/// beyond it are lost and counted. Safe to use from any thread.
final class LogOutput: Sendable {
  /// How long a line may wait for others.
  private static let gathering = DispatchTimeInterval.milliseconds(50)
  /// So much is written without waiting for more.
  private static let fullBytes = 64 << 10
  /// The most that waits behind what is being written.
  private static let maximumBytes = 2 << 20
  /// What a pipe that is ready takes without waiting (POSIX, PIPE_BUF: at least 512; 4096 on Linux).
  private static let pipeBytes = 4096

  private struct State {
    var lines: [UInt8] = []
    /// Since the note that told of others.
    var lostLines = 0
    var allLostLines = 0
    var flush = Flush.none
  }

  /// What is being written.
  private struct Outgoing {
    var lines: [UInt8] = []
    var writtenBytes = 0

    var isWritten: Bool { writtenBytes == lines.count }
  }

  /// Whether somebody has asked the queue to write.
  private enum Flush { case none, later, now }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "log")
  private let descriptor: Int32
  /// The most that is written at once.
  private let pieceBytes: Int
  private let noteOfLoss: @Sendable (Int) -> [UInt8]
  // Used on `queue` only.
  nonisolated(unsafe) private var outgoing = Outgoing()

  /// - Parameter noteOfLoss: makes the line that tells how many were lost.
  init(descriptor: Int32, noteOfLoss: @escaping @Sendable (Int) -> [UInt8]) {
    pieceBytes = FileStatus(of: descriptor)?.kind == .file ? .max : Self.pipeBytes
    (self.descriptor, self.noteOfLoss) = (descriptor, noteOfLoss)
  }

  /// How many lines found no room, since it was made.
  var lostLines: Int { state.withLock { $0.allLostLines } }

  /// Takes a line, without the newline at its end.
  ///
  /// - Parameter atOnce: whether it goes out without waiting for others.
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

  /// Writes everything that was taken, unless nobody reads it for so long.
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

  /// Writes what was gathered so far. What comes meanwhile gathers again.
  private func writeGathered() {
    guard writeOutgoing(patienceMilliseconds: 0) else { return tryAgain() }
    guard takeLines() else { return }
    if !writeOutgoing(patienceMilliseconds: 0) { tryAgain() }
  }

  private func tryAgain() {
    // Nobody else asks while that is so.
    state.withLock { $0.flush = .now }
    writeLater()
  }

  /// Makes what was gathered the next to be written, once everything before it is.
  ///
  /// - Returns: whether there is something.
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

  /// - Returns: whether all of it is written. Else it is worth another try: somebody reads again, or the disk has room.
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
