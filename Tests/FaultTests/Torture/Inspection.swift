import Bytes
import Crypto
import Imaging
import Support
import Wire

/// Compares the data of a server with the responses that its clients got.
struct Inspection {
  let ledger: Ledger
  let client: WireClient
  let adminToken: String

  /// The problems that were found, one sentence each.
  var complaints: [String] = []
  /// The memes that the server lists, by id.
  var listed: [String: JSON] = [:]
  /// The ids of the memes that exist although their upload got no response.
  private var adopted: [String] = []

  init(_ ledger: Ledger, _ server: ServerProcess, adminToken: String) throws {
    (self.ledger, self.adminToken) = (ledger, adminToken)
    client = try server.connect()
  }

  /// Checks the row of every meme, and every file of the memes for which `isDue` is true.
  mutating func run(filesOf isDue: (Ledger.Kept) -> Bool) async throws {
    try await list()
    try await settleChanges()
    checkAcknowledged()
    try await settleDeletions()
    settleRestorations()
    try await emptyTrash()
    adoptUnanswered()
    try await sendAgain()
    try await forgetUnanswered()
    try await checkSentAhead()
    for (id, kept) in ledger.snapshot.kept where isDue(kept) { try await checkFiles(id, kept) }
    ledger.change { $0.isTrashDue = false }
  }

  private mutating func list() async throws {
    var target: String? = "/memes?limit=100"
    while let page = target {
      let answer = try await client.ask("GET", page, token: adminToken)
      guard answer.status == 200 else {
        return complaints.append("\(page) was answered \(answer.response.text.prefix(300))")
      }
      for meme in answer.json.items.elements {
        let id = meme.id.text ?? ""
        if listed.updateValue(meme, forKey: id) != nil {
          complaints.append("\(id) is listed twice")
        }
      }
      target = answer.json.nextCursor.text.map { "/memes?limit=100&cursor=\($0)" }
    }
  }

  private mutating func checkAcknowledged() {
    let state = ledger.snapshot
    for (id, kept) in state.kept where !state.deleting.contains(id) {
      guard let meme = listed[id] else {
        complaints.append("\(id) was acknowledged in round \(kept.round) and is not there")
        continue
      }
      if meme.lacking(Self.viewed) != kept.json.lacking(Self.viewed) {
        complaints.append("\(id) is not what was acknowledged: \(meme), \(kept.json)")
      }
      if meme.counts.shares.int != kept.shares {
        complaints.append("\(id) was shared \(kept.shares) times and says \(meme.counts)")
      }
    }
    for id in state.deleted where listed[id] != nil && !state.restoring.contains(id) {
      complaints.append("\(id) was deleted and is there again")
    }
  }

  /// Members that depend on the viewer and not on what is stored, and the counts, which are compared separately.
  static let viewed: Set<String> = ["viewer", "original", "counts"]

  /// A deletion without a response is either done or not begun.
  private mutating func settleDeletions() async throws {
    for id in ledger.snapshot.deleting {
      if listed[id] == nil {
        let answer = try await client.ask("GET", "/memes/\(id)", token: adminToken)
        if answer.status != 410 { complaints.append("the deleted \(id) is \(answer.status)") }
        ledger.wasDeleted(id)
      } else {
        ledger.change { _ = $0.deleting.remove(id) }
      }
    }
    let state = ledger.snapshot
    if let id = state.deleted.subtracting(state.restoring).randomElement() {
      let answer = try await client.ask("GET", "/memes/\(id)", token: adminToken)
      if answer.status != 410 { complaints.append("the deleted \(id) is \(answer.status)") }
    }
  }

  /// A restoration without a response is either done or not begun. A restored meme equals the deleted one.
  private mutating func settleRestorations() {
    for id in ledger.snapshot.restoring {
      guard let meme = listed[id] else {
        ledger.change { _ = $0.restoring.remove(id) }
        continue
      }
      ledger.wasRestored(id)
      if meme.lacking(Self.viewed) != ledger.snapshot.kept[id]?.json.lacking(Self.viewed) {
        complaints.append("\(id) is not what was deleted: \(meme)")
      }
    }
  }

  /// A meme that is past its days in the trash cannot be restored, whether it is already purged or not.
  private mutating func emptyTrash() async throws {
    let state = ledger.snapshot
    guard state.isTrashDue else { return }
    for id in state.trash.keys.sorted().prefix(3) {
      let answer = try await client.ask("POST", "/memes/\(id)/restore", token: adminToken)
      if answer.status != 410 { complaints.append("\(id), past its days, is \(answer.status)") }
    }
    ledger.change { $0.trash = [:] }
  }

  /// An upload without a response may exist. Then the meme must be that upload, and complete.
  private mutating func adoptUnanswered() {
    let listed = listed
    let found = ledger.change { state in
      var (adopted, complaints): ([String], [String]) = ([], [])
      for (id, meme) in listed where state.kept[id] == nil && !state.deleted.contains(id) {
        guard let digest = meme.original.sha256.text,
          let upload = state.unanswered.removeValue(forKey: digest), upload.id ?? id == id
        else {
          complaints.append("\(id) is there and nobody sent it")
          continue
        }
        state.kept[id] = Ledger.Kept(upload: upload, json: meme, round: state.round)
        adopted.append(id)
      }
      return (adopted: adopted, complaints: complaints)
    }
    adopted = found.adopted
    complaints += found.complaints
  }

  /// A client that lost its response may repeat the request. With a key it gets the first response, with an id the
  /// meme.
  private mutating func sendAgain() async throws {
    let state = ledger.snapshot
    for id in adopted {
      guard let upload = state.kept[id]?.upload, upload.key != nil || upload.id != nil else {
        continue
      }
      // A key expires before the trash is due.
      if upload.key != nil, state.isTrashDue { continue }
      let answer = try await client.upload(upload)
      if answer.status != (upload.key == nil ? 200 : 201) || answer.json.id.text != id {
        complaints.append("\(id), sent again, is \(answer.response.text.prefix(300))")
      }
    }
  }

  /// An upload that got no response and does not exist never existed. Its client may send it again.
  private mutating func forgetUnanswered() async throws {
    let unanswered = ledger.snapshot.unanswered.values
    ledger.change { $0.unanswered = [:] }
    guard let upload = unanswered.first(where: { $0.id != nil || $0.key != nil }) else { return }
    let answer = try await client.upload(upload)
    guard answer.status == 201 else {
      return complaints.append("sent again: \(answer.response.text.prefix(300))")
    }
    ledger.wasUploaded(upload, answer.json)
  }

  private mutating func checkFiles(_ id: String, _ kept: Ledger.Kept) async throws {
    let meme = kept.json
    let image = try await file(meme.image.url.text, of: id)
    if image.count != meme.image.bytes.int {
      complaints.append("the image of \(id) has \(image.count) bytes")
    }
    let pictures = [
      (image, meme.image),
      (try await file(meme.thumbnails.table.url.text, of: id), meme.thumbnails.table),
      (try await file(meme.thumbnails.grid.url.text, of: id), meme.thumbnails.grid),
    ]
    for (bytes, facts) in pictures
    where Self.size(of: bytes) != [facts.width.int, facts.height.int] {
      complaints.append("a picture of \(id) does not decode to what its JSON says")
    }
    let original = try await file("/memes/\(id)/original", of: id)
    if SHA256.digest(of: Bytes(original)).hexadecimal != kept.upload.digest {
      complaints.append("the original of \(id) is not what was sent")
    }
  }

  private mutating func file(_ url: String?, of id: String) async throws -> [UInt8] {
    guard let url else {
      complaints.append("\(id) lacks a file's address")
      return []
    }
    let answer = try await client.ask("GET", url, token: adminToken)
    if answer.status != 200 { complaints.append("\(url) is \(answer.status)") }
    return answer.response.body
  }

  /// The size of the picture in the file, if all of it can be decoded.
  private static func size(of file: [UInt8]) -> [Int?]? {
    let file = Bytes(file)
    let pixels = PixelBuffer()
    guard let header = try? PictureHeader(of: file, maximumPixels: 1 << 24),
      (try? PictureDecoder.decode(file, header: header, maximumEdge: 1 << 14, into: pixels)) != nil
    else { return nil }
    return [pixels.width, pixels.height]
  }
}
