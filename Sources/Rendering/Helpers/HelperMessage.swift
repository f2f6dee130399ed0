import Foundation

/// A message between the server and a process that draws: seven numbers. All else is in the memory that they share.
package struct HelperMessage: Sendable, Equatable {
  package enum Kind: UInt64, Sendable {
    /// To a helper: a job, and perhaps its picture.
    case job = 1
    /// To a helper: nothing to do for so many milliseconds.
    case rest
    /// From a helper: it is ready, or has rested.
    case ready
    /// From a helper: a result, and perhaps its files.
    case result
    /// From a helper: why there is none.
    case failure
    /// From a helper: what the job needs, and whether it may go on.
    case claim
  }

  package var kind: Kind
  /// Of the job, from 1; the answer has the same.
  package var number: UInt64
  /// Bytes of the values, from the memory's beginning; with ``Kind/rest`` milliseconds, with ``Kind/claim`` bytes of memory:
  /// those that are asked for, then those that are granted, 0 if none are.
  package var valueBytes = 0
  /// With ``Kind/ready``: what keeps the helper from doing anything else.
  package var confinement: Confinement {
    get { Confinement(rawValue: valueBytes) }
    set { valueBytes = newValue.rawValue }
  }
  /// Bytes of the picture, or of all files, behind the values; `nil` if the picture is not there.
  package var fileBytes: Int?
  /// The memory of pictures that are kept for previews.
  package var shelfBytes = 0
  /// What was done since the last claim, as ``JobNeed/cost``; of a claim, what is to be done too.
  package var cost = 0
  /// Whether the picture of this job was one of them.
  package var isFromShelf = false

  package init(_ kind: Kind, number: UInt64) { (self.kind, self.number) = (kind, number) }

  /// The place of files in the memory: behind the values.
  package var filePlace: Int { (valueBytes + 63) & ~63 }

  package static let byteCount = 56
  /// "mmdraw", and the version of all that is written.
  private static let mark: UInt64 = 0x6D6D_6472_6177_0002
  private static let noFile = UInt64.max

  package var bytes: [UInt8] {
    var writer = WireWriter()
    writer.put(Self.mark)
    writer.put(kind.rawValue << 1 | (isFromShelf ? 1 : 0))
    writer.put(number)
    writer.put(valueBytes)
    writer.put(fileBytes.map { UInt64($0) } ?? Self.noFile)
    writer.put(shelfBytes)
    writer.put(cost)
    return writer.bytes
  }

  package init(_ bytes: [UInt8]) throws(BrokenWire) {
    var reader = WireReader(bytes)
    guard try reader.number() == Self.mark else { throw BrokenWire() }
    let word = try reader.number()
    guard let kind = Kind(rawValue: word >> 1) else { throw BrokenWire() }
    self.init(kind, number: try reader.number())
    isFromShelf = word & 1 == 1
    valueBytes = try reader.whole(0...Self.maximumBytes)
    let fileBytes = try reader.number()
    if fileBytes != Self.noFile {
      guard fileBytes <= UInt64(Self.maximumBytes) else { throw BrokenWire() }
      self.fileBytes = Int(fileBytes)
    }
    shelfBytes = try reader.whole(0...Self.maximumBytes)
    cost = try reader.whole(0...Self.maximumCost)
    try reader.end()
  }

  /// No picture that is read or made is larger.
  private static let maximumBytes = 1 << 40
  private static let maximumCost = 1 << 50
}
