import Bytes
import CJansson

/// A text parsed by jansson, until it is copied into Swift values.
struct JSONDocument: ~Copyable {
  private let root: UnsafeMutablePointer<json_t>

  init(_ bytes: Bytes) throws(JSONError) {
    var error = json_error_t()
    // Read all numbers as doubles, so that an integer with many digits is not an error.
    let flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL
    let root = bytes.withUnsafeBytes { bytes in
      json_loadb(bytes.baseAddress, bytes.count, Int(flags), &error)
    }
    guard let root else { throw JSONError(offset: Int(error.position)) }
    self.root = root
  }

  deinit { json_decref(root) }

  borrowing func value() throws(JSONError) -> JSON { try Self.copy(root, depth: 0) }

  private static func copy(
    _ value: UnsafeMutablePointer<json_t>, depth: Int
  ) throws(JSONError) -> JSON {
    switch value.pointee.type {
    case JSON_NULL: return .null
    case JSON_TRUE: return .bool(true)
    case JSON_FALSE: return .bool(false)
    case JSON_STRING: return .text(text(json_string_value(value), json_string_length(value)))
    case JSON_ARRAY, JSON_OBJECT:
      // jansson allows a depth of 2048, which would overflow the stacks of some threads.
      guard depth < JSON.maximumDepth else { throw JSONError(offset: nil) }
      return value.pointee.type == JSON_ARRAY
        ? .array(try elements(of: value, depth: depth))
        : .object(try members(of: value, depth: depth))
    default: return .number(json_number_value(value))
    }
  }

  private static func elements(
    of array: UnsafeMutablePointer<json_t>, depth: Int
  ) throws(JSONError) -> [JSON] {
    var elements: [JSON] = []
    elements.reserveCapacity(json_array_size(array))
    for index in 0..<json_array_size(array) {
      guard let element = json_array_get(array, index) else { continue }
      elements.append(try copy(element, depth: depth + 1))
    }
    return elements
  }

  private static func members(
    of object: UnsafeMutablePointer<json_t>, depth: Int
  ) throws(JSONError) -> [String: JSON] {
    var members: [String: JSON] = [:]
    members.reserveCapacity(json_object_size(object))
    var place = json_object_iter(object)
    while let current = place {
      let name = json_object_iter_key(current).map { String(cString: $0) } ?? ""
      guard let value = json_object_iter_value(current),
        // jansson compares names by their bytes. Two different names can still be equal in Swift: é has two encodings.
        members.updateValue(try copy(value, depth: depth + 1), forKey: name) == nil
      else { throw JSONError(offset: nil) }
      place = json_object_iter_next(object, current)
    }
    return members
  }

  /// Decodes text that jansson has validated as UTF-8.
  private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
