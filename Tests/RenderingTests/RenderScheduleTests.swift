import Foundation
import Memes
import Testing

@testable import Rendering

struct RenderScheduleTests {
  private typealias Schedule = RenderSchedule<String>

  private static func network(_ name: String, site: String? = nil) -> Requester {
    Requester(.network(ClientNetwork(name, site: site)), pays: true)
  }

  private static func person(_ number: UInt8) -> Requester {
    Requester(
      .person(UserID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number)))), pays: true
    )
  }

  private let anna = Self.person(1)
  private let bert = Self.person(2)
  private let stranger = Self.network("192.0.2.7")

  /// Numbers orders, and names each one after its requester.
  private struct Line {
    var schedule: Schedule
    var next = 0
    /// The names of the orders, by number.
    var names: [String] = []

    init(workers: Int, places: Int = 256) {
      schedule = Schedule(workers: workers, places: places)
    }

    @discardableResult
    mutating func add(_ name: String, _ requester: Requester?, isPatient: Bool = false) -> (
      number: Int, isTaken: Bool, dropped: String?
    ) {
      let number = next
      next += 1
      names.append(name)
      let (isTaken, dropped) = schedule.add(
        Schedule.Entry(number: number, for: requester, isPatient: isPatient, name))
      return (number, isTaken, dropped)
    }

    /// Starts and ends the orders that may run, until none waits.
    mutating func drain() -> [String] {
      var done: [String] = []
      while let name = schedule.start() {
        done.append(name)
        if let number = names.firstIndex(of: name) { schedule.end(number) }
      }
      return done
    }
  }

  @Test func `callers take turns, however much each of them requests`() {
    var line = Line(workers: 1)
    for number in 0..<4 { line.add("s\(number)", stranger) }
    line.add("a0", anna)
    line.add("a1", anna)
    line.add("b0", bert)
    line.add("own", nil)
    #expect(line.drain() == ["s0", "a0", "b0", "own", "s1", "a1", "s2", "s3"])
  }

  @Test func `all networks of a site share one turn`() {
    var line = Line(workers: 1)
    for number in 0..<3 {
      line.add("s\(number)", Self.network("2001:db8:1:\(number)::", site: "2001:db8:1::/48"))
    }
    line.add("a", anna)
    #expect(line.drain() == ["s0", "a", "s1", "s2"])
  }

  @Test func `an anonymous network has one worker while another caller waits, otherwise all`() {
    var line = Line(workers: 2)
    for number in 0..<4 { line.add("s\(number)", stranger) }
    #expect(line.schedule.start() == "s0")
    #expect(line.schedule.start() == "s1")
    line.add("a0", anna)
    line.add("a1", anna)
    line.schedule.end(0)
    // The anonymous network would have the next turn.
    #expect(line.schedule.start() == "a0")
    line.schedule.end(4)
    #expect(line.schedule.start() == "a1")
    line.schedule.end(5)
    #expect(line.schedule.start() == "s2")
  }

  @Test func `an anonymous network has eight places while another caller waits`() {
    var line = Line(workers: 1)
    for number in 0..<20 { #expect(line.add("s\(number)", stranger).isTaken) }
    #expect(line.add("a", anna).isTaken)
    #expect(!line.add("s20", stranger).isTaken)
    // A person may take all free places.
    for number in 0..<20 { #expect(line.add("a\(number)", anna).isTaken) }
    // Many clients may be behind a local proxy that is not configured.
    let local = Requester(.network(ClientNetwork("127.0.0.1")), pays: true, isLocal: true)
    for number in 0..<20 { #expect(line.add("l\(number)", local).isTaken) }
    let other = Self.network("192.0.2.8")
    let taken = (0..<20).count { line.add("o\($0)", other).isTaken }
    #expect(taken == Schedule.placesOfNetwork)
  }

  @Test func `if no place is free, the caller with the most orders loses one`() {
    var line = Line(workers: 1, places: 4)
    for number in 0..<5 { #expect(line.add("s\(number)", stranger).isTaken) }
    #expect(!line.add("s5", stranger).isTaken)
    #expect(line.add("a0", anna).dropped == "s4")
    #expect(line.add("a1", anna).dropped == "s3")
    // Two orders each, and one that would run: no caller has more than the new one would have.
    let refused = line.add("a2", anna)
    #expect(!refused.isTaken && refused.dropped == nil)
    #expect(line.drain() == ["s0", "a0", "s1", "a1", "s2"])
  }

  @Test
  func `patient orders get every fourth turn and at most half of the places`() {
    var line = Line(workers: 1, places: 20)
    let taken = (0..<20).count { line.add("p\($0)", bert, isPatient: true).isTaken }
    #expect(taken == 10)
    for number in 0..<5 { line.add("a\(number)", anna) }
    #expect(line.add("pa", anna, isPatient: true).dropped == "p9")
    #expect(line.drain().prefix(8) == ["a0", "a1", "a2", "p0", "a3", "a4", "pa", "p1"])
  }

  @Test func `an anonymous network has one worker while another caller waits patiently`() {
    var line = Line(workers: 2)
    for number in 0..<3 { line.add("s\(number)", stranger) }
    line.add("a", anna, isPatient: true)
    #expect(line.schedule.start() == "s0")
    #expect(line.schedule.start() == "a")
    line.schedule.end(3)
    #expect(line.schedule.start() == "s1")
  }

  @Test func `a costly job leaves a worker to others and runs when one is free`() {
    var line = Line(workers: 2)
    for number in 0..<3 { line.add("s\(number)", stranger) }
    #expect(line.schedule.start() == "s0")
    #expect(line.schedule.start() == "s1")
    #expect(line.schedule.enlarge(0) == true)
    #expect(line.schedule.enlarge(0) == true)
    let mayGoOn = line.schedule.enlarge(1)
    #expect(!mayGoOn)
    line.schedule.postpone(1)
    #expect((line.schedule.busy, line.schedule.waiting) == (1, 2))
    // The postponed order is skipped until the other one has ended.
    #expect(line.schedule.start() == "s2")
    line.schedule.end(2)
    #expect(line.schedule.start() == nil)
    line.schedule.end(0)
    #expect(line.schedule.start() == "s1")
    #expect(line.schedule.enlarge(1) == true)
  }

  @Test func `a single worker also runs costly jobs`() {
    var line = Line(workers: 1)
    line.add("s", stranger)
    #expect(line.schedule.start() == "s")
    #expect(line.schedule.enlarge(0) == true)
  }

  @Test func `the orders ahead of the next one are counted by turns`() {
    var line = Line(workers: 1)
    for number in 0..<50 { line.add("s\(number)", stranger) }
    for number in 0..<2 { line.add("b\(number)", bert) }
    #expect(line.schedule.ahead(of: anna, isPatient: false) == 2)
    #expect(line.schedule.ahead(of: bert, isPatient: false) == 5)
    #expect(line.schedule.ahead(of: stranger, isPatient: false) == 52)
  }

  @Test func `the expected wait follows from the duration of past orders`() {
    var line = Line(workers: 2)
    for _ in 0..<100 { line.schedule.note(.seconds(1)) }
    for number in 0..<6 { line.add("a\(number)", anna) }
    #expect((2.9...3).contains(line.schedule.wait(for: anna, isPatient: false) / .seconds(1)))
    #expect((0.4...0.5).contains(line.schedule.wait(for: bert, isPatient: false) / .seconds(1)))
    for _ in 0..<100 { line.schedule.note(.milliseconds(10)) }
    #expect(line.schedule.wait(for: anna, isPatient: false) < .milliseconds(50))
  }

  @Test func `a withdrawn order does not run and takes no place`() {
    var line = Line(workers: 1)
    let numbers = ["s", "p"].map { line.add($0, stranger, isPatient: $0 == "p").number }
    #expect(numbers.map { line.schedule.withdraw($0) } == ["s", "p"])
    #expect(line.schedule.withdraw(numbers[0]) == nil)
    #expect(line.schedule.waiting == 0 && line.drain().isEmpty)
    line.add("a", anna)
    #expect(line.schedule.withdrawAll() == ["a"])
    #expect(line.schedule.waiting == 0)
  }
}
