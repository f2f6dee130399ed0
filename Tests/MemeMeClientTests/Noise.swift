import Foundation

/// Incompressible bytes, which a transport handles like a photo. They are generated
/// quickly, because tests share few threads.
func noise(_ count: Int) -> Data {
  var generator = SystemRandomNumberGenerator()
  let block = Data((0..<4096).map { _ in UInt8.random(in: 0...255, using: &generator) })
  var data = Data(capacity: count + block.count)
  while data.count < count { data.append(block) }
  return data.prefix(count)
}
