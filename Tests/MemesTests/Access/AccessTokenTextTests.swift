import Memes
import Testing

private let secret = "0123456789-ABCDEF_abcdefghijklmn"

struct AccessTokenTextTests {
  @Test(arguments: [
    "mm_\(secret)", "?token=mm_\(secret)&x=1", "x=Bearer%20mm_\(secret)", "x=%6Dm%5F\(secret)",
    "x=mm_\(secret)%26", "mm_\(secret)=", "x=a+mm_\(secret).b",
  ])
  func `a whole token is found as a word`(part: String) {
    #expect(AccessTokenText.occursAsWord(inURL: part))
    #expect(AccessTokenText.occurs(inURL: part))
  }

  @Test(arguments: [
    "code=4%2F0-mm_\(secret)", "state=mm_\(secret)-", "s=\(secret)mm_\(secret)",
    "x=mm_\(secret.dropLast())",
  ])
  func `a part of a longer or shorter value is not a word, but the log does not show it`(
    part: String
  ) {
    #expect(!AccessTokenText.occursAsWord(inURL: part))
    #expect(AccessTokenText.occurs(inURL: part))
  }

  @Test(arguments: ["", "q=mm_", "q=mm_cat", "q=\(secret)"])
  func `other text is not a token`(part: String) {
    #expect(!AccessTokenText.occursAsWord(inURL: part))
    #expect(!AccessTokenText.occurs(inURL: part))
  }
}
