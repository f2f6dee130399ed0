import HTTP
import Testing

struct AcceptEncodingTests {
  @Test(arguments: [
    "gzip", "gzip, deflate, br", "br;q=1.0, GZIP;q=0.5", "*", "identity, *;q=0.1",
    "deflate , gzip ; q=1",
  ])
  func `a coding that is named, or that all may be, is taken`(_ text: String) {
    #expect(AcceptEncoding(text).takes("gzip"))
  }

  @Test(arguments: [
    nil, "", "identity", "gzip;q=0", "*;q=0", "gzip;q=0, *", "gzip;q=x", "xgzip", ",,;",
  ])
  func `without a word, or with a refusal, it is not`(_ text: String?) {
    #expect(!AcceptEncoding(text).takes("gzip"))
  }
}
