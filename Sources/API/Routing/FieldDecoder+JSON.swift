import Bytes
import HTTP
import JSON
import Memes

extension FieldDecoder {
  /// The maximum number of unknown members that an error lists.
  private static let namedUnknowns = 32

  /// Reads the members of an object. Members that are not in `known` are invalid.
  init(_ object: [String: JSON], known: Set<String>, path: String = "") {
    // An unknown member has only this error, as an unknown part of a form.
    let read = object.filter { known.contains($0.key) }
    self.init(read.map { ($0.key, .json($0.value)) }, path: path)
    let unknown = object.keys.filter { !known.contains($0) }.sorted()
    for name in unknown.prefix(Self.namedUnknowns) { rejectUnknown(name) }
  }

  /// Reads a request body that must be a JSON object.
  ///
  /// - Throws: `malformedRequest` if it is not one.
  init(body: Bytes, known: Set<String>) throws(Problem) {
    let json: JSON
    do throws(JSONError) { json = try JSON(parsing: body) } catch {
      let place = error.offset.map { "; the error is near byte \($0)" } ?? ""
      throw Problem(.malformedRequest, "The request body is not valid JSON\(place).")
    }
    guard case .object(let object) = json else {
      throw Problem(.malformedRequest, "The request body must be a JSON object.")
    }
    self.init(object, known: known)
  }

  /// Reads an array of objects, each with `read`. In a form, the field contains the array as JSON text.
  ///
  /// - Parameters:
  ///   - most: the maximum number of objects.
  ///   - known: the members that an object may have.
  /// - Returns: `nil` if the field is missing, `null` or invalid.
  mutating func objects<Element>(
    _ name: String, most: Int, known: Set<String>, _ read: (inout FieldDecoder) -> Element?
  ) -> [Element]? {
    guard let array = array(name) else { return nil }
    guard array.count <= most else {
      reject(name, code: "too-many", "Must have at most \(most) elements.")
      return nil
    }
    var elements: [Element] = []
    for (index, json) in array.enumerated() {
      guard case .object(let object) = json else {
        reject("\(name)[\(index)]", code: "not-an-object", "Must be an object.")
        continue
      }
      var fields = FieldDecoder(object, known: known, path: "\(path)\(name)[\(index)].")
      fields.replacesControls = replacesControls
      if let element = read(&fields) { elements.append(element) }
      reject(fields)
    }
    return elements.count == array.count ? elements : nil
  }

  /// Reads the members of an object with `read`.
  ///
  /// - Returns: `nil` if the field is missing, `null` or not an object.
  mutating func object<Result>(
    _ name: String, known: Set<String>, _ read: (inout FieldDecoder) -> Result
  ) -> Result? {
    guard let json = json(name), json != .null else { return nil }
    guard case .object(let object) = json else {
      reject(name, code: "not-an-object", "Must be an object.")
      return nil
    }
    var fields = FieldDecoder(object, known: known, path: "\(path)\(name).")
    fields.replacesControls = replacesControls
    let result = read(&fields)
    reject(fields)
    return result
  }

  /// Reads an array. In a form, the field contains it as JSON text.
  ///
  /// - Returns: `nil` if the field is missing, `null` or invalid.
  mutating func array(_ name: String) -> [JSON]? {
    guard let json = json(name), json != .null else { return nil }
    guard case .array(let array) = json else {
      reject(name, code: "not-an-array", "Must be a JSON array.")
      return nil
    }
    return array
  }

  /// Returns the field as JSON. The text of a form field is parsed as JSON.
  private mutating func json(_ name: String) -> JSON? {
    if let json = sentJSON(name) { return json }
    return text(name) { text in
      do throws(JSONError) { return try JSON(parsing: Bytes(text)) } catch {
        let place = error.offset.map { "; the error is near byte \($0)" } ?? ""
        throw InvalidValue(
          code: "not-json", message: "Must be valid JSON\(place).")
      }
    }
  }
}
