import Testing

@testable import HTTP

@Suite struct PartHeadTests {
  @Test(arguments: [
    ("form-data; name=top", "top"),
    ("form-data; name=\"top\"", "top"),
    ("FORM-DATA; NAME=\"top\"", "top"),
    ("form-data;name=\"top\";filename=\"a;b=c.jpg\"", "top"),
    ("form-data; filename=\"name=\\\"x\\\"\"; name=\"top\"", "top"),
    ("form-data; filename=\"C:\\pics\\cat.jpg\"; name=\"top\"", "top"),
    ("form-data; filename=\"\u{f6}.jpg\"; name=\"top\"; ", "top"),
    ("form-data; name=\"a\\\"b\\\\c\\d\"", "a\"b\\c\\d"),
    ("form-data; name=\"a%22b%0D%0ac%41%\"", "a\"b\r\nc%41%"),
    ("form-data; name=\"\u{1F408}\"", "\u{1F408}"),
    ("form-data; name=\" \"", " "),
    ("form-data; name*=UTF-8''x; name=top", "top"),
  ])
  func `a name is read as browsers and curl write it`(_ value: String, _ name: String) throws {
    #expect(try head("Content-Disposition: \(value)\r\n").name == name)
  }

  @Test(arguments: [
    "", "X: y\r\n", "Content-Disposition: form-data\r\n",
    "Content-Disposition: attachment; name=a\r\n",
    "Content-Disposition: form-data; name=\r\n",
    "Content-Disposition: form-data; name=\"\"\r\n",
    "Content-Disposition: form-data; name=\"a\r\n",
    "Content-Disposition: form-data; name=\"a\" b\r\n",
    "Content-Disposition: form-data; name=a; name=b\r\n",
    "Content-Disposition: form-data name=a\r\n",
    "Content-Disposition: form-data; name=a b\r\n",
    "Content-Disposition: form-data; name*=UTF-8''a\r\n",
    "Content-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=a\r\n",
    "Content-Disposition : form-data; name=a\r\n",
    "Content-Disposition form-data; name=a\r\n",
    ": form-data; name=a\r\n",
    "Content-Disposition: form-data; name=a\0\r\n",
    "Content-Disposition: form-data; name=a\rb\r\n",
    "Content-Disposition: form-data; name=a\r\nContent-Type: multipart/mixed; boundary=b\r\n",
    "Content-Disposition: form-data; name=a\r\nContent-Type: Multipart/Mixed\r\n",
    "Content-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: base64\r\n",
    "Content-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: quoted-printable\r\n",
    "Content-Disposition: form-data; name=" + String(repeating: "a", count: 257) + "\r\n",
  ])
  func `an invalid part header is malformed`(_ block: String) {
    #expect { try head(block) } throws: { ($0 as? Problem)?.kind == .malformedRequest }
  }

  @Test func `a name that is not UTF-8 is malformed`() {
    let block =
      Array("Content-Disposition: form-data; name=\"a".utf8) + [0xFF] + Array("\"\r\n".utf8)
    #expect(throws: Problem.self) { try PartHead(block[...]) }
  }

  @Test(arguments: ["binary", "8bit", "7BIT"])
  func `encodings that keep the bytes unchanged are accepted`(_ encoding: String) throws {
    let block =
      "Content-Transfer-Encoding: \(encoding)\r\nContent-Type: image/jpeg\r\n"
      + "Content-Disposition: form-data; name=" + String(repeating: "a", count: 256) + "\r\n"
    #expect(try head(block).name.count == 256)
  }

  private func head(_ block: String) throws(Problem) -> PartHead {
    try PartHead(Array(block.utf8)[...])
  }
}

@Suite struct MultipartBoundaryTests {
  @Test(arguments: [
    ("multipart/form-data; boundary=abc", "abc"),
    ("Multipart/Form-Data;BOUNDARY=abc", "abc"),
    ("multipart/form-data; charset=utf-8; boundary=\"a b:c\"", "a b:c"),
    (
      "multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW",
      "----WebKitFormBoundary7MA4YWxkTrZu0gW"
    ),
    (
      "multipart/form-data; boundary=" + String(repeating: "x", count: 70),
      String(repeating: "x", count: 70)
    ),
  ])
  func `a boundary is a token or a quoted string`(_ value: String, _ boundary: String) throws {
    #expect(try MultipartBoundary(contentType: HeaderValue(value)).text == boundary)
  }

  @Test(arguments: [
    "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\"",
    "multipart/form-data; boundary=a; boundary=b", "multipart/form-data; boundary=\"a \"",
    "multipart/form-data; boundary=\"a\u{e9}\"", "multipart/form-data; boundary=\"a*b\"",
    "multipart/form-data; boundary=" + String(repeating: "x", count: 71),
  ])
  func `a missing or invalid boundary is malformed`(_ value: String) {
    #expect { try MultipartBoundary(contentType: HeaderValue(value)) } throws: {
      ($0 as? Problem)?.kind == .malformedRequest
    }
  }

  @Test(arguments: [
    nil, "", "application/json", "multipart/mixed; boundary=a", "text/multipart/form-data",
    "multipart",
  ])
  func `another media type is not supported`(_ value: String?) {
    #expect { try MultipartBoundary(contentType: value.flatMap { HeaderValue($0) }) } throws: {
      ($0 as? Problem)?.kind == .unsupportedMediaType
    }
  }
}
