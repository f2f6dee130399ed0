import Foundation

/// A message between the server and a helper process: seven numbers, and values if they are few. All other data is in
/// the memory that they share.
package struct HelperMessage: Sendable, Equatable {
  package enum Kind: UInt64, Sendable {
    /// To a helper: perform a job, with or without its picture.
    case job = 1
    /// To a helper: there has been no job for this many milliseconds.
    case rest
    /// From a helper: it is ready, or has freed memory after ``rest``.
    case ready
    /// From a helper: the result of a job, with or without files.
    case result
    /// From a helper: the error of a failed job.
    case failure
    /// From a helper: the resources that a job needs. To a helper: the resources granted.
    case claim
  }

  package var kind: Kind
  /// The number of the job, from 1. The answer has the same number.
  package var number: UInt64
  /// The values if they follow the numbers; `nil` if they are in the memory.
  package private(set) var values: [UInt8]?
  /// The size of the values in bytes. In the memory, they begin at offset 0. With ``Kind/rest``: milliseconds. With
  /// ``Kind/claim``: the bytes of memory requested, and in the answer the bytes granted, or 0 if the claim is denied.
  package var valueBytes = 0
  /// With ``Kind/ready``: the confinement in force.
  package var confinement: Confinement {
    get { Confinement(rawValue: valueBytes) }
    set { valueBytes = newValue.rawValue }
  }
  /// The size of the picture, or of all files together, after the values; `nil` if there is no picture.
  package var fileBytes: Int?
  /// The memory of the helper's preview cache in bytes.
  package var shelfBytes = 0
  /// The cost of the work since the last claim, as ``JobRequirements/cost``. In a claim, also the cost of the work to
  /// come.
  package var cost = 0
  /// Whether the picture of this job was in the preview cache.
  package var isFromShelf = false

  package init(_ kind: Kind, number: UInt64) { (self.kind, self.number) = (kind, number) }

  /// Adds values.
  ///
  /// - Returns: `false` if there are too many for a message. They must then be written to the memory.
  package mutating func carry(_ values: [UInt8]) -> Bool {
    valueBytes = values.count
    self.values = values.count <= Self.maximumByteCount - Self.numberBytes ? values : nil
    return self.values != nil
  }

  /// The offset of the files in the memory, after the values.
  package var filePlace: Int { values == nil ? (valueBytes + 63) & ~63 : 0 }

  /// The size of the longest message. A socket passes so few bytes at once.
  package static let maximumByteCount = 2048
  private static let numberBytes = 56
  /// "mmdraw", followed by the version of the messages and of the wire format.
  private static let mark: UInt64 = 0x6D6D_6472_6177_0004
  private static let noFile = UInt64.max

  package var bytes: [UInt8] {
    var writer = WireWriter(capacity: Self.numberBytes + (values?.count ?? 0))
    writer.put(Self.mark)
    writer.put(kind.rawValue << 2 | (values == nil ? 0 : 2) | (isFromShelf ? 1 : 0))
    writer.put(number)
    writer.put(valueBytes)
    writer.put(fileBytes.map { UInt64($0) } ?? Self.noFile)
    writer.put(shelfBytes)
    writer.put(cost)
    return writer.bytes + (values ?? [])
  }

  package init(_ bytes: [UInt8]) throws {
    var reader = WireReader(bytes)
    guard try reader.number() == Self.mark else { throw WireFormatError() }
    let word = try reader.number()
    guard let kind = Kind(rawValue: word >> 2) else { throw WireFormatError() }
    self.init(kind, number: try reader.number())
    isFromShelf = word & 1 == 1
    valueBytes = try reader.whole(0...Self.maximumBytes)
    let fileBytes = try reader.number()
    if fileBytes != Self.noFile {
      guard fileBytes <= UInt64(Self.maximumBytes) else { throw WireFormatError() }
      self.fileBytes = Int(fileBytes)
    }
    shelfBytes = try reader.whole(0...Self.maximumBytes)
    cost = try reader.whole(0...Self.maximumCost)
    if word & 2 == 2 { values = try reader.bytes(valueBytes) }
    try reader.end()
  }

  /// Waits for a message.
  ///
  /// - Returns: its bytes; empty if the other process has closed the connection.
  package static func receiveBytes(from socket: Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: maximumByteCount) { memory, count in
      while true {
        let received = recv(socket, memory.baseAddress, memory.count, 0)
        if received < 0, errno == EINTR { continue }
        count = max(0, received)
        return
      }
    }
  }

  /// Larger than any picture that is read or made.
  private static let maximumBytes = 1 << 40
  private static let maximumCost = 1 << 50
}
