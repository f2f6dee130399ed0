import Bytes
import Crypto
import Foundation
import Support
import Testing
import Wire

/// A database whose bytes changed while no server ran.
@Suite(.serialized)
struct DamagedDatabaseTests {
  /// The place of the changed bytes.
  enum Place: CaseIterable {
    /// The first 100 bytes, which define the type of the file.
    case header
    /// The rest of the first page: the root of the schema.
    case schema
    /// Pages of rows and of pictures, anywhere in the file.
    case anywhere
    /// The header and the frames of the log.
    case log
  }

  private static let timesEach = Scale.isLong ? 25 : 2
  private static let adminToken = "an-admin-token-for-damage"

  /// What a server must have: the digest of each file, by its URL.
  private struct Truth {
    var files: [String: String] = [:]
  }

  @Test(arguments: Place.allCases)
  func `a damaged database is rejected, or served as far as possible and found by check`(
    place: Place
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "mememe-damage-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let sound = folder.appending(path: "sound")
    // Only a server that was killed leaves a log.
    let truth = try await fill(sound, endingBy: place == .log ? SIGKILL : SIGTERM)
    for number in 0..<Self.timesEach {
      var random = SeededRandom(Scale.seed, place.hashValueForSeeds, number)
      let data = folder.appending(path: "\(number)")
      try FileManager.default.copyItem(at: sound, to: data)
      let note = try damage(data, place, &random)
      let server = try ServerProcess(
        launching: data, settings: ["MEMEME_ADMIN_TOKEN": Self.adminToken])
      do { try await server.ready() } catch {
        let code = try await server.ended()
        #expect(code == 1, "\(note): \(server.log)")
        #expect(server.log.contains("mememe.db"), "\(note): \(server.log)")
        continue
      }
      var wrong: [String] = []
      do { wrong = try await served(by: server, not: truth, note) } catch {
        Issue.record("\(note): \(error)")
      }
      let code = try await server.end(by: SIGTERM)
      #expect(code == 0, "\(note): \(server.log.suffix(2000))")
      let (found, output) = try await ServerProcess.run(["check", "--decode", "--data", data.path])
      #expect([0, 1, 2].contains(found), "\(note): \(output)")
      // A bit that flips within the bytes of a picture must be found by `check`.
      if !wrong.isEmpty { #expect(found == 1, "\(note): \(wrong) were served; \(output)") }
    }
  }

  private func fill(_ data: URL, endingBy signal: Int32) async throws -> Truth {
    var truth = Truth()
    var random = SeededRandom(Scale.seed)
    let server = try await ServerProcess(
      data: data, settings: ["MEMEME_ADMIN_TOKEN": Self.adminToken])
    let client = try server.connect()
    for number in 0..<6 {
      let upload = try Ledger.Upload(&random, commentBytes: number.isMultiple(of: 2) ? 60_000 : 100)
      let meme = try await client.upload(upload).expect(201).json
      let urls = [
        meme.image.url.text, meme.thumbnails.table.url.text, meme.thumbnails.grid.url.text,
        "/memes/\(meme.id.text ?? "")/original",
      ]
      for url in urls {
        let url = try #require(url)
        let file = try await client.ask("GET", url, token: Self.adminToken).expect(200)
        truth.files[url] = SHA256.digest(of: Bytes(file.response.body)).hexadecimal
      }
    }
    _ = try await server.end(by: signal)
    return truth
  }

  /// Changes one to sixteen bytes.
  ///
  /// - Returns: a description of the change.
  private func damage(
    _ data: URL, _ place: Place, _ random: inout SeededRandom
  ) throws -> String {
    let file = data.appending(path: place == .log ? "mememe.db-wal" : "mememe.db")
    var bytes = [UInt8](try Data(contentsOf: file))
    let range =
      switch place {
      case .header: 0..<100
      case .schema: 100..<16_384
      case .anywhere: 16_384..<bytes.count
      case .log: random.chance(0.3) ? 0..<64 : 0..<bytes.count
      }
    let start = Int.random(in: range, using: &random)
    let count = min(.random(in: 1...16, using: &random), bytes.count - start)
    for index in start..<start + count {
      bytes[index] = UInt8.random(in: .min ... .max, using: &random)
    }
    try Data(bytes).write(to: file)
    return "seed \(Scale.seed): \(count) bytes at \(start) of \(file.lastPathComponent)"
  }

  /// Requests everything.
  ///
  /// - Returns: the URLs whose files are served but differ from the original.
  private func served(
    by server: ServerProcess, not truth: Truth, _ note: String
  ) async throws -> [String] {
    let client = try server.connect()
    let list = try await client.ask("GET", "/memes?limit=100")
    #expect([200, 500].contains(list.status), "\(note)")
    var wrong: [String] = []
    for (url, digest) in truth.files {
      let answer = try await client.ask("GET", url, token: Self.adminToken)
      #expect([200, 404, 410, 500].contains(answer.status), "\(note): \(url)")
      let body = Bytes(answer.response.body)
      if answer.status == 200, SHA256.digest(of: body).hexadecimal != digest { wrong.append(url) }
    }
    #expect(try await client.ask("GET", "/healthz").status == 200)
    return wrong
  }
}

extension DamagedDatabaseTests.Place {
  fileprivate var hashValueForSeeds: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
