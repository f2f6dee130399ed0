import Bytes
import Crypto
import Testing

@Suite struct HashingTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  ])
  func `SHA-256 gives the digests of FIPS 180-4`(text: String, digest: String) {
    #expect(hexadecimal(SHA256.digest(of: Bytes(text))) == digest)
  }

  @Test func `HMAC-SHA-256 gives the code of RFC 4231 §4.2`() throws {
    // The 20-byte key of the RFC, padded with zeros as HMAC does.
    let key = [UInt8](repeating: 0x0B, count: 20) + [UInt8](repeating: 0, count: 12)
    let authenticator = try #require(Authenticator(key: Secret(key)))
    let code = authenticator.code(for: Array("Hi There".utf8))
    #expect(
      hexadecimal(code) == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    #expect(authenticator.verifies(code, for: Array("Hi There".utf8)))
    #expect(!authenticator.verifies(code, for: Array("Hi there".utf8)))
    #expect(!authenticator.verifies(Array(code.dropLast()), for: Array("Hi There".utf8)))
  }

  @Test func `a key of another length is rejected`() {
    #expect(Authenticator(key: Secret([1, 2, 3])) == nil)
    #expect(Authenticator(key: Secret([])) == nil)
  }

  @Test func `comparison checks every byte and the length`() {
    #expect(constantTimeEqual([], []))
    #expect(constantTimeEqual([1, 2], [1, 2]))
    #expect(!constantTimeEqual([1, 2], [1, 3]))
    #expect(!constantTimeEqual([1, 2], [1, 2, 3]))
  }

  @Test func `base64url has no padding and no characters that need URL escaping`() {
    #expect(Base64URL.encode([]) == "")
    #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
    #expect(Base64URL.decode("-_8") == [0xFB, 0xFF])
    #expect(Base64URL.decode("-_8=") == nil)
    #expect(Base64URL.decode("+/8") == nil)
    #expect(Base64URL.decode("-_9") == nil)  // nonzero leftover bits
    // Found by the fuzzer: characters outside of the alphabet that take several bytes.
    #expect(Base64URL.decode("0123abcd-89AB-4def-8123-45\u{1F469}ebcdef") == nil)
  }

  @Test func `a secret is not printed`() {
    let secret = Secret(Array("correct horse".utf8))
    #expect("\(secret)" == "Secret(13 bytes)")
    var dumped = ""
    dump(secret, to: &dumped)
    #expect(!dumped.contains("horse"))
    #expect(secret.matches(Array("correct horse".utf8)))
    #expect(!secret.matches(Array("correct house".utf8)))
  }

  @Test func `random bytes differ`() {
    #expect(Random.bytes(32).count == 32)
    #expect(Random.bytes(32) != Random.bytes(32))
    #expect(Random.bytes(0).isEmpty)
  }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
