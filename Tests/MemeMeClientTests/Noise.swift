import Foundation

/// What a photo is like to a transport: bytes that cannot be made smaller. It is made fast, since tests share few threads.
func noise(_ count: Int) -> Data {
  var generator = SystemRandomNumberGenerator()
  let block = Data((0..<4096).map { _ in UInt8.random(in: 0...255, using: &generator) })
  var data = Data(capacity: count + block.count)
  while data.count < count { data.append(block) }
  return data.prefix(count)
}
