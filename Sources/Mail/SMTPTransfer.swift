import Bytes
import CCurl
import Memes

/// One conversation with a mail server. It blocks; used on one thread.
struct SMTPTransfer: ~Copyable {
  // curl_global_init is called once, when the first mail is sent: a server that sends none does not pay for it.
  private static let library = curl_global_init(Int(CURL_GLOBAL_ALL))

  private let handle: UnsafeMutableRawPointer

  init() throws(MailError) {
    try check(Self.library)
    guard let handle = curl_easy_init() else { throw .unavailable("there is no memory left") }
    self.handle = handle
  }

  deinit { curl_easy_cleanup(handle) }

  /// Sets whom to talk to, and how; nothing is sent yet.
  ///
  /// - Parameter time: how long it may take. A mail that is begun must come to its end within it: whoever sends it is told by
  ///   then, and would send it again.
  func prepare(
    for server: SMTPServer, _ limits: SMTPMailer.Limits, within time: Duration,
    authorities: String?
  ) throws(MailError) {
    let milliseconds = Int(time / .milliseconds(1))
    // For curl, 0 is no limit.
    guard milliseconds >= 1 else { throw .overloaded }
    try check(curl_allow_only_mail(handle))
    try check(curl_set_text(handle, CURLOPT_URL, server.url))
    // Variables of the environment name proxies of the web, not of mail.
    try check(curl_set_text(handle, CURLOPT_PROXY, ""))
    try check(curl_set_number(handle, CURLOPT_NOSIGNAL, 1))
    try check(curl_set_number(handle, CURLOPT_CONNECTTIMEOUT, limits.connectSeconds))
    try check(curl_set_number(handle, CURLOPT_TIMEOUT_MS, milliseconds))
    let encryption = server.requiresTLS ? CURLUSESSL_ALL : CURLUSESSL_TRY
    try check(curl_set_number(handle, CURLOPT_USE_SSL, Int(encryption.rawValue)))
    try check(curl_set_number(handle, CURLOPT_SSL_VERIFYPEER, 1))
    // 2: the certificate is for this very host.
    try check(curl_set_number(handle, CURLOPT_SSL_VERIFYHOST, 2))
    if let authorities { try check(curl_set_text(handle, CURLOPT_CAINFO, authorities)) }
    if let account = server.account {
      try check(curl_set_text(handle, CURLOPT_USERNAME, account.name))
      try check(curl_set_text(handle, CURLOPT_PASSWORD, account.password))
    }
  }

  /// Returns when the server has accepted the message.
  func send(
    _ message: Bytes, from sender: EmailAddress, to recipient: EmailAddress
  ) throws(MailError) {
    guard let recipients = curl_slist_append(nil, "<\(recipient.text)>") else {
      throw .unavailable("there is no memory left")
    }
    defer { curl_slist_free_all(recipients) }
    try check(curl_set_text(handle, CURLOPT_MAIL_FROM, "<\(sender.text)>"))
    try check(curl_set_list(handle, CURLOPT_MAIL_RCPT, recipients))
    try check(curl_set_number(handle, CURLOPT_UPLOAD, 1))
    try check(curl_set_size(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(message.count)))
    try message.withUnsafeBytes { bytes throws(MailError) in
      var rest = bytes[...]
      // Valid for as long as the call below, which is the only one that reads.
      let code = withUnsafeMutablePointer(to: &rest) { rest in
        let code = curl_set_reader(handle, readMessage, rest)
        return code == CURLE_OK ? curl_easy_perform(handle) : code
      }
      if code != CURLE_OK { throw failure(code) }
    }
  }

  private func failure(_ code: CURLcode) -> MailError {
    let status = curl_last_status(handle)
    // An answer to the addresses or to the message; one to the account is not about this mail.
    let isAboutMail = [CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_WEIRD_SERVER_REPLY].contains(code)
    if isAboutMail, (500...599).contains(status) { return .refused(status: status) }
    let answer = status == 0 ? "" : ", status \(status)"
    return .unavailable("\(String(cString: curl_easy_strerror(code)))\(answer)")
  }
}

/// Gives libcurl the next piece of the message.
private let readMessage: curl_read_callback = { buffer, size, count, context in
  guard let buffer, let rest = context?.assumingMemoryBound(to: Slice<UnsafeRawBufferPointer>.self)
  else { return Int(CURL_READFUNC_ABORT) }
  let piece = rest.pointee.prefix(size * count)
  UnsafeMutableRawBufferPointer(start: buffer, count: piece.count).copyMemory(
    from: UnsafeRawBufferPointer(rebasing: piece))
  rest.pointee = rest.pointee[piece.endIndex...]
  return piece.count
}

/// The text of a failure that libcurl has a code for: fixed, so nothing of an account is in it.
private func check(_ code: CURLcode) throws(MailError) {
  guard code == CURLE_OK else { throw .unavailable(String(cString: curl_easy_strerror(code))) }
}
