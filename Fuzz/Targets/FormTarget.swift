import Bytes
import HTTP
import Memes

@testable import API

extension FuzzTarget {
  /// The form of an upload. The input is a byte that selects the chunk sizes, a line with the Content-Type, then the
  /// body.
  static let form = FuzzTarget(name: "form", maximumBytes: 4096) { bytes in
    var input = Input(bytes)
    let seed = input.byte()
    guard let type = HeaderValue(String(decoding: input.line(), as: UTF8.self)) else { return }
    let body = Array(input.rest)
    let whole = UploadForm.read([Bytes(body)], type)
    try require(UploadForm.read(body.cut(by: seed), type) == whole, "the same in any pieces")
    switch whole {
    case .failure(let problem):
      let kinds: [ProblemKind] = [
        .malformedRequest, .unsupportedMediaType, .contentTooLarge, .invalidInput,
      ]
      try require(kinds.contains(problem.kind), "a bad form is the client's fault")
      try require(
        problem.fields.isEmpty == (problem.kind != .invalidInput), "fields are named, or are not")
    case .success(let form):
      try form.check()
    }
  }
}

private struct UploadForm: Equatable {
  let draft: MemeDraft

  /// The form rule of `POST /memes`, with a low limit for the size of pictures.
  private static let rule: FormRule? = {
    // Uploads of a few bytes stay in memory.
    let spool = SpoolPlace(directory: "/nowhere", memoryBytes: 1 << 20)
    guard case .form(let rule, _) = MemeForm.body(maxUploadBytes: 1024, spool: spool) else {
      return nil
    }
    return rule
  }()

  static func read(
    _ pieces: [Bytes], _ type: HeaderValue
  ) -> Result<UploadForm, Problem> {
    do throws(Problem) {
      guard let rule else { throw Problem(.internalError) }
      let reader = try FormReader(contentType: type, rule: rule)
      for piece in pieces {
        try piece.withUnsafeBytes { bytes throws(Problem) in try reader.receive(bytes) }
      }
      return .success(
        UploadForm(
          draft: try MemeForm.draft(
            from: MemeForm.fields(of: reader.finish()), over: PersonalSettings(), by: .anonymous,
            faces: Recipe.faces,
            formats: OutputFormat.allCases)))
    } catch {
      return .failure(error)
    }
  }

  func check() throws {
    if case .image(let file) = draft.picture {
      try require((1...1024).contains(file.count), "there is a picture, and not too large")
    }
    if let altText = draft.altText {
      try require(
        (1...AltText.maximumCharacters).contains(altText.text.count), "an altText has its length")
    }
    try draft.recipe.check()
  }

  static func == (left: UploadForm, right: UploadForm) -> Bool {
    let (left, right) = (left.draft, right.draft)
    return left.id == right.id && left.picture == right.picture && left.recipe == right.recipe
      && left.altText == right.altText && left.format == right.format
  }
}
