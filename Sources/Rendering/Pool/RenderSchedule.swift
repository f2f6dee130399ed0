import Memes

/// Decides which order runs next. Callers take turns, no matter how many orders each of them has.
///
/// - While another caller waits, an anonymous network has at most one worker and 8 places in the
///   queue. The local machine is exempt.
/// - Large orders never occupy all workers, unless there is only one.
/// - Patient orders wait for all others, except in every fourth turn, and have half of the places.
/// - If no place is free, the caller with the most places loses one to a caller with fewer.
struct RenderSchedule<Order: Sendable>: Sendable {
  /// An order, with the facts that decide its turn.
  struct Entry: Sendable {
    let number: Int
    /// `nil` for the server itself.
    let turn: Caller?
    let isAnonymous: Bool
    let isPatient: Bool
    /// Known once the header of the picture is read.
    var isLarge = false
    let order: Order

    init(
      number: Int, for requester: Requester?, isPatient: Bool = false, _ order: Order
    ) {
      (self.number, self.order, self.isPatient) = (number, order, isPatient)
      turn = requester?.turn
      isAnonymous = requester.map { $0.isAnonymous && !$0.isLocal } ?? false
    }
  }

  /// The places of an anonymous network, while another caller waits.
  static var placesOfNetwork: Int { 8 }
  /// The number of orders that go before a patient one.
  private static var impatientInARow: Int { 3 }

  private let workers: Int
  private let places: Int
  private var impatient = Lines()
  private var patient = Lines()
  private var running: [Int: Entry] = [:]
  private var inARow = 0
  /// A moving average of the seconds that orders take.
  private var usualSeconds = 0.0

  /// - Parameter places: the number of orders that may wait while all workers are busy.
  init(workers: Int, places: Int) { (self.workers, self.places) = (workers, places) }

  var waiting: Int { impatient.count + patient.count }
  var busy: Int { running.count }

  /// Queues an order.
  ///
  /// - Returns: whether it got a place, and the order that lost its place to it, if any.
  mutating func add(_ entry: Entry) -> (isTaken: Bool, dropped: Order?) {
    let own = count(of: entry.turn)
    if entry.isAnonymous, own >= Self.placesOfNetwork, waiting > own { return (false, nil) }
    var dropped: Order?
    if entry.isPatient, patient.count >= max(1, places / 2) {
      guard let loser = patient.loser(to: entry.turn) else { return (false, nil) }
      dropped = patient.removeLast(of: loser)?.order
    } else if busy + waiting >= workers + places {
      guard let loser = loser(to: entry.turn) else { return (false, nil) }
      dropped = loser.order
    }
    if entry.isPatient { patient.append(entry) } else { impatient.append(entry) }
    return (true, dropped)
  }

  /// The number of orders that run before a caller's next one, if no more arrive.
  func ahead(of requester: Requester?, isPatient: Bool) -> Int {
    let (own, turn) = (count(of: requester?.turn), requester?.turn)
    let others = impatient.counts.filter { $0.turn != turn }
    return own + others.reduce(0) { $0 + min($1.count, own + 1) }
      + (isPatient ? patient.count : min(patient.count, waiting / (Self.impatientInARow + 1)))
  }

  /// Records how long an order took.
  mutating func note(_ time: Duration) {
    usualSeconds += (time / .seconds(1) - usualSeconds) / 16
  }

  /// The expected wait of a caller's next order.
  func wait(for requester: Requester?, isPatient: Bool) -> Duration {
    let ahead = ahead(of: requester, isPatient: isPatient)
    return .seconds(usualSeconds * Double(ahead) / Double(workers))
  }

  /// Starts the next order and returns it; `nil` if none may start.
  mutating func start() -> Order? {
    guard busy < workers else { return nil }
    let patientFirst = inARow >= Self.impatientInARow
    let (first, second) = patientFirst ? (\Self.patient, \Self.impatient) : (\.impatient, \.patient)
    // A second worker for an anonymous network comes after the orders of all other callers.
    guard
      let entry = take(first, sparing: true) ?? take(second, sparing: true)
        ?? take(first, sparing: false) ?? take(second, sparing: false)
    else { return nil }
    inARow = entry.isPatient ? 0 : inARow + 1
    running[entry.number] = entry
    return entry.order
  }

  /// Marks a running order as large.
  ///
  /// - Returns: `false` if the order has to wait.
  mutating func enlarge(_ number: Int) -> Bool {
    guard var entry = running[number] else { return true }
    if entry.isLarge { return true }
    guard hasPlaceForLarge else { return false }
    entry.isLarge = true
    running[number] = entry
    return true
  }

  /// Records that an order has ended.
  mutating func end(_ number: Int) { running[number] = nil }

  /// Queues a running order again, because it is large. It goes before the other orders of its caller.
  mutating func postpone(_ number: Int) {
    guard var entry = running.removeValue(forKey: number) else { return }
    entry.isLarge = true
    if entry.isPatient {
      patient.append(entry, first: true)
    } else {
      impatient.append(entry, first: true)
    }
  }

  /// Removes an order from the queue.
  mutating func withdraw(_ number: Int) -> Order? {
    impatient.remove(number)?.order ?? patient.remove(number)?.order
  }

  /// Removes all orders from the queue.
  mutating func withdrawAll() -> [Order] {
    defer { (impatient, patient) = (Lines(), Lines()) }
    return (impatient.all + patient.all).map(\.order)
  }

  private var hasPlaceForLarge: Bool {
    running.values.count { $0.isLarge } < max(1, workers - 1)
  }

  private func count(of turn: Caller?) -> Int {
    impatient.count(of: turn) + patient.count(of: turn)
  }

  /// - Parameter sparing: whether to skip anonymous networks that already have a worker.
  private mutating func take(
    _ lines: WritableKeyPath<Self, Lines>, sparing: Bool
  ) -> Entry? {
    let takesLarge = hasPlaceForLarge
    let served = sparing ? Set(running.values.filter(\.isAnonymous).map(\.turn)) : []
    return self[keyPath: lines].take {
      ($0.isLarge ? takesLarge : true) && !served.contains($0.turn)
    }
  }

  /// Removes the last order of the caller with the most places, if it has more than the new order's caller would have.
  private mutating func loser(to turn: Caller?) -> Entry? {
    let own = count(of: turn)
    let others = Set(impatient.counts.map(\.turn) + patient.counts.map(\.turn))
    guard let most = others.max(by: { count(of: $0) < count(of: $1) }), count(of: most) > own + 1
    else { return nil }
    return patient.removeLast(of: most) ?? impatient.removeLast(of: most)
  }

  /// A queue for each caller.
  struct Lines: Sendable {
    private var lines: [Caller?: [Entry]] = [:]
    /// The callers that have a queue, the next one first.
    private var turns: [Caller?] = []
    private(set) var count = 0

    var counts: [(turn: Caller?, count: Int)] { lines.map { ($0.key, $0.value.count) } }
    var all: [Entry] { turns.flatMap { lines[$0] ?? [] } }

    func count(of turn: Caller?) -> Int { lines[turn]?.count ?? 0 }

    /// The caller with the most orders, if it has more than the new order's caller would have.
    func loser(to turn: Caller?) -> Caller?? {
      guard let most = lines.max(by: { $0.value.count < $1.value.count }),
        most.value.count > count(of: turn) + 1
      else { return nil }
      return .some(most.key)
    }

    mutating func append(_ entry: Entry, first: Bool = false) {
      if lines[entry.turn] == nil { turns.append(entry.turn) }
      lines[entry.turn, default: []].insert(entry, at: first ? 0 : count(of: entry.turn))
      count += 1
    }

    /// Removes the first order that may run, of the first caller that has one. The caller then goes behind all others.
    mutating func take(where mayRun: (Entry) -> Bool) -> Entry? {
      for (place, turn) in turns.enumerated() {
        guard let index = lines[turn]?.firstIndex(where: mayRun) else { continue }
        turns.append(turns.remove(at: place))
        return remove(at: index, of: turn)
      }
      return nil
    }

    mutating func remove(_ number: Int) -> Entry? {
      for (turn, line) in lines {
        if let index = line.firstIndex(where: { $0.number == number }) {
          return remove(at: index, of: turn)
        }
      }
      return nil
    }

    mutating func removeLast(of turn: Caller?) -> Entry? {
      let count = count(of: turn)
      return count > 0 ? remove(at: count - 1, of: turn) : nil
    }

    private mutating func remove(at index: Int, of turn: Caller?) -> Entry? {
      let entry = lines[turn]?.remove(at: index)
      if lines[turn]?.isEmpty == true {
        lines[turn] = nil
        turns.removeAll { $0 == turn }
      }
      count -= 1
      return entry
    }
  }
}
