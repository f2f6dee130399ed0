import Foundation
import Testing

@testable import MemeMeClient

struct EventStreamParserTests {
  private typealias Event = EventStreamParser.Event

  private static func events(
    _ pieces: [Data], lastID: String? = nil
  ) throws -> ([Event], EventStreamParser) {
    var parser = EventStreamParser(lastID: lastID)
    return (try pieces.flatMap { try parser.take($0) }, parser)
  }

  private static let hard = """
    \u{FEFF}: a comment\r\nid: 1\r\ndata: one\r\n\r\ndata:two\rdata: and 🐈\r\r\
    event: note\nid: 3\ndata:\ndata:  kept\n\n: heartbeat\n\nid: 4\n\nretry: 2500\n\
    unknown: x\ndata\ndata\n\nretry: soon\nid: nul\u{0}\ndata: last\n\ndata: unfinished\n
    """

  private static let told = [
    Event(id: "1", type: "message", data: "one"),
    Event(id: "1", type: "message", data: "two\nand 🐈"),
    Event(id: "3", type: "note", data: "\n kept"),
    Event(id: "4", type: "message", data: "\n"),
    Event(id: "4", type: "message", data: "last"),
  ]

  @Test func `events are parsed according to the standard`() throws {
    let (events, parser) = try Self.events([Data(Self.hard.utf8)])
    #expect(events == Self.told)
    #expect(parser.reconnectionTime == .milliseconds(2500))
    #expect(parser.lastID == "4")
  }

  @Test func `input can be split anywhere`() throws {
    let bytes = Data(Self.hard.utf8)
    for place in 0...bytes.count {
      let (events, _) = try Self.events([bytes.prefix(place), bytes.dropFirst(place)])
      #expect(events == Self.told, "cut at \(place)")
    }
    let (events, _) = try Self.events(bytes.map { Data([$0]) })
    #expect(events == Self.told)
  }

  @Test func `an id without data updates the position without an event`() throws {
    let (events, parser) = try Self.events([Data("id: 7\n\n".utf8)], lastID: "6")
    #expect(events.isEmpty)
    #expect(parser.lastID == "7")
    let (_, unfinished) = try Self.events([Data("id: 8\ndata: x\n".utf8)], lastID: "6")
    #expect(unfinished.lastID == "6")
  }

  @Test
  func `an empty id resets the position, and a byte order mark counts only at the start`() throws {
    let (events, _) = try Self.events(
      [Data("id\ndata: x\n\n\u{FEFF}data: y\n\n".utf8)], lastID: "6")
    #expect(events == [Event(id: "", type: "message", data: "x")])
  }

  @Test func `lines and events are limited in size`() throws {
    var parser = EventStreamParser(mostBytes: 100)
    #expect(throws: EventStreamParser.Failure.self) {
      _ = try parser.take(Data(repeating: 0x61, count: 101))
    }
    var patient = EventStreamParser(mostBytes: 100)
    #expect(throws: EventStreamParser.Failure.self) {
      for _ in 0..<10 {
        _ = try patient.take(Data("data: \(String(repeating: "x", count: 40))\n".utf8))
      }
    }
  }

  @Test func `any input is parsed without a crash or hang`() throws {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("\r\n:idatevn \u{0}é".utf8) + [0xFF]
    for _ in 0..<2000 {
      var parser = EventStreamParser()
      let bytes = (0..<60).compactMap { _ in alphabet.randomElement(using: &generator) }
      _ = try parser.take(Data(bytes))
    }
  }
}
