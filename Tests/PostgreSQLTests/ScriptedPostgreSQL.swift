import Foundation
import Synchronization
import Wire

/// A server that speaks PostgreSQL's protocol, performs nothing, and ends a connection where a test says
/// (https://www.postgresql.org/docs/15/protocol-message-formats.html).
final class ScriptedPostgreSQL: Sendable {
  /// What a server that stops answers instead of a result, once.
  enum End {
    /// The statement is performed and answered. Then comes FATAL.
    case fatalAfter(String)
    /// FATAL comes instead of the result.
    case fatal(insteadOf: String)
    /// The connection ends without a word instead of the result.
    case silence(insteadOf: String)
    /// The statement fails, and the connection stays.
    case failure(of: String, state: String)
  }

  private let listener: WireSocket
  private let pending: Mutex<End?>
  private let texts = Mutex<[String]>([])

  init(_ end: End) throws {
    pending = Mutex(end)
    listener = try WireSocket(listeningOn: 0)
    Thread.detachNewThread { [self] in
      while let client = listener.accepted() {
        Thread.detachNewThread { [self] in
          serve(client)
          client.shut()
        }
      }
    }
  }

  var address: String { "postgres://test@127.0.0.1:\(listener.port)/test?sslmode=disable" }

  /// The statements that were performed, in their order.
  var performed: [String] { texts.withLock { $0 } }

  func stop() { listener.shut() }

  /// The end, if it is now.
  private func takeEnd(_ isNow: (End) -> Bool) -> Bool {
    pending.withLock { end in
      guard let now = end, isNow(now) else { return false }
      end = nil
      return true
    }
  }

  private func serve(_ client: WireSocket) {
    var input = Input(client)
    guard input.startup() != nil else { return }
    var hello = message("R", number(0))
    for (name, value) in [
      ("server_version", "15.0"), ("in_hot_standby", "off"), ("client_encoding", "UTF8"),
      ("default_transaction_read_only", "off"), ("standard_conforming_strings", "on"),
    ] { hello += message("S", text(name) + text(value)) }
    client.send(hello + Self.ready)
    var (prepared, bound): ([String: String], String) = ([:], "")
    var (output, isAborted, isEnding): ([UInt8], Bool, Bool) = ([], false, false)
    while let (kind, body) = input.message() {
      let words = body.split(separator: 0, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      switch kind {
      case "Q": output += message("C", text("SET")) + Self.ready
      case "P" where !isAborted:
        prepared[words[0]] = words[1]
        output += message("1", [])
      case "B" where !isAborted:
        bound = prepared[words[1]] ?? ""
        output += message("2", [])
      case "D" where !isAborted: output += message("n", [])
      case "E" where !isAborted:
        let sql = bound
        let isFailing = takeEnd { end in
          guard case .failure(sql, let state) = end else { return false }
          output += message("E", error("ERROR", state))
          return true
        }
        if isFailing {
          isAborted = true
          break
        }
        if takeEnd({ if case .silence(insteadOf: sql) = $0 { true } else { false } }) { return }
        if takeEnd({ if case .fatal(insteadOf: sql) = $0 { true } else { false } }) {
          client.send(output + message("E", error("FATAL", "57P01")))
          return
        }
        texts.withLock { $0.append(sql) }
        output += message("C", text(sql.hasPrefix("INSERT") ? "INSERT 0 1" : sql))
        isEnding = takeEnd { if case .fatalAfter(sql) = $0 { true } else { false } }
      case "S":
        if isEnding {
          client.send(output + message("E", error("FATAL", "57P01")))
          return
        }
        isAborted = false
        output += Self.ready
      case "X": return
      default: break
      }
      guard "QSH".contains(kind) else { continue }
      client.send(output)
      output = []
    }
  }

  private static let ready = message("Z", Array("I".utf8))

  private func error(_ severity: String, _ state: String) -> [UInt8] {
    ["S\(severity)", "V\(severity)", "C\(state)", "Mended"].flatMap { text($0) } + [0]
  }

  /// The messages of a client.
  private struct Input {
    private let client: WireSocket
    private var bytes: [UInt8] = []

    init(_ client: WireSocket) { self.client = client }

    /// The first message, which has no kind.
    mutating func startup() -> [UInt8]? {
      guard let length = take(4).map(Self.number) else { return nil }
      return take(length - 4)
    }

    mutating func message() -> (kind: Character, body: [UInt8])? {
      guard let head = take(5), let body = take(Self.number(Array(head[1...])) - 4) else {
        return nil
      }
      return (Character(Unicode.Scalar(head[0])), body)
    }

    private mutating func take(_ count: Int) -> [UInt8]? {
      while bytes.count < count {
        guard let more = client.received() else { return nil }
        bytes += more
      }
      defer { bytes.removeFirst(count) }
      return Array(bytes[..<count])
    }

    private static func number(_ bytes: [UInt8]) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
  }
}

private func message(_ kind: Character, _ body: [UInt8]) -> [UInt8] {
  Array(String(kind).utf8) + number(body.count + 4) + body
}

private func number(_ value: Int) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
}

private func text(_ value: String) -> [UInt8] { Array(value.utf8) + [0] }
