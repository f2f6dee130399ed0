import HTTP
import Testing

struct AcceptEncodingTests {
  @Test(arguments: [
    "gzip", "gzip, deflate, br", "br;q=1.0, GZIP;q=0.5", "*", "identity, *;q=0.1",
    "deflate , gzip ; q=1",
  ])
  func `a listed coding or a wildcard is accepted`(_ text: String) {
    #expect(AcceptEncoding(text).takes("gzip"))
  }

  @Test(arguments: [
    nil, "", "identity", "gzip;q=0", "*;q=0", "gzip;q=0, *", "gzip;q=x", "xgzip", ",,;",
  ])
  func `a coding that is unlisted or has q=0 is not accepted`(_ text: String?) {
    #expect(!AcceptEncoding(text).takes("gzip"))
  }
}
