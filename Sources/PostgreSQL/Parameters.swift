import Bytes
import CPQ
import SQL

/// The values of a statement's parameters, in PostgreSQL's binary format.
struct Parameters {
  /// Where a value is.
  private enum Place {
    case null
    /// In ``small``.
    case small(offset: Int, count: Int)
    case large(Bytes)
  }

  private var places: [Place] = []
  private var small: [UInt8] = []

  /// - Throws: an error for a text with NUL, which PostgreSQL cannot store.
  init(_ values: [any Bindable]) throws(DatabaseError) {
    places.reserveCapacity(values.count)
    for value in values {
      switch value.sqlValue {
      case .null: places.append(.null)
      case .integer(let number) where type(of: value).sqlType == .boolean:
        append { $0.append(number == 0 ? 0 : 1) }
      case .integer(let number): append { $0.append(number: UInt64(bitPattern: number)) }
      case .real(let number): append { $0.append(number: number.bitPattern) }
      case .text(let text):
        guard !text.utf8.contains(0) else {
          throw DatabaseError(.misuse, "A text contains a NUL.")
        }
        append { $0.append(contentsOf: text.utf8) }
      case .blob(let bytes): places.append(.large(bytes))
      }
    }
  }

  private mutating func append(_ write: (inout [UInt8]) -> Void) {
    let offset = small.count
    write(&small)
    places.append(.small(offset: offset, count: small.count - offset))
  }

  /// Lends the values as libpq takes them: addresses and lengths.
  func withPointers<Value>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?) -> Value
  ) -> Value {
    guard !places.isEmpty else { return body(nil, nil) }
    return small.withUnsafeBytes { small in
      var retained: [UnsafeMutableRawPointer] = []
      defer { retained.forEach(Bytes.release) }
      var (addresses, counts): ([UnsafePointer<CChar>?], [Int32]) = ([], [])
      addresses.reserveCapacity(places.count)
      counts.reserveCapacity(places.count)
      for place in places {
        switch place {
        case .null:
          addresses.append(nil)
          counts.append(0)
        case .small(let offset, let count):
          addresses.append(Self.characters(small.baseAddress.map { $0 + offset }))
          counts.append(Int32(clamping: count))
        case .large(let bytes):
          let (start, owner) = bytes.retained()
          retained.append(owner)
          addresses.append(Self.characters(start))
          counts.append(Int32(clamping: bytes.count))
        }
      }
      return body(addresses, counts)
    }
  }

  /// No address would mean NULL.
  private static func characters(_ address: UnsafeRawPointer?) -> UnsafePointer<CChar> {
    address?.assumingMemoryBound(to: CChar.self) ?? nothing
  }

  /// One byte that is never read.
  // Never written.
  nonisolated(unsafe) private static let nothing: UnsafePointer<CChar> = {
    let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return UnsafePointer(byte)
  }()
}

extension [UInt8] {
  /// The most significant byte comes first.
  fileprivate mutating func append(number: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
