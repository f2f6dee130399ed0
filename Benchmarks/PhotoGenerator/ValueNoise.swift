/// Smooth noise on a lattice of random values, and sums of its octaves.
struct ValueNoise {
  private let seed: UInt32

  init(seed: UInt32) { self.seed = seed }

  /// Octaves of noise, each twice as fine and half as strong. About 0 to 1.
  func fractal(_ x: Float, _ y: Float, octaves: Int) -> Float {
    var (sum, strength, x, y) = (Float(0), Float(0.5), x, y)
    for octave in 0..<octaves {
      sum += strength * value(x, y, octave: UInt32(octave))
      (x, y, strength) = (x * 2, y * 2, strength * 0.5)
    }
    return sum
  }

  private func value(_ x: Float, _ y: Float, octave: UInt32) -> Float {
    let (left, top) = (x.rounded(.down), y.rounded(.down))
    let (column, row) = (Int32(left), Int32(top))
    let across = smooth(x - left)
    let down = smooth(y - top)
    let upper = mix(lattice(column, row, octave), lattice(column &+ 1, row, octave), across)
    let lower = mix(
      lattice(column, row &+ 1, octave), lattice(column &+ 1, row &+ 1, octave), across)
    return mix(upper, lower, down)
  }

  private func smooth(_ t: Float) -> Float { t * t * (3 - 2 * t) }
  private func mix(_ a: Float, _ b: Float, _ t: Float) -> Float { a + (b - a) * t }

  private func lattice(_ x: Int32, _ y: Int32, _ octave: UInt32) -> Float {
    var hash = seed &+ octave &* 0x9E37_79B9
    hash ^= UInt32(bitPattern: x) &* 0x85EB_CA6B
    hash = (hash << 13 | hash >> 19) &* 0xC2B2_AE35
    hash ^= UInt32(bitPattern: y) &* 0x27D4_EB2F
    hash ^= hash >> 15
    hash = hash &* 0x2C1B_3C6D
    hash ^= hash >> 12
    return Float(hash >> 8) / Float(1 << 24)
  }
}

/// The SplitMix64 generator: small, fast, and with the same output on every machine.
struct SplitMix {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number from 0 up to but not including 1.
  mutating func unit() -> Float { Float(next() >> 40) / Float(1 << 24) }
}
