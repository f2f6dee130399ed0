/// The content of the picture: an evening sky, the sun, three ranges of hills, a field.
struct Scene {
  private let noise: ValueNoise
  private let sun: SIMD2<Float>
  private let sky: (SIMD3<Float>, SIMD3<Float>)
  private let ground: SIMD3<Float>

  init(seed: UInt64) {
    var random = SplitMix(seed: seed)
    noise = ValueNoise(seed: UInt32(truncatingIfNeeded: random.next()))
    sun = SIMD2(0.2 + 0.6 * random.unit(), 0.18 + 0.2 * random.unit())
    let skies: [(SIMD3<Float>, SIMD3<Float>)] = [
      (SIMD3(52, 92, 150), SIMD3(236, 178, 128)), (SIMD3(70, 130, 190), SIMD3(206, 222, 232)),
      (SIMD3(60, 58, 96), SIMD3(222, 138, 120)),
    ]
    sky = skies[Int(random.next() % UInt64(skies.count))]
    ground = SIMD3(70 + 60 * random.unit(), 84 + 40 * random.unit(), 44 + 20 * random.unit())
  }

  /// - Parameters:
  ///   - x: horizontal, in longest edges; `y`: vertical, 0 to 1; `depth`: vertical, in longest edges.
  func colour(x: Float, y: Float, depth: Float) -> SIMD3<Float> {
    for (number, level) in [Float(0.46), 0.56, 0.68].enumerated().reversed() {
      let layer = Float(number)
      let ridge =
        level + 0.16 * (noise.fractal(x * (3 + layer * 2) + layer * 17, layer, octaves: 6) - 0.5)
      guard y > ridge else { continue }
      let near = 0.35 + 0.3 * layer
      let texture = noise.fractal(x * 26 * (1 + layer), depth * (34 + 40 * layer), octaves: 5)
      let rock = ground * (0.45 + 1.1 * texture)
      let haze = sky.1 * 0.8
      let shade = 1 - 0.5 * max(0, y - ridge)
      return (rock * near + haze * (1 - near)) * shade
    }
    let across = x - sun.x
    let down = y - sun.y
    let glow = 1 / (1 + 60 * (across * across + down * down))
    let cloud = max(0, noise.fractal(x * 5, y * 9 + 40, octaves: 5) - 0.48) * 2.4
    let clear = sky.0 * (1 - y * 1.6) + sky.1 * (y * 1.6)
    return clear * (1 - cloud) + SIMD3(repeating: 235) * cloud + SIMD3(90, 74, 40) * glow
  }
}
