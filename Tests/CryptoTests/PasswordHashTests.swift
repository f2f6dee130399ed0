import Testing

@testable import Crypto

struct PasswordHashTests {
  @Test func `a hash verifies its password and no other`() throws {
    let password = Array("correct horse".utf8)
    let encoded = try PasswordHash.make(of: password)
    #expect(encoded.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
    #expect(try PasswordHash.verify(password, against: encoded))
    #expect(try !PasswordHash.verify(Array("correct hors".utf8), against: encoded))
    #expect(try !PasswordHash.verify([], against: encoded))
    #expect(!PasswordHash.isOutdated(encoded))
    // Each hash has its own salt.
    #expect(try PasswordHash.make(of: password) != encoded)
  }

  @Test func `all bytes of a long password count`() throws {
    let long = [UInt8](repeating: 0xFF, count: 1024)
    let encoded = try PasswordHash.make(of: long + [0, 1])
    #expect(try PasswordHash.verify(long + [0, 1], against: encoded))
    #expect(try !PasswordHash.verify(long + [0, 2], against: encoded))
    #expect(try !PasswordHash.verify(long, against: encoded))
  }

  @Test func `hashes with other parameters verify but are outdated`() throws {
    // 8 MiB and one pass.
    let encoded =
      "$argon2id$v=19$m=8192,t=1,p=1$wOv1ssOyezM+UqKV2obnRQ$6oTnqaAFEfj1LF8Hbs3iB5dOykbWHNE0DUOQ9avJZDA"
    #expect(try PasswordHash.verify(Array("a password of before".utf8), against: encoded))
    #expect(PasswordHash.isOutdated(encoded))
    for damaged in ["", "x", String(encoded.dropLast()), encoded + "A"] {
      #expect(try !PasswordHash.verify(Array("a password of before".utf8), against: damaged))
      #expect(PasswordHash.isOutdated(damaged))
    }
  }
}
