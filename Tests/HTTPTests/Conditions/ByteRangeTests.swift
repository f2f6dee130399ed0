import HTTP
import Testing

struct ByteRangeTests {
  @Test(arguments: [
    ("bytes=0-0", 10, 0..<1), ("bytes=0-9", 10, 0..<10), ("bytes=3-5", 10, 3..<6),
    ("bytes=3-", 10, 3..<10), ("bytes=9-", 10, 9..<10), ("bytes=-1", 10, 9..<10),
    ("bytes=-10", 10, 0..<10), ("bytes=-11", 10, 0..<10), ("bytes=5-99", 10, 5..<10),
    ("BYTES=0-1", 10, 0..<2), ("bytes=0-99999999999999999999", 10, 0..<10),
    ("bytes=-99999999999999999999", 10, 0..<10), ("bytes=0-9223372036854775807", 10, 0..<10),
    ("bytes=-9223372036854775807", 10, 0..<10), ("bytes=00-007", 10, 0..<8),
    ("bytes=0-0", .max, 0..<1),
  ])
  func `a range resolves within the body`(text: String, count: Int, part: Range<Int>) {
    #expect(ByteRange(text)?.resolved(in: count) == part)
  }

  @Test(arguments: [
    ("bytes=10-", 10), ("bytes=10-11", 10), ("bytes=-0", 10), ("bytes=-00", 10),
    ("bytes=99999999999999999999-", 10), ("bytes=9223372036854775807-", 10),
    ("bytes=9223372036854775807-9223372036854775807", 10),
    ("bytes=18446744073709551616-99999999999999999999999999", 10), ("bytes=0-", 0),
    ("bytes=-1", 0),
  ])
  func `a range past the end cannot be satisfied`(text: String, count: Int) {
    #expect(ByteRange(text) != nil)
    #expect(ByteRange(text)?.resolved(in: count) == nil)
  }

  @Test(arguments: [
    "", "bytes", "bytes=", "bytes=-", "bytes=5-3", "bytes=a-b", "bytes=0-1,3-4", "bytes=0-1,",
    "bytes=,0-1", "bytes=0-1, -1", "bytes=+0-1", "bytes=0-+1", "bytes=--1", "bytes=0--1",
    "bytes=-1-", "bytes=1-2-3", "bytes= 0-1", "bytes=0 -1", "bytes=0- 1", "bytes =0-1",
    "bytes=0-1 ", "bytes:0-1", "items=0-1", "byte=0-1", "bytess=0-1", "0-1", "bytes==0-1",
    "bytes=0x0-0x1", "bytes=٠-١", "bytes=1e3-", "bytes=0-1;q=1", "bytes=*", "=0-1",
  ])
  func `multiple ranges, other units and invalid ranges are ignored`(text: String) {
    #expect(ByteRange(text) == nil)
  }
}
