import Bytes
import Foundation
import Memes

/// Runs jobs in a helper process that can be ended at any time. The next job then uses another process.
final class HelperDrawer: Drawer {
  /// A process that has been idle for this long is ended, because another one is ready.
  private static let idleTime = Duration.seconds(60)
  /// The interval for checking whether a job is still wanted.
  private static let glance = Duration.milliseconds(250)
  /// How long a job may continue after its client has disconnected. A new process costs as much as several pictures.
  private static let unwantedTime = Duration.seconds(1)
  /// A process is replaced after this many jobs or this much time, so that no effect of a picture on it persists.
  private static let (mostJobs, mostTime) = (500, Duration.seconds(600))

  private let supply: HelperLauncher
  private let crashes: CrashedPictures
  private let meter: HelperMeter
  private let memory: RenderMemory
  /// The memory that the running job has claimed, in bytes.
  private var claimed = 0
  private(set) var helper: HelperProcess?
  private var jobs = 0
  private var began = ContinuousClock.now
  private var shelfBytes = 0
  /// Whether the process has drawn, and not only reported its capabilities.
  private var hasDrawn = false

  init(
    _ supply: HelperLauncher, _ crashes: CrashedPictures, _ meter: HelperMeter,
    _ memory: RenderMemory
  ) {
    (self.supply, self.crashes, self.meter, self.memory) = (supply, crashes, meter, memory)
  }

  /// Does nothing: the first job takes the process that is ready.
  func warmUp() {}

  func perform(_ job: RenderJob, _ ticket: RenderTicket) throws -> JobOutcome {
    // Try a preview without sending its picture: the process probably has the picture in its cache.
    var file = job.shelvedDigest == nil ? try job.picture?.bytes() : nil
    let boxed = try job.boxed.map { try $0.bytes() }
    while true {
      let files = file.map { [$0] + boxed } ?? []
      if crashes.refuses(files) { throw MemeError.crashes }
      let (answer, outcome) = try exchange(job, files, ticket)
      switch outcome {
      case .success(let result):
        return JobOutcome(
          result, file: file, isFromShelf: answer.isFromShelf, shelfBytes: shelfBytes)
      case .failure(.needsPicture) where file == nil && job.picture != nil:
        file = try job.picture?.bytes()
      case .failure(let failure):
        // The state of the process is unknown after an allocation failure.
        if case .starved = failure { replace(.memory) }
        throw MemeError(failure)
      }
    }
  }

  func rest(after time: Duration) -> Int {
    guard let helper, helper.isWaiting else {
      replace(.crash)
      return 0
    }
    guard hasDrawn, time < Self.idleTime else {
      replace(.idle)
      return 0
    }
    do throws(HelperFailure) {
      var message = HelperMessage(.rest, number: 0)
      message.valueBytes = Int(time / .milliseconds(1))
      try helper.send(message)
      guard let answer = try helper.receive(within: .seconds(10)), answer.kind == .ready else {
        throw .broken
      }
      shelfBytes = answer.shelfBytes
      // Return the memory of the last job to the system.
      try helper.input.clear()
      helper.output.cut(to: 0)
      FreedMemory.giveBack()
    } catch { drop(error) }
    recycle()
    return shelfBytes
  }

  func end() {
    // A process in the middle of a job does not notice that it should exit.
    helper?.end(within: 0.2)
    helper = nil
  }

  /// Returns a process that has reported that it is ready.
  func ready(_ ticket: RenderTicket) throws(HelperFailure) -> HelperProcess {
    // The process may have ended while it was idle, because the system ran out of memory. No picture is to blame.
    if let helper, !helper.isWaiting { replace(.crash) }
    while true {
      if let helper { return helper }
      let (next, confinement) = try ticket.waiting { () throws(HelperFailure) in
        let next = try supply.take(ticket)
        return (next, try next.waitUntilReady(by: ticket.deadline))
      }
      meter.note(confinement)
      if supply.program.confinement == .require, !confinement.contains(.calls) {
        next.end(within: 0)
        throw .unconfined
      }
      guard next.isWaiting else {
        next.end(within: 0)
        meter.count(.crash)
        continue
      }
      (helper, jobs, began, shelfBytes, hasDrawn) = (next, 0, .now, 0, false)
    }
  }

  /// - Parameter files: the files of the job's picture and of those in boxes; empty to send none.
  private func exchange(
    _ job: RenderJob, _ files: [Bytes], _ ticket: RenderTicket
  ) throws -> (HelperMessage, Result<RenderResult, RenderFailure>) {
    defer { releaseMemory() }
    var refusal: (any Error)?
    var isStarted = false
    let exchanged: (HelperMessage, Result<RenderResult, RenderFailure>)
    do throws(HelperFailure) {
      let helper = try ready(ticket)
      isStarted = true
      jobs += 1
      try send(job, files, to: helper, within: max(.zero, ticket.deadline - .now))
      let answer = try answer(from: helper, ticket, &refusal)
      ticket.add(unpaid: answer.cost)
      let outcome: Result<RenderResult, RenderFailure>
      let size = helper.output.byteCount
      do { outcome = try read(answer, to: job, from: helper.output, of: size) } catch {
        throw .broken
      }
      shelfBytes = answer.shelfBytes
      if size > HelperProcess.keptBytes { helper.output.cut(to: HelperProcess.keptBytes) }
      // The job has succeeded, whether or not its memory is returned.
      do throws(HelperFailure) { try helper.input.trim() } catch { drop(error) }
      hasDrawn = hasDrawn || job.draws
      recycle()
      exchanged = (answer, outcome)
    } catch {
      drop(error)
      // A process that ended while it started had no files.
      if isStarted, case .ended = error { crashes.add(files) }
      throw MemeError(error)
    }
    if let refusal { throw refusal }
    return exchanged
  }

  private func send(
    _ job: RenderJob, _ files: [Bytes], to helper: HelperProcess, within time: Duration
  ) throws(HelperFailure) {
    var writer = WireWriter()
    job.write(to: &writer, within: time, boxedBytes: files.dropFirst().map(\.count))
    var message = HelperMessage(.job, number: UInt64(jobs))
    if !message.carry(writer.bytes) { try helper.input.write(Bytes(writer.bytes), at: 0) }
    if !files.isEmpty {
      message.fileBytes = files.reduce(0) { $0 + $1.count }
      var place = message.filePlace
      for file in files {
        try helper.input.write(file, at: place)
        place += file.count
      }
    }
    try helper.send(message)
  }

  /// - Parameter refusal: set to the error if the job is denied the resources that it needs.
  private func answer(
    from helper: HelperProcess, _ ticket: RenderTicket, _ refusal: inout (any Error)?
  ) throws(HelperFailure) -> HelperMessage {
    var unwanted: ContinuousClock.Instant?
    // The deadline after a denied claim. The process then reports the failure itself and need not be replaced.
    var lastWord: ContinuousClock.Instant?
    while true {
      let now = ContinuousClock.now
      let deadline = lastWord ?? ticket.deadline
      if now >= deadline { throw .late }
      if ticket.isCancelled {
        let since = unwanted ?? now
        if now - since >= Self.unwantedTime { throw .unwanted }
        unwanted = since
      }
      guard let answer = try helper.receive(within: min(Self.glance, deadline - now)) else {
        continue
      }
      guard answer.number == UInt64(jobs) else { throw .broken }
      guard answer.kind == .claim else { return answer }
      guard lastWord == nil else { throw .broken }
      do {
        try ticket.ask(for: JobRequirements(bytes: answer.valueBytes, cost: answer.cost))
      } catch { refusal = error }
      if try !claim(answer, from: helper, ticket, unless: refusal != nil) {
        if !ticket.isCancelled { refusal = refusal ?? MemeError.overloaded() }
        lastWord = .now + Self.unwantedTime
      }
    }
  }

  /// Waits for the memory that a job claims, at most until its deadline.
  ///
  /// - Parameter isRefused: whether to deny the claim at once.
  /// - Returns: whether the claim was granted.
  private func claim(
    _ message: HelperMessage, from helper: HelperProcess, _ ticket: RenderTicket,
    unless isRefused: Bool
  ) throws(HelperFailure) -> Bool {
    var answer = message
    // A job may claim more memory later. It releases its earlier claim while it waits: two
    // jobs that kept theirs would deadlock.
    releaseMemory()
    // A small job asks only because of its cost, and does not wait for memory.
    let bytes = message.valueBytes > RenderMemory.freeBytes ? message.valueBytes : 0
    let isGranted =
      !isRefused
      && (bytes == 0
        || ticket.waiting {
          memory.claim(bytes) { ticket.isCancelled || ContinuousClock.now >= ticket.deadline }
        })
    if isGranted { claimed = bytes } else { answer.valueBytes = 0 }
    try helper.send(answer)
    return isGranted
  }

  private func releaseMemory() {
    memory.release(claimed)
    claimed = 0
  }

  private func read(
    _ answer: HelperMessage, to job: RenderJob, from output: HelperMemory, of size: Int
  ) throws -> Result<RenderResult, RenderFailure> {
    let values = try answer.values ?? longValues(of: answer, from: output, of: size)
    var reader = WireReader(values, fileBytes: answer.fileBytes ?? 0) { offset, count in
      output.read(count, at: answer.filePlace + offset, of: size)
    }
    switch answer.kind {
    case .result:
      let result = try RenderResult.read(from: &reader)
      guard result.files.allSatisfy(\.isOfItsKind), result.isWithin(job) else {
        throw WireFormatError()
      }
      return .success(result)
    case .failure: return .failure(try RenderFailure.read(from: &reader))
    case .job, .rest, .ready, .claim: throw WireFormatError()
    }
  }

  /// Reads the values of an answer that are in the memory.
  private func longValues(
    of answer: HelperMessage, from output: HelperMemory, of size: Int
  ) throws -> [UInt8] {
    // The longest values are the names of all fonts on a machine.
    guard answer.valueBytes <= 4 << 20, let values = output.read(answer.valueBytes, at: 0, of: size)
    else { throw WireFormatError() }
    return values.withUnsafeBytes { Array($0) }
  }

  /// Ends the process after a failure.
  private func drop(_ failure: HelperFailure) {
    switch failure {
    case .late: replace(.late)
    case .unwanted: replace(.unwanted)
    case .broken: replace(.broken)
    case .system: replace(.memory)
    case .ended: replace(.crash)
    case .notReady, .unconfined: break
    }
  }

  /// Replaces a process that has done much work, unless it has cached pictures for previews.
  private func recycle() {
    let isWorn = jobs >= Self.mostJobs || jobs > 0 && .now - began >= Self.mostTime
    if isWorn, shelfBytes == 0 || jobs >= 5 * Self.mostJobs { replace(.age) }
  }

  private func replace(_ end: HelperMeter.End) {
    guard let helper else { return }
    helper.end(within: 0)
    meter.count(end)
    (self.helper, shelfBytes) = (nil, 0)
  }
}
