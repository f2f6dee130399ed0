import HTTP
import Synchronization

/// Makes the ids of requests: none comes twice from one source, and hardly ever from two.
///
/// Asking the system for random numbers costs as much as reading the request, and ids need not be hard to guess.
final class RequestIDSource: Sendable {
  private let state: Atomic<UInt64>

  init(seed: UInt64) { state = Atomic(seed) }

  /// SplitMix64 (Steele, Lea and Flood, 2014), which gives each number once before it begins again.
  func make() -> RequestID {
    let (_, next) = state.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed)
    var mixed = next
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return RequestID(random: mixed ^ mixed >> 31)
  }
}
