import Bytes
import HTTP
import JSON
package import Memes

/// Reads a row into the meme to import.
extension MemeList {
  /// The values that rows may have on this machine.
  package struct Rules: Sendable {
    let faces: [FontFace]
    let formats: [OutputFormat]
    let authors: ImportAuthors
    let latest: Timestamp

    /// - Parameters:
    ///   - faces: the font faces that captions can use.
    ///   - formats: the formats that this machine can write.
    ///   - now: the current time. `createdAt` may be up to a day later, because clocks differ.
    package init(
      faces: [FontFace], formats: [OutputFormat], authors: ImportAuthors, now: Timestamp
    ) {
      (self.faces, self.formats, self.authors) = (faces, formats, authors)
      latest = Timestamp(millisecondsSince1970: now.millisecondsSince1970 + 86_400_000)
    }
  }

  /// The fields of a row: those of `POST /memes` without the other picture sources, plus the fields of lists only.
  static let fieldNames = MemeForm.names.subtracting(["image", "upload", "template", "remix"])
    .union(["id", "file", "createdAt", "author"])

  /// - Throws: all errors in the row.
  package func read(_ row: Row, _ rules: Rules) throws(RowFault) -> ImportRow {
    guard row.range.count <= Self.maximumRowBytes, let text = text.slice(row.range) else {
      throw RowFault(nil, "The row is longer than \(Self.maximumRowBytes >> 10) KiB.")
    }
    do throws(Problem) {
      var fields =
        kind == .csv ? try record(text) : try FieldDecoder(body: text, known: Self.fieldNames)
      // Accept text with control characters from other services and from earlier versions of this server.
      fields.replacesControls = true
      return try fields.importRow(rules)
    } catch { throw RowFault(error) }
  }

  /// The file that the row names, for messages about the row; `nil` if it cannot be read.
  package func file(of row: Row) -> String? {
    guard row.range.count <= Self.maximumRowBytes, let text = text.slice(row.range) else {
      return nil
    }
    let fields =
      kind == .csv ? try? record(text) : try? FieldDecoder(body: text, known: Self.fieldNames)
    return fields?.sentText("file")
  }

  private func record(_ text: Bytes) throws(Problem) -> FieldDecoder {
    try text.withUnsafeBytes { text throws(Problem) in
      var csv = CSV(text)
      _ = csv.next()
      switch csv.fault {
      case .openQuote:
        throw Problem(.malformedRequest, "A quoted field is not closed.")
      case .textBehindQuote:
        throw Problem(.malformedRequest, "Text follows a closing quote.")
      case nil: break
      }
      guard csv.fields.count <= columns.count else {
        throw Problem(.malformedRequest, "The row has more fields than the first line.")
      }
      // An empty field counts as missing.
      return FieldDecoder(
        zip(columns, csv.fields).filter { !$1.range.isEmpty }.map {
          ($0, .bytes(csv.bytes(of: $1)))
        })
    }
  }
}

extension FieldDecoder {
  fileprivate mutating func importRow(_ rules: MemeList.Rules) throws(Problem) -> ImportRow {
    require(["file"])
    let file = text("file") { text in text }
    let author = author(rules.authors)
    let createdAt = text("createdAt") { text in
      let time = try Timestamp(text)
      guard (0...rules.latest.millisecondsSince1970).contains(time.millisecondsSince1970) else {
        throw InvalidValue(code: "out-of-range", message: "Must be between 1970 and now.")
      }
      return time
    }
    var draft = MemeForm.draft(
      of: .image(Bytes()), reading: &self, over: PersonalSettings(), hasAuthor: author != nil,
      faces: rules.faces, formats: rules.formats)
    var boxedFiles: [String] = []
    draft.take(
      pictures(from: ["file"]) { fields, name in
        fields.text(name) { text in
          boxedFiles.append(text)
          return .image(Bytes())
        }
      } ?? [])
    try finish()
    var row = ImportRow(
      draft: draft, file: file ?? "", createdAt: createdAt, author: author, replaced: replaced)
    row.boxedFiles = boxedFiles
    return row
  }

  private mutating func author(_ authors: ImportAuthors) -> Username? {
    switch authors {
    case .named: text("author", Username.init(_:))
    case .everyRow(let author): author
    case .anonymous: nil
    }
  }
}

extension RowFault {
  /// The reasons why a row or a file cannot be read.
  init(_ problem: Problem) {
    let reasons = problem.fields.map { Reason($0.field, $0.message) }
    self.init(reasons.isEmpty ? [Reason(nil, problem.detail ?? "It cannot be read.")] : reasons)
  }
}
