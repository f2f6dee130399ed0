public import Foundation

extension JSONDecoder {
  /// A decoder for JSON from the server. It ignores unknown members.
  public static var mememe: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard let date = WireTime.date(text) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "not an RFC 3339 time: \(text)")
      }
      return date
    }
    return decoder
  }
}

extension JSONEncoder {
  /// An encoder for JSON that the server reads and ``Foundation/JSONDecoder/mememe`` can decode.
  public static var mememe: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(WireTime.text(date))
    }
    return encoder
  }
}
