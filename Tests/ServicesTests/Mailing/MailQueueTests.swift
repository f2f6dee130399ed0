import Services
import Synchronization
import Testing

@testable import Memes

struct MailQueueTests {
  /// Records the subjects of sent mails. Sending waits for `open()`.
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
    func add(_ error: any Error) { all.withLock { $0.append(error.reason) } }
  }

  private func queue(notifies: Bool = true) -> (MailQueue, Holding, Reports) {
    let (mailer, reports) = (Holding(), Reports())
    let queue = MailQueue(
      mailer: mailer, throttle: SharedThrottle(Throttle(isOn: true)), notifies: notifies,
      report: reports.add)
    return (queue, mailer, reports)
  }

  private func add(_ count: Int, to queue: MailQueue) throws {
    let address = try EmailAddress("ada@example.org")
    for number in 0..<count {
      let mail = Mail(to: address, subject: MailSubject("\(number)"), text: "")
      queue.add { mailer in try await mailer.deliver(mail) }
    }
  }

  @Test func `the queue sends waiting mails in order before it stops, then rejects new ones`()
    async throws
  {
    let (queue, mailer, reports) = queue()
    try add(5, to: queue)
    mailer.open()
    await queue.stop(by: .now + .seconds(60))
    #expect(mailer.sent.withLock { $0 } == ["0", "1", "2", "3", "4"])
    #expect(reports.count == 0)
    try add(1, to: queue)
    #expect(reports.count == 1)
  }

  @Test func `the number of waiting mails is limited, and the rest are reported`() async throws {
    let (queue, mailer, reports) = queue()
    // If the queue has not taken the first mail yet, one more of the others is reported.
    try add(MailQueue.maximumWaiting + 3, to: queue)
    #expect([2, 3].contains(reports.count))
    mailer.open()
    await queue.stop(by: .now + .seconds(60))
    #expect(mailer.sent.withLock { $0.count } + reports.count == MailQueue.maximumWaiting + 3)
  }

  @Test func `at the deadline the remaining mails are dropped and reported`() async throws {
    let (queue, mailer, reports) = queue()
    try add(4, to: queue)
    await queue.stop(by: .now + .milliseconds(20))
    #expect(mailer.sent.withLock { $0.isEmpty })
    #expect(reports.count == 4)
  }

  @Test func `notifications to one mailbox are limited, other mails are not`() async throws {
    let (queue, mailer, reports) = queue()
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

  @Test func `sign-ins on new devices cannot suppress other notices`() async throws {
    let (queue, mailer, reports) = queue()
    mailer.open()
    let ada = try EmailAddress("ada@example.org")
    for number in 0..<9 {
      queue.notify(
        Mail(to: ada, subject: MailSubject("\(number)"), text: ""), within: .newDevice)
    }
    queue.notify(Mail(to: ada, subject: MailSubject("password"), text: ""))
    await queue.stop(by: .now + .seconds(60))
    #expect(mailer.sent.withLock { $0 } == ["0", "1", "2", "password"])
    #expect(reports.count == 6)
  }

  @Test func `without a mail server, users get links but no notices`() async throws {
    let (queue, mailer, reports) = queue(notifies: false)
    mailer.open()
    queue.notify(
      Mail(to: try EmailAddress("ada@example.org"), subject: MailSubject("password"), text: ""))
    try add(1, to: queue)
    await queue.stop(by: .now + .seconds(60))
    #expect(mailer.sent.withLock { $0 } == ["0"])
    #expect(reports.count == 0)
  }

  @Test func `a failing mail does not delay the next`() async throws {
    let (queue, mailer, reports) = queue()
    mailer.open()
    queue.add { _ in throw MemeError.storageFull }
    try add(1, to: queue)
    await queue.stop(by: .now + .seconds(60))
    #expect(mailer.sent.withLock { $0 } == ["0"])
    #expect(reports.all.withLock { $0 } == ["the disk is full"])
  }
}
