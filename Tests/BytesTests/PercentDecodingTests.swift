import Bytes
import Testing

struct PercentDecodingTests {
  @Test(arguments: [
    ("", ""), ("plain", "plain"), ("a%20b", "a b"), ("%c3%BC", "ü"), ("%6dm_", "mm_"),
    // An invalid encoding stays, and the ones after it are decoded.
    ("100%", "100%"), ("%4", "%4"), ("%zz%41", "%zzA"), ("%%41", "%A"), ("%4%31", "%41"),
  ])
  func `valid encodings are decoded, once`(text: String, decoded: String) {
    #expect(text.percentDecodedBytes == Array(decoded.utf8))
  }

  @Test func `bytes need not be UTF-8`() {
    #expect("%ff%00".percentDecodedBytes == [0xFF, 0])
  }
}
