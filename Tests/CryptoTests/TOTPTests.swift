import Crypto
import Testing

struct TOTPTests {
  /// The secret of the RFCs' test vectors.
  private static let secret = Array("12345678901234567890".utf8)

  @Test(arguments: [
    (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"),
    (1_234_567_890, "89005924"), (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
  ])
  func `codes are the last six digits of those of RFC 6238 appendix B`(
    seconds: Int64, code: String
  ) throws {
    #expect(try TOTP.code(Self.secret, at: seconds / TOTP.stepSeconds) == code.suffix(6))
    #expect(
      try TOTP.step(of: String(code.suffix(6)), secret: Self.secret, at: seconds * 1000)
        == seconds / 30)
  }

  @Test func `codes are those of RFC 4226 appendix D`() throws {
    let codes = [
      "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871",
      "520489",
    ]
    for (counter, code) in codes.enumerated() {
      #expect(try TOTP.code(Self.secret, at: Int64(counter)) == code)
    }
  }

  @Test func `a code is right one step before and after its own`() throws {
    let code = try TOTP.code(Self.secret, at: 100)
    func step(at seconds: Int64) throws -> Int64? {
      try TOTP.step(of: code, secret: Self.secret, at: seconds * 1000)
    }
    #expect(try step(at: 99 * 30 - 1) == nil)
    #expect(try step(at: 99 * 30) == 100 && step(at: 100 * 30) == 100)
    #expect(try step(at: 102 * 30 - 1) == 100)
    #expect(try step(at: 102 * 30) == nil)
    for wrong in ["", "0", String(code.dropLast()), code + "0", "......"] {
      #expect(try TOTP.step(of: wrong, secret: Self.secret, at: 3_000_000) == nil)
    }
  }

  @Test(arguments: [
    ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"),
    ("fooba", "MZXW6YTB"), ("foobar", "MZXW6YTBOI"),
  ])
  func `Base32 is that of RFC 4648 §10, without padding`(text: String, encoded: String) {
    #expect(Base32.encode(Array(text.utf8)) == encoded)
  }
}

struct SecretCipherTests {
  private static func cipher(_ byte: UInt8, _ purpose: String = "tests") throws -> SecretCipher {
    let key = [UInt8](repeating: byte, count: Authenticator.keyBytes)
    return try #require(Authenticator(key: Secret(key))).cipher(for: purpose)
  }

  @Test func `a secret is opened with the same key, purpose and context only`() throws {
    let cipher = try Self.cipher(1)
    let (secret, ada): ([UInt8], [UInt8]) = (Array("a secret of 20 bytes".utf8), [1, 2, 3])
    let sealed = cipher.seal(secret, for: ada)
    #expect(sealed.count == secret.count + 40)
    #expect(cipher.open(sealed, for: ada) == secret)
    #expect(cipher.seal(secret, for: ada) != sealed)
    #expect(cipher.open(sealed, for: [1, 2]) == nil)
    #expect(try Self.cipher(2).open(sealed, for: ada) == nil)
    #expect(try Self.cipher(1, "others").open(sealed, for: ada) == nil)
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(cipher.open(changed, for: ada) == nil)
    }
    #expect(cipher.open(Array(sealed.prefix(39)), for: ada) == nil)
    #expect(cipher.open([], for: ada) == nil)
    #expect(cipher.open(cipher.seal([], for: ada), for: ada) == [])
  }
}
