/// Deterministic random numbers, so that failures can be reproduced (SplitMix64).
package struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  /// - Parameter path: selects a separate stream of the seed, such as the number of a round and of a client.
  package init(_ seed: UInt64, _ path: Int...) {
    state = seed
    for step in path { state = next() ^ UInt64(truncatingIfNeeded: step) }
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  package mutating func chance(_ fraction: Double) -> Bool {
    .random(in: 0..<1, using: &self) < fraction
  }

  package mutating func bytes(_ count: Int) -> [UInt8] {
    var words: [UInt64] = []
    words.reserveCapacity(count / 8 + 1)
    while words.count * 8 < count { words.append(next()) }
    return words.withUnsafeBytes { Array($0.prefix(count)) }
  }
}
