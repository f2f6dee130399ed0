import Memes

/// Decides which order runs next: callers take turns, however many orders each of them has.
///
/// - An anonymous network, unless it is this machine, has one worker at most while another caller waits, and gets no more than
///   8 places.
/// - Large orders never have all workers, unless there is only one.
/// - Patient orders wait for all others, except in each fourth turn, and have half of the places.
/// - If no place is free, the caller with most places loses one to a caller with fewer.
struct RenderSchedule<Order: Sendable>: Sendable {
  /// An order, and the facts that decide about its turn.
  struct Entry: Sendable {
    let number: Int
    /// `nil`: the server itself.
    let turn: Caller?
    let isAnonymous: Bool
    let isPatient: Bool
    /// Known once the picture's head is read.
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

  /// Of an anonymous network, while another caller waits.
  static var placesOfNetwork: Int { 8 }
  /// So many orders that are not patient go before one that is.
  private static var impatientInARow: Int { 3 }

  private let workers: Int
  private let places: Int
  private var impatient = Lines()
  private var patient = Lines()
  private var running: [Int: Entry] = [:]
  private var inARow = 0
  /// How long orders take, the latest ones most.
  private var usualSeconds = 0.0

  /// - Parameter places: of orders that wait while all workers are busy.
  init(workers: Int, places: Int) { (self.workers, self.places) = (workers, places) }

  var waiting: Int { impatient.count + patient.count }
  var busy: Int { running.count }

  /// Lets an order wait.
  ///
  /// - Returns: whether there is a place for it, and an order that has lost its own to it.
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

  /// The number of orders that will be done before a caller's next one, if no more come.
  func ahead(of requester: Requester?, isPatient: Bool) -> Int {
    let (own, turn) = (count(of: requester?.turn), requester?.turn)
    let others = impatient.counts.filter { $0.turn != turn }
    return own + others.reduce(0) { $0 + min($1.count, own + 1) }
      + (isPatient ? patient.count : min(patient.count, waiting / (Self.impatientInARow + 1)))
  }

  /// How long an order has taken.
  mutating func note(_ time: Duration) {
    usualSeconds += (time / .seconds(1) - usualSeconds) / 16
  }

  /// How long a caller's next order is likely to wait.
  func wait(for requester: Requester?, isPatient: Bool) -> Duration {
    let ahead = ahead(of: requester, isPatient: isPatient)
    return .seconds(usualSeconds * Double(ahead) / Double(workers))
  }

  /// The next order, which runs from now on; `nil` if none waits that may.
  mutating func start() -> Order? {
    guard busy < workers else { return nil }
    let patientFirst = inARow >= Self.impatientInARow
    let (first, second) = patientFirst ? (\Self.patient, \Self.impatient) : (\.impatient, \.patient)
    // The second worker of an anonymous network comes after all that is not its own.
    guard
      let entry = take(first, sparing: true) ?? take(second, sparing: true)
        ?? take(first, sparing: false) ?? take(second, sparing: false)
    else { return nil }
    inARow = entry.isPatient ? 0 : inARow + 1
    running[entry.number] = entry
    return entry.order
  }

  /// Says that an order that runs costs much.
  ///
  /// - Returns: whether it may go on; else it has to wait.
  mutating func enlarge(_ number: Int) -> Bool {
    guard var entry = running[number] else { return true }
    if entry.isLarge { return true }
    guard hasPlaceForLarge else { return false }
    entry.isLarge = true
    running[number] = entry
    return true
  }

  /// An order runs no more.
  mutating func end(_ number: Int) { running[number] = nil }

  /// Lets an order that runs wait, because it costs much. Its turn comes before its caller's others.
  mutating func postpone(_ number: Int) {
    guard var entry = running.removeValue(forKey: number) else { return }
    entry.isLarge = true
    if entry.isPatient {
      patient.append(entry, first: true)
    } else {
      impatient.append(entry, first: true)
    }
  }

  /// Takes an order back while it waits.
  mutating func withdraw(_ number: Int) -> Order? {
    impatient.remove(number)?.order ?? patient.remove(number)?.order
  }

  /// Takes back all that wait.
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

  /// - Parameter sparing: whether anonymous networks with a worker are passed over.
  private mutating func take(
    _ lines: WritableKeyPath<Self, Lines>, sparing: Bool
  ) -> Entry? {
    let takesLarge = hasPlaceForLarge
    let served = sparing ? Set(running.values.filter(\.isAnonymous).map(\.turn)) : []
    return self[keyPath: lines].take {
      ($0.isLarge ? takesLarge : true) && !served.contains($0.turn)
    }
  }

  /// The last order of the caller with most places, if those are more than the newcomer would have.
  private mutating func loser(to turn: Caller?) -> Entry? {
    let own = count(of: turn)
    let others = Set(impatient.counts.map(\.turn) + patient.counts.map(\.turn))
    guard let most = others.max(by: { count(of: $0) < count(of: $1) }), count(of: most) > own + 1
    else { return nil }
    return patient.removeLast(of: most) ?? impatient.removeLast(of: most)
  }

  /// A line for each caller.
  struct Lines: Sendable {
    private var lines: [Caller?: [Entry]] = [:]
    /// The callers that have a line, the next one first.
    private var turns: [Caller?] = []
    private(set) var count = 0

    var counts: [(turn: Caller?, count: Int)] { lines.map { ($0.key, $0.value.count) } }
    var all: [Entry] { turns.flatMap { lines[$0] ?? [] } }

    func count(of turn: Caller?) -> Int { lines[turn]?.count ?? 0 }

    /// The caller with most orders, if those are more than the newcomer would have.
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

    /// The first order that may, of the first caller who has one. All others go before that caller's next.
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
