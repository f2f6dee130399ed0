import Archive
import Bytes
import Foundation
import Support
import Testing

struct GzipTests {
  @Test func `another implementation unpacks the compressed text`() throws {
    let text = String(repeating: "one does not simply walk into mordor\n", count: 1000)
    let compressed = try #require(Gzip.compress(Bytes(text)))
    #expect(compressed.count < 500)
    let unpacked = try Python.run(
      "import base64, gzip, sys; sys.stdout.buffer.write(gzip.decompress(base64.b64decode(sys.argv[1])))",
      compressed.withUnsafeBytes { Data($0).base64EncodedString() })
    #expect(String(decoding: unpacked, as: UTF8.self) == text)
  }

  @Test func `incompressible input is not compressed`() {
    #expect(Gzip.compress(Bytes()) == nil)
    #expect(Gzip.compress(Bytes("ab")) == nil)
    var generator = SeededRandom(7)
    let noise = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &generator) }
    #expect(Gzip.compress(Bytes(noise)) == nil)
  }
}
