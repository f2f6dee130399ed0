import Memes
import Services
import Synchronization
import Testing

struct ReadinessTests {
  /// A part of the server whose state the test controls.
  private actor Part {
    private(set) var questions = 0
    private var failure: MemeError?
    private var isStuck: Bool
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var watching: [CheckedContinuation<Void, Never>] = []

    init(failure: MemeError? = nil, isStuck: Bool = false) {
      (self.failure, self.isStuck) = (failure, isStuck)
    }

    func check() async throws {
      questions += 1
      for continuation in watching { continuation.resume() }
      watching = []
      if isStuck { await withCheckedContinuation { waiting.append($0) } }
      if let failure { throw failure }
    }

    /// Returns after the first check.
    func asked() async {
      if questions == 0 { await withCheckedContinuation { watching.append($0) } }
    }

    func release() {
      isStuck = false
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
  }

  private final class Reports: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ check: Readiness.Check, _ cause: String) {
      lines.withLock { $0.append("\(check.rawValue): \(cause)") }
    }
    var all: [String] { lines.withLock { $0 } }
  }

  private func readiness(
    database: Part = Part(), renderer: Part = Part(), freeBytes: Int? = 2_000_000,
    floor: Int = 2_000_000,
    holds: Duration = .zero, patience: Duration = .seconds(60), reports: Reports = Reports()
  ) -> Readiness {
    var timing = Readiness.Timing()
    (timing.holds, timing.patience) = (holds, patience)
    return Readiness(
      Readiness.Probes(
        database: { try await database.check() }, renderer: { try await renderer.check() }),
      freeDiskBytes: { freeBytes }, diskFloorBytes: floor, timing: timing, report: reports.add)
  }

  @Test func `concurrent callers share one check`() async {
    let database = Part(isStuck: true)
    let readiness = readiness(database: database)
    await withTaskGroup(of: [Readiness.Check].self) { group in
      for _ in 0..<20 { group.addTask { await readiness.failures() } }
      await database.asked()
      await database.release()
      for await failures in group { #expect(failures == []) }
    }
    // Callers that came after the check made one more. Twenty callers did not make twenty checks.
    #expect(await database.questions <= 3)
  }

  @Test func `a result is reused during its lifetime`() async {
    let (database, renderer) = (Part(), Part())
    let readiness = readiness(database: database, renderer: renderer, holds: .seconds(600))
    for _ in 0..<5 { #expect(await readiness.failures() == []) }
    #expect(await database.questions == 1)
    #expect(await renderer.questions == 1)
  }

  @Test func `an expired result is checked again`() async {
    let database = Part()
    let readiness = readiness(database: database)
    for _ in 0..<3 { _ = await readiness.failures() }
    #expect(await database.questions == 3)
  }

  @Test func `a part that does not respond fails, and is not asked twice at once`() async {
    let database = Part(isStuck: true)
    let reports = Reports()
    let readiness = readiness(database: database, patience: .milliseconds(5), reports: reports)
    for _ in 0..<3 { #expect(await readiness.failures() == [.database]) }
    #expect(await database.questions == 1)
    #expect(reports.all.count == 3)
    #expect(reports.all.allSatisfy { $0.hasPrefix("database: no response within") })
    await database.release()
    // The late response is on its way. Each check waits for it.
    while await readiness.failures() != [] {}
  }

  @Test func `every failing part is named, and only the report has the cause`() async {
    let reports = Reports()
    let readiness = readiness(
      database: Part(failure: .storageFull), renderer: Part(failure: .renderTimeout),
      freeBytes: 1_999_999, reports: reports)
    #expect(await readiness.failures() == [.database, .renderer, .disk])
    #expect(
      reports.all.sorted() == [
        "database: the disk is full", "disk: 1999999 bytes free, 2000000 required",
        "renderer: renderTimeout",
      ])
  }

  @Test func `a busy renderer is ready`() async {
    #expect(await readiness(renderer: Part(failure: .overloaded())).failures() == [])
  }

  @Test func `a disk with unknown free space is not ready`() async {
    #expect(await readiness(freeBytes: nil).failures() == [.disk])
    // A full disk fails whatever the floor.
    #expect(await readiness(freeBytes: 100_000, floor: 0).failures() == [.disk])
    #expect(await readiness(floor: 0).failures() == [])
  }

  @Test func `a canceled caller does not affect the others`() async {
    let database = Part(isStuck: true)
    let readiness = readiness(database: database)
    let leaving = Task { await readiness.failures() }
    await database.asked()
    let staying = Task { await readiness.failures() }
    leaving.cancel()
    await database.release()
    #expect(await staying.value == [])
    #expect(await leaving.value == [])
  }
}
