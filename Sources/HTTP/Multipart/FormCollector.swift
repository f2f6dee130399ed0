import Bytes

/// Stores the parts of a form according to its rule.
struct FormCollector: MultipartSink {
  private enum Target {
    case text([UInt8], maximumBytes: Int)
    case file(Spool, maximumBytes: Int)
    /// The client sent more bytes than the field may have.
    case tooLarge
    /// An earlier part has the same name. Keeping all of them would multiply the memory of a form.
    case repeated
    case unknown
  }

  private(set) var parts: [FormPart] = []
  private let rule: FormRule
  private var name = ""
  private var target = Target.unknown

  init(rule: FormRule) { self.rule = rule }

  mutating func beginPart(_ head: PartHead) throws(Problem) {
    name = head.name
    let isFirst = !parts.contains { $0.name == head.name }
    target =
      switch rule.fields[head.name] {
      case .some where !isFirst: .repeated
      case .text(let maximumBytes): .text([], maximumBytes: maximumBytes)
      case .file(let maximumBytes):
        .file(Spool(in: rule.spool), maximumBytes: maximumBytes)
      case nil: .unknown
      }
  }

  mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
    switch target {
    case .text(var text, let maximumBytes):
      guard text.count + bytes.count <= maximumBytes else {
        target = .tooLarge
        return
      }
      // This releases the other reference to the array, so that it grows without a copy.
      target = .unknown
      text.append(contentsOf: bytes)
      target = .text(text, maximumBytes: maximumBytes)
    case .file(let spool, let maximumBytes):
      guard spool.count + bytes.count <= maximumBytes else {
        target = .tooLarge
        return
      }
      do throws(Spool.Failure) { try spool.append(bytes) } catch { throw Problem(error) }
    case .tooLarge, .repeated, .unknown: break
    }
  }

  mutating func endPart() throws(Problem) {
    parts.append(FormPart(name: name, content: try content()))
    target = .unknown
  }

  private func content() throws(Problem) -> FormPart.Content {
    switch target {
    case .text(let text, _): return .bytes(Bytes(text))
    case .file(let spool, _):
      do throws(Spool.Failure) {
        return .bytes(try spool.finish())
      } catch {
        throw Problem(error)
      }
    case .tooLarge: return .tooLarge
    case .repeated: return .repeated
    case .unknown: return .unknown
    }
  }
}
