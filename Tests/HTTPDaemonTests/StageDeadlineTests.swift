import Testing

@testable import HTTPDaemon

@Suite struct StageDeadlineTests {
  @Test func `a stage and its deadline fit into one word`() {
    let now = Moment.now
    for stage in [
      StageDeadline.Stage.new, .idle, .heading, .receiving, .handling, .sending, .ending,
    ] {
      for deadline in [now, now.after(seconds: 3600), .never] {
        let watch = StageDeadline(stage, until: deadline)
        #expect(watch.stage == stage && watch.deadline == deadline)
      }
    }
    #expect(now.after(seconds: 1e30) == .never && now < .never)
  }

  @Test func `bytes extend the deadline by no more than the grace time`() {
    var deadlines = Deadlines()
    (deadlines.minimumBytesPerSecond, deadlines.graceSeconds) = (1000, 10)
    let start = Moment.now
    let half = deadlines.deadline(after: start, receiving: 500, at: start)
    #expect(half.seconds(since: start) == 0.5)
    let saved = deadlines.deadline(after: half, receiving: 1_000_000, at: start)
    #expect(saved.seconds(since: start) == 10)
    #expect(deadlines.deadline(sending: 20_000, from: start).seconds(since: start) == 30)
  }

  @Test func `a client in time is left alone, and a late one is cut off once`() {
    let start = Moment.now
    let client = Client(peer: "", socket: nil, deadline: start.after(seconds: 10))
    var reasons: [CutReason] = []
    func inspect(after seconds: Double) {
      client.inspect(
        now: start.after(seconds: seconds), isThorough: true, isDraining: false,
        count: { reasons.append($0) })
    }
    inspect(after: 9)
    #expect(reasons == [] && client.cutReason == nil)
    inspect(after: 10)
    inspect(after: 11)
    inspect(after: 20)
    #expect(reasons == [.slowHead] && client.cutReason == .slowHead)
  }
}
