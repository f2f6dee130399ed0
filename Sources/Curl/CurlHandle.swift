import CCurl
import Foundation

/// A single transfer of libcurl. Use it on one thread at a time.
///
/// libcurl installs no signal handlers. It verifies certificates against the authorities that the machine trusts.
package final class CurlHandle {
  // Runs once per process, on first use: a process that makes no transfers does not pay for it.
  private static let library = curl_global_init(Int(CURL_GLOBAL_ALL))

  let pointer: UnsafeMutableRawPointer
  private let callee: Callee
  private var opening: UnsafeMutablePointer<curl_opening>?
  private var lists: [UnsafeMutablePointer<curl_slist>] = []

  /// - Parameter peer: receives the callbacks of the transfer. The handle keeps it alive.
  package init(for peer: any CurlPeer) throws(CurlError) {
    try check(Self.library)
    guard let pointer = curl_easy_init() else { throw .outOfMemory }
    self.pointer = pointer
    callee = Callee(peer: peer)
    let callbacks = curl_callbacks(begin: begin, send: send, head: takeLine, body: takeBody)
    try check(curl_set_callbacks(pointer, callbacks, Unmanaged.passUnretained(callee).toOpaque()))
    try check(curl_prepare_sockets(pointer))
    try check(curl_set_number(pointer, CURLOPT_NOSIGNAL, 1))
    try check(curl_set_number(pointer, CURLOPT_SSL_VERIFYPEER, 1))
    // 2: the certificate must be for this exact host.
    try check(curl_set_number(pointer, CURLOPT_SSL_VERIFYHOST, 2))
  }

  deinit {
    curl_easy_cleanup(pointer)
    for list in lists { curl_slist_free_all(list) }
    opening?.deallocate()
  }

  /// Asks the peer about each address before libcurl connects to it. A reused connection was asked about before.
  package func checkAddresses() throws(CurlError) {
    guard opening == nil else { return }
    let opening = UnsafeMutablePointer<curl_opening>.allocate(capacity: 1)
    opening.initialize(
      to: curl_opening(
        check: mayConnect, context: Unmanaged.passUnretained(callee).toOpaque()))
    self.opening = opening
    try check(curl_check_addresses(pointer, opening))
  }

  /// Runs the transfer to completion. Blocks the calling thread.
  package func perform() throws(CurlError) { try check(curl_easy_perform(pointer)) }

  /// Resumes a body that was paused with ``CurlTaking/later``. Delivers the data that is waiting before it returns.
  package func resume() throws(CurlError) { try check(curl_easy_pause(pointer, CURLPAUSE_CONT)) }

  /// The last response status; 0 if the server sent no response.
  package var lastStatus: Int { curl_last_status(pointer) }
}

extension CurlHandle {
  /// - Throws: `badArgument` if the text has control characters, which could end the line or the C string.
  package func set(_ option: CurlOption<String>, _ text: String) throws(CurlError) {
    try check(curl_set_text(pointer, option.name, Self.clean(text)))
  }

  /// - Throws: `badArgument` if a line has control characters, which could inject another line.
  package func set(_ option: CurlOption<[String]>, _ lines: [String]) throws(CurlError) {
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      guard let longer = curl_slist_append(list, try Self.clean(line)) else {
        curl_slist_free_all(list)
        throw .outOfMemory
      }
      list = longer
    }
    // libcurl does not copy the list.
    if let list { lists.append(list) }
    try check(curl_set_list(pointer, option.name, list))
  }

  package func set(_ option: CurlOption<Bool>, _ isOn: Bool) throws(CurlError) {
    try check(curl_set_number(pointer, option.name, isOn ? 1 : 0))
  }

  package func set(_ option: CurlOption<Int>, _ number: Int) throws(CurlError) {
    try check(curl_set_number(pointer, option.name, number))
  }

  package func set(_ option: CurlOption<Int64>, _ size: Int64) throws(CurlError) {
    try check(curl_set_size(pointer, option.name, curl_off_t(size)))
  }

  package func set(
    _ option: CurlOption<CurlEncryption>, _ encryption: CurlEncryption
  ) throws(CurlError) {
    try check(curl_set_number(pointer, option.name, encryption.number))
  }

  package func set(_ option: CurlOption<CurlVersion>, _ version: CurlVersion) throws(CurlError) {
    try check(curl_set_number(pointer, option.name, version.number))
  }

  private static func clean(_ text: String) throws(CurlError) -> String {
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .badArgument }
    return text
  }
}

/// The context that libcurl passes to callbacks. It lives as long as libcurl may call them.
private final class Callee {
  let peer: any CurlPeer

  init(peer: any CurlPeer) { self.peer = peer }

  static func peer(_ context: UnsafeMutableRawPointer?) -> (any CurlPeer)? {
    context.map { Unmanaged<Callee>.fromOpaque($0).takeUnretainedValue().peer }
  }
}

private let mayConnect: curl_address_check = { context, address in
  guard let address, let peer = Callee.peer(context) else { return 0 }
  // getnameinfo writes the digits of the address, without a lookup.
  var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
  let length =
    switch Int32(address.pointee.sa_family) {
    case AF_INET: MemoryLayout<sockaddr_in>.size
    case AF_INET6: MemoryLayout<sockaddr_in6>.size
    default: 0
    }
  guard length > 0,
    getnameinfo(
      address, socklen_t(length), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
  else { return 0 }
  let name = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
  return peer.mayConnect(to: String(decoding: name, as: UTF8.self)) ? 1 : 0
}

private let begin: curl_prereq_callback = { context, _, _, _, _ in
  Callee.peer(context)?.mayBegin() == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

private let send: curl_read_callback = { buffer, size, count, context in
  let buffer = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
  return Callee.peer(context)?.send(into: buffer) ?? Int(CURL_READFUNC_ABORT)
}

private let takeLine: curl_write_callback = { bytes, size, count, context in
  let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
  // Any value other than the count aborts the transfer.
  return Callee.peer(context)?.takeLine(line) == true ? line.count : line.count &- 1
}

private let takeBody: curl_write_callback = { bytes, size, count, context in
  let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
  return switch Callee.peer(context)?.takeBody(piece) {
  case .taken: piece.count
  case .later: Int(CURL_WRITEFUNC_PAUSE)
  case .refused, nil: piece.count &- 1
  }
}
