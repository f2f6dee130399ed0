import HTTP
import Synchronization

/// Generates request ids. One source never repeats an id, and two sources almost never produce the same id.
///
/// System random numbers cost as much as reading the request, and ids may be easy to guess.
final class RequestIDSource: Sendable {
  private let state: Atomic<UInt64>

  init(seed: UInt64) { state = Atomic(seed) }

  /// SplitMix64 (Steele, Lea and Flood, 2014), which produces each number once before it repeats.
  func make() -> RequestID {
    let (_, next) = state.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed)
    var mixed = next
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return RequestID(random: mixed ^ mixed >> 31)
  }
}
