import Testing

@testable import Objects

struct S3AddressTests {
  @Test(arguments: [
    ("s3://memes", "https://memes.s3.us-east-1.amazonaws.com/"),
    ("s3://memes/a/b/?region=eu-west-3", "https://memes.s3.eu-west-3.amazonaws.com/a/b/"),
    (
      "s3://memes/a?endpoint=https://s3.example:8443/&path-style=yes",
      "https://s3.example:8443/memes/a/"
    ),
    ("s3://memes?endpoint=https://s3.example&path-style=no", "https://memes.s3.example/"),
    (
      "s3://memes?endpoint=http://127.0.0.1:9000&path-style=yes", "http://127.0.0.1:9000/memes/"
    ),
    ("s3://memes?endpoint=http://[::1]:9000&path-style=yes", "http://[::1]:9000/memes/"),
    ("s3://memes?endpoint=http://localhost&path-style=yes", "http://localhost/memes/"),
    (
      "s3://memes?endpoint=http://store.example&insecure=yes&path-style=yes",
      "http://store.example/memes/"
    ),
  ])
  func `an address names a URL`(_ text: String, _ url: String) throws {
    #expect(try S3Address(text).description == url)
  }

  @Test(arguments: [
    "", "memes", "https://memes", "s3://", "s3:///memes", "s3://Me", "s3://a_b_c/x",
    "s3://user@memes", "s3://memes:80", "s3://memes#a", "s3://memes/a b", "s3://memes/a%2Fb",
    "s3://memes/../x", "s3://memes/ä", "s3://memes?region=", "s3://memes?region=a/b",
    "s3://memes?endpoint=http://store.example", "s3://memes?endpoint=http://127.evil.example",
    "s3://memes?endpoint=ftp://a", "s3://memes?endpoint=https://a/path",
    "s3://memes?endpoint=https://a?b", "s3://memes?endpoint=https://user@a",
    "s3://memes?path-style=maybe", "s3://memes?insecure=1", "s3://memes?other=yes",
    "s3://memes?region=a&region=b",
  ])
  func `other texts are no addresses`(_ text: String) {
    #expect(throws: S3Address.Invalid.self) { try S3Address(text) }
  }

  @Test(arguments: [
    ("key\nsecret\n", "key", "secret"), ("key\r\nsec/ret+=", "key", "sec/ret+="),
    ("\n key \n\n secret\n\n", "key", "secret"),
  ])
  func `a key file has two lines`(_ text: String, _ key: String, _ secret: String) throws {
    let credentials = try #require(S3Credentials(file: text))
    #expect(credentials.accessKey == key && credentials.secret == secret)
  }

  @Test(arguments: ["", "key", "key\n\n", "a\nb\nc"])
  func `other texts are no key files`(_ text: String) {
    #expect(S3Credentials(file: text) == nil)
  }

  @Test func `keys need no escapes`() {
    #expect(ObjectKey("20261125/0123456789abcdef") != nil && ObjectKey("mark") != nil)
    for text in ["", "/", "a/", "/a", "a//b", "A", "a b", "../a", "a.b", "ä", "a\u{0}"] {
      #expect(ObjectKey(text) == nil, "\(text)")
    }
    #expect(ObjectKey(String(repeating: "a", count: 201)) == nil)
  }
}
