import Bytes
import CHelpers
import Foundation
import Synchronization

/// The server's side of a helper process. Use it on one thread at a time.
final class HelperProcess: Sendable {
  /// The bytes of output memory that are kept between jobs.
  static let keptBytes = 4 << 20

  let input: HelperInput
  /// The server never maps it, so that the process cannot change or shorten what the server is reading.
  let output: HelperMemory
  private let socket: Int32
  let process: pid_t
  private let isOver = Mutex(false)

  /// Starts the process. It ends with the calling thread.
  init(_ program: HelperProgram) throws(HelperFailure) {
    var ends: [Int32] = [-1, -1]
    guard mememe_socket_pair(&ends) == 0 else { throw .system("socketpair", errno) }
    defer { close(ends[1]) }
    var opened = [ends[0]]
    do throws(HelperFailure) {
      input = try HelperInput()
      let reader = try input.openReader()
      defer { close(reader) }
      output = try HelperMemory(named: "mememe-output")
      opened.append(output.descriptor)
      process = try Self.start(program, [ends[1], reader, output.descriptor])
    } catch {
      for descriptor in opened { close(descriptor) }
      throw error
    }
    socket = ends[0]
  }

  deinit { end(within: 0) }

  private static func start(
    _ program: HelperProgram, _ descriptors: [Int32]
  ) throws(HelperFailure) -> pid_t {
    var arguments = program.arguments.map { strdup($0) } + [nil]
    var environment = program.environment.map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var process = pid_t()
    let failure = mememe_spawn(
      program.path, &arguments, &environment, descriptors, program.showsErrors ? 1 : 0, &process)
    guard failure == 0 else { throw .system("posix_spawn", failure) }
    return process
  }

  func send(_ message: HelperMessage) throws(HelperFailure) {
    #if os(Linux)
      let flags = Int32(MSG_NOSIGNAL)
    #else
      let flags: Int32 = 0
    #endif
    let bytes = message.bytes
    let count = bytes.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, flags) }
    // A message is small enough to be sent completely, unless the process has ended.
    if count != bytes.count { throw .ended(signal: end(within: 1)) }
  }

  /// Whether the process appears to wait for a job: it has neither ended nor sent an unexpected message.
  var isWaiting: Bool {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 0
  }

  /// Waits for a message.
  ///
  /// - Returns: `nil` if no message arrives in time.
  func receive(within time: Duration) throws(HelperFailure) -> HelperMessage? {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    let milliseconds = max(0, Int32(clamping: Int64((time / .milliseconds(1)).rounded(.up))))
    let found = poll(&entry, 1, milliseconds)
    guard found >= 0 else {
      if errno == EINTR { return nil }
      throw .system("poll", errno)
    }
    guard found > 0 else { return nil }
    let bytes = HelperMessage.receiveBytes(from: socket)
    guard !bytes.isEmpty else { throw .ended(signal: end(within: 1)) }
    do { return try HelperMessage(bytes) } catch { throw .broken }
  }

  /// Waits until the process has loaded its libraries and fonts.
  ///
  /// - Returns: the confinement that is then in force.
  func waitUntilReady(
    by deadline: ContinuousClock.Instant
  ) throws(HelperFailure) -> Confinement {
    while true {
      if let message = try receive(within: max(.zero, deadline - .now)) {
        if message.kind == .ready { return message.confinement }
        end(within: 0)
        throw .broken
      }
      if ContinuousClock.now >= deadline {
        end(within: 0)
        throw .notReady
      }
    }
  }

  /// Ends the process. Kills it if it does not exit by itself in time.
  ///
  /// - Returns: the signal that ended it; 0 if it exited by itself, or had ended before.
  @discardableResult
  func end(within seconds: Double) -> Int32 {
    isOver.withLock { isOver in
      guard !isOver else { return 0 }
      isOver = true
      close(socket)
      defer { close(output.descriptor) }
      return Self.reap(process, within: seconds)
    }
  }

  private static func reap(_ process: pid_t, within seconds: Double) -> Int32 {
    var status: Int32 = 0
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
      switch waitpid(process, &status, WNOHANG) {
      case process: return status & 0x7F
      // Only waitpid reports the end of a process, so poll it.
      case 0 where ContinuousClock.now < deadline: usleep(1000)
      case -1 where errno == EINTR: continue
      case -1: return 0
      default:
        kill(process, SIGKILL)
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F
      }
    }
  }
}
