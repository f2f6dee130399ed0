/// What becomes of a request on its way, and of its answer.
package enum Fault: Equatable, Sendable {
  /// Both arrive.
  case none
  /// The request never arrives.
  case drop
  /// The request arrives, its answer does not.
  case loseAnswer
  /// The server gets this share of the request and then the connection's end.
  case cutRequest(Double)
  /// The client gets this share of the answer and then the connection's end.
  case cutAnswer(Double)
  /// Both arrive, the request so much later.
  case delay(milliseconds: Int)
  /// The request arrives twice, one after the other, and the second one's answer is the client's.
  case duplicate
  /// The client is cut off at once, and the request arrives so much later: perhaps behind those that the client sends next.
  case overtaken(milliseconds: Int)

  /// Three in ten requests meet something.
  package init(_ random: inout SeededRandom) {
    func share() -> Double { .random(in: 0...1, using: &random) }
    func milliseconds(_ most: Int) -> Int { .random(in: 1...most, using: &random) }
    self =
      switch Int.random(in: 0..<24, using: &random) {
      case 0: .drop
      case 1: .loseAnswer
      case 2: .cutRequest(share())
      case 3: .cutAnswer(share())
      case 4: .delay(milliseconds: milliseconds(150))
      case 5: .duplicate
      case 6: .overtaken(milliseconds: milliseconds(400))
      default: .none
      }
  }
}
