/// What happens to a request and its response on the network.
package enum Fault: Equatable, Sendable {
  /// Both arrive.
  case none
  /// The request never arrives.
  case drop
  /// The request arrives, but its response does not.
  case loseAnswer
  /// The server gets this share of the request, and then the end of the connection.
  case cutRequest(Double)
  /// The client gets this share of the response, and then the end of the connection.
  case cutAnswer(Double)
  /// Both arrive, the request with this delay.
  case delay(milliseconds: Int)
  /// The request arrives twice in succession, and the client gets the second response.
  case duplicate
  /// The client is disconnected at once. The request arrives with this delay, possibly after the next requests of the
  /// client.
  case overtaken(milliseconds: Int)

  /// About three in ten requests have a fault.
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
