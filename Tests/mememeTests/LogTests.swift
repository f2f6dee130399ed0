import Dispatch
import Foundation
import HTTP
import Support
import Testing
import mememe

struct LogTests {
  @Test func `lines of many threads are intact, and lines of one thread are in order`()
    async throws
  {
    let file = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID().uuidString)")
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    defer {
      close(descriptor)
      try? FileManager.default.removeItem(at: file)
    }
    let log = Log(level: .info, format: .text, descriptor: descriptor)
    try await blocking {
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        for number in 0..<200 {
          log.write(.info, "line", [("thread", .whole(thread)), ("number", .whole(number))])
        }
      }
    }
    log.flush()
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 1600)
    for thread in 0..<8 {
      let numbers = lines.compactMap {
        $0.firstMatch(of: /^\S+Z info line thread=(\d+) number=(\d+)$/)
      }.filter { $0.1 == "\(thread)" }.map { Int($0.2) }
      #expect(numbers == Array(0..<200))
    }
  }

  @Test(arguments: [LogFormat.text, .json])
  func `a request line is written without waiting for another one`(format: LogFormat) async throws {
    let pipe = Pipe.alone()
    let log = Log(
      level: .info, format: format, descriptor: pipe.fileHandleForWriting.fileDescriptor)
    log.access(
      AccessRecord(
        id: RequestID(random: 0xAB), peer: "127.0.0.1", method: "GET", target: "/a\"b =",
        route: nil,
        status: .ok, bodyBytes: 12, seconds: 0.0015, outcome: .answered))
    let line = try await blocking { pipe.fileHandleForReading.availableData }
    switch format {
    case .text:
      let text = String(decoding: line, as: UTF8.self)
      let expected = """
        info request id=000000000005b peer=127.0.0.1 method=GET route=unmatched target="/a\\"b =" \
        status=200 bytes=12 milliseconds=1.500 outcome=answered\n
        """
      #expect(text.drop { $0 != " " }.dropFirst() == expected)
    case .json:
      let json = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
      #expect(json["message"] as? String == "request")
      #expect(json["target"] as? String == "/a\"b =")
      #expect(json["milliseconds"] as? Double == 1.5)
    }
  }

  @Test func `a line about connections has each member once`() async throws {
    let pipe = Pipe.alone()
    let log = Log(
      level: .debug, format: .json, descriptor: pipe.fileHandleForWriting.fileDescriptor)
    for (say, message) in [(log.connections, "connections"), (log.library, "libmicrohttpd")] {
      say("no files")
      let line = try await blocking { pipe.fileHandleForReading.availableData }
      #expect(
        String(decoding: line, as: UTF8.self).hasSuffix(
          #""message":"\#(message)","cause":"no files"}\#n"#))
    }
  }

  @Test func `request lines are batched while others are written`() async throws {
    // Each write is a separate packet.
    var ends: [Int32] = [0, 0]
    #if os(Linux)
      try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
    #else
      try #require(socketpair(AF_UNIX, SOCK_DGRAM, 0, &ends) == 0)
    #endif
    let (writing, reading) = (ends[0], ends[1])
    let log = Log(level: .info, format: .text, descriptor: writing)
    let record = AccessRecord(
      id: RequestID(random: 1), peer: "127.0.0.1", method: "GET", target: "/", route: nil,
      status: .ok, bodyBytes: 0, seconds: 0, outcome: .answered)
    async let written = blocking {
      var (count, bytes) = (0, 0)
      var packet = [UInt8](repeating: 0, count: 1 << 16)
      while case let size = read(reading, &packet, packet.count), size > 0 {
        (count, bytes) = (count + 1, bytes + size)
        if String(decoding: packet[..<size], as: UTF8.self).contains("info the last") { break }
      }
      return (count: count, bytes: bytes)
    }
    let seconds = try await blocking {
      let start = ContinuousClock.now
      while ContinuousClock.now - start < .milliseconds(300) { log.access(record) }
      log.write(.info, "the last")
      return (ContinuousClock.now - start) / .seconds(1)
    }
    let (count, bytes) = try await written
    // Close only now, because the log would write to the next file that gets this descriptor.
    close(writing)
    close(reading)
    // The log writes twenty times a second, and whenever it has 64 KiB. A packet has at most 4096 bytes.
    let gatherings = Int(seconds * 20) + bytes / 65_536 + 2
    #expect(count <= bytes / 4096 + 2 * gatherings, "\(bytes) bytes in \(seconds) s")
  }

  @Test func `a full log blocks no caller and later reports the lost lines`() async throws {
    let pipe = Pipe.alone()
    let log = Log(level: .info, format: .text, descriptor: pipe.fileHandleForWriting.fileDescriptor)
    let filler = String(repeating: "x", count: 1000)
    for _ in 0..<4000 { log.write(.info, "line", [("filler", .text(filler))]) }
    let lines = try await blocking {
      var data = Data()
      // The note arrives after everything before it was read.
      while !String(decoding: data.suffix(200), as: UTF8.self).contains(/\bcount=\d+\n/) {
        data += pipe.fileHandleForReading.availableData
      }
      return String(decoding: data, as: UTF8.self).split(separator: "\n")
    }
    let lost = try #require(lines.last?.firstMatch(of: /\bcount=(\d+)/).flatMap { Int($0.1) })
    #expect(lost > 0)
    #expect(lines.dropLast().allSatisfy { $0.hasSuffix("Z info line filler=\(filler)") })
    #expect(lines.count - 1 + lost == 4000 && log.lostLines == lost)
  }
}
