import Bytes
import CHelpers
import Foundation
import Memes
import Rendering

/// The helper's end of the socket and the memory that it shares with the server.
struct HelperConnection {
  private let socket = Int32(MEMEME_HELPER_SOCKET)
  private let inputDescriptor = Int32(MEMEME_HELPER_INPUT)
  private let output = HelperMemory(descriptor: Int32(MEMEME_HELPER_OUTPUT))
  /// After a job that claimed more memory than this, freed memory is returned to the system at once.
  private static let keptBytes = 160 << 20
  /// A mapping of the beginning of the input, which is enough for most jobs.
  private let input: Bytes

  /// - Returns: `nil` if no server has passed an input to this process.
  init?() {
    guard let count = FileStatus(of: inputDescriptor)?.byteCount,
      let input = Self.map(inputDescriptor, count)
    else { return nil }
    self.input = input
  }

  /// Maps the first bytes of the input. They are unmapped when the last reference to them is released.
  private static func map(_ descriptor: Int32, _ count: Int) -> Bytes? {
    guard count > 0, let start = mmap(nil, count, PROT_READ, MAP_SHARED, descriptor, 0),
      start != MAP_FAILED
    else { return nil }
    let memory = UnsafeRawBufferPointer(start: start, count: count)
    // The closure captures only the address, because a pointer is not `Sendable`.
    let address = UInt(bitPattern: start)
    return Bytes(adopting: memory) { munmap(UnsafeMutableRawPointer(bitPattern: address), count) }
  }

  func serve(_ drawer: WorkerDrawer, _ confinement: Confinement) {
    var ready = HelperMessage(.ready, number: 0)
    ready.confinement = confinement
    guard send(ready) else { return }
    while let message = receive() {
      let answer: HelperMessage
      switch message.kind {
      case .job: answer = perform(message, drawer)
      case .rest:
        var rested = HelperMessage(.ready, number: 0)
        rested.shelfBytes = drawer.rest(after: .milliseconds(message.valueBytes))
        answer = rested
      case .ready, .result, .failure, .claim: return
      }
      guard send(answer) else { return }
    }
  }

  private func perform(_ message: HelperMessage, _ drawer: WorkerDrawer) -> HelperMessage {
    var ticket: RenderTicket?
    var answer = perform(message, drawer, &ticket)
    answer.cost = ticket?.unpaid ?? 0
    return answer
  }

  private func perform(
    _ message: HelperMessage, _ drawer: WorkerDrawer, _ used: inout RenderTicket?
  ) -> HelperMessage {
    do throws(RenderFailure) {
      let (job, time) = try job(message)
      let ticket = RenderTicket(deadline: .now + time) { need in
        try claim(need, for: message.number)
      }
      used = ticket
      let done: JobOutcome
      defer { if ticket.claimedBytes > Self.keptBytes { FreedMemory.giveBack() } }
      do { done = try drawer.perform(job, ticket) } catch {
        throw RenderFailure(error)
      }
      var writer = WireWriter()
      done.result.write(to: &writer)
      var answer = try write(writer, HelperMessage(.result, number: message.number))
      (answer.shelfBytes, answer.isFromShelf) = (done.shelfBytes, done.isFromShelf)
      return answer
    } catch {
      var writer = WireWriter()
      error.write(to: &writer)
      do throws(RenderFailure) {
        return try write(writer, HelperMessage(.failure, number: message.number))
      } catch {
        // The output cannot be written. The server rejects this empty answer as invalid.
        return HelperMessage(.failure, number: message.number)
      }
    }
  }

  /// Asks the server for the resources that the job needs, and waits for its answer.
  private func claim(_ need: JobRequirements, for number: UInt64) throws {
    var claim = HelperMessage(.claim, number: number)
    (claim.valueBytes, claim.cost) = (need.bytes, need.cost)
    guard send(claim), let answer = receive(), answer.kind == .claim else {
      throw MemeError.rendering(CancellationError())
    }
    if answer.valueBytes < need.bytes { throw MemeError.renderTimeout }
  }

  private func job(
    _ message: HelperMessage
  ) throws(RenderFailure) -> (RenderJob, within: Duration) {
    let count = message.filePlace + (message.fileBytes ?? 0)
    let memory = count <= input.count ? input : Self.map(inputDescriptor, count)
    guard let memory,
      let values = message.values
        ?? memory.slice(0..<message.valueBytes)?.withUnsafeBytes({ Array($0) })
    else { throw .starved("mmap: \(String(cString: strerror(errno)))") }
    let file = message.fileBytes.flatMap {
      memory.slice(message.filePlace..<message.filePlace + $0)
    }
    var reader = WireReader(values)
    do throws {
      return try RenderJob.read(from: &reader) {
        guard let file else { throw MemeError.rendering(RenderFailure.needsPicture) }
        return file
      }
    } catch { throw .library("cannot parse the job") }
  }

  /// Writes values and files into the output.
  private func write(
    _ writer: WireWriter, _ message: HelperMessage
  ) throws(RenderFailure) -> HelperMessage {
    var message = message
    do throws(HelperFailure) {
      if !message.carry(writer.bytes) { try output.write(Bytes(writer.bytes), at: 0) }
      var place = message.filePlace
      for file in writer.files {
        try output.write(file, at: place)
        place += file.count
      }
      message.fileBytes = place - message.filePlace
      return message
    } catch { throw .starved("\(error)") }
  }

  private func send(_ message: HelperMessage) -> Bool {
    let bytes = message.bytes
    return bytes.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, 0) }
      == bytes.count
  }

  /// - Returns: `nil` if the server has closed the connection.
  private func receive() -> HelperMessage? {
    try? HelperMessage(HelperMessage.receiveBytes(from: socket))
  }
}
