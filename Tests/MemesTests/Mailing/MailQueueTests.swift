import Synchronization
import Testing

@testable import Memes

struct MailQueueTests {
  /// Keeps the subjects of what it is given, each when it may.
  private final class Holding: Mailer {
    let sent = Mutex<[String]>([])
    private let isOpen = Atomic(false)

    func open() { isOpen.store(true, ordering: .relaxed) }

    func send(_ mail: Mail) async throws(MailError) {
      while !isOpen.load(ordering: .relaxed) {
        guard !Task.isCancelled else { throw .overloaded }
        await Task.yield()
      }
      sent.withLock { $0.append(mail.subject.text) }
    }
  }

  private final class Reports: Sendable {
    let all = Mutex<[String]>([])

    var count: Int { all.withLock { $0.count } }
    func add(_ error: MemeError) { all.withLock { $0.append(error.reason) } }
  }

  private func add(_ count: Int, to queue: MailQueue) throws {
    let address = try EmailAddress("ada@example.org")
    for number in 0..<count {
      let mail = Mail(to: address, subject: MailSubject("\(number)"), text: "")
      queue.add { mailer throws(MemeError) in try await mailer.deliver(mail) }
    }
  }

  @Test func `what waits is sent in order before the queue stops, and nothing is taken after`()
    async throws
  {
    let (mailer, reports) = (Holding(), Reports())
    let queue = MailQueue(
      mailer: mailer, throttle: Throttle(isOn: true), report: reports.add)
    try add(5, to: queue)
    mailer.open()
    await queue.stop(by: .now + .seconds(60))
    #expect(mailer.sent.withLock { $0 } == ["0", "1", "2", "3", "4"])
    #expect(reports.count == 0)
    try add(1, to: queue)
    #expect(reports.count == 1)
  }

  @Test func `only so many wait, and of the others is told`() async throws {
    let (mailer, reports) = (Holding(), Reports())
    let queue = MailQueue(
      mailer: mailer, throttle: Throttle(isOn: true), report: reports.add)
    // One is at work, or is not yet: then one more of the others is told of.
    try add(MailQueue.maximumWaiting + 3, to: queue)
    #expect([2, 3].contains(reports.count))
    mailer.open()
    await queue.stop(by: .now + .seconds(60))
    #expect(mailer.sent.withLock { $0.count } + reports.count == MailQueue.maximumWaiting + 3)
  }

  @Test func `at the deadline the rest is given up, and each is told of`() async throws {
    let (mailer, reports) = (Holding(), Reports())
    let queue = MailQueue(
      mailer: mailer, throttle: Throttle(isOn: true), report: reports.add)
    try add(4, to: queue)
    await queue.stop(by: .now + .milliseconds(20))
    #expect(mailer.sent.withLock { $0.isEmpty })
    #expect(reports.count == 4)
  }

  @Test func `a mailbox is told a few times, and other mails to it are sent`() async throws {
    let (mailer, reports) = (Holding(), Reports())
    let queue = MailQueue(
      mailer: mailer, throttle: Throttle(isOn: true), report: reports.add)
    mailer.open()
    for (number, name) in ["ada", "Ada", "ada", "aDa", "ada", "ADA", "ada", "bob"].enumerated() {
      let address = try EmailAddress("\(name)@example.org")
      queue.notify(Mail(to: address, subject: MailSubject("\(number)"), text: ""))
    }
    try add(1, to: queue)
    await queue.stop(by: .now + .seconds(60))
    #expect(mailer.sent.withLock { $0 } == ["0", "1", "2", "3", "4", "7", "0"])
    #expect(reports.count == 2)
  }

  @Test func `one that fails does not hold up the next`() async throws {
    let (mailer, reports) = (Holding(), Reports())
    let queue = MailQueue(
      mailer: mailer, throttle: Throttle(isOn: true), report: reports.add)
    mailer.open()
    queue.add { _ throws(MemeError) in throw .storageFull }
    try add(1, to: queue)
    await queue.stop(by: .now + .seconds(60))
    #expect(mailer.sent.withLock { $0 } == ["0"])
    #expect(reports.all.withLock { $0 } == ["storageFull"])
  }
}
