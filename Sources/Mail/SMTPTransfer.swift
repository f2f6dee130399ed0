import Bytes
import Curl
import Memes

/// A single SMTP session. It blocks; use it on one thread.
struct SMTPTransfer {
  private let message: OutgoingMessage
  private let handle: CurlHandle

  init(of bytes: Bytes) throws(MailError) {
    message = OutgoingMessage(bytes)
    do throws(CurlError) {
      handle = try CurlHandle(for: message)
    } catch { throw .unavailable(error.text) }
  }

  /// Sets the server and the options. Sends nothing yet.
  ///
  /// - Parameter time: the time limit of the transfer. Afterwards the caller gets an error and may send the mail again,
  ///   so the transfer must not succeed later.
  func prepare(
    for server: SMTPServer, _ limits: SMTPMailer.Limits, within time: Duration,
    authorities: String?
  ) throws(MailError) {
    let milliseconds = Int(time / .milliseconds(1))
    // curl treats 0 as no limit.
    guard milliseconds >= 1 else { throw .overloaded }
    do throws(CurlError) {
      // Allow no other protocol, even if libcurl supports it.
      try handle.set(.protocols, "smtp,smtps")
      try handle.set(.url, server.url)
      // Proxies in environment variables are for the web, not for mail.
      try handle.set(.proxy, "")
      try handle.set(.connectSeconds, limits.connectSeconds)
      try handle.set(.wholeMilliseconds, milliseconds)
      try handle.set(.encryption, server.requiresTLS ? .always : .ifOffered)
      if let authorities { try handle.set(.authorities, authorities) }
      if let account = server.account {
        try handle.set(.user, account.name)
        try handle.set(.password, account.password)
      }
    } catch { throw .unavailable(error.text) }
  }

  /// Sends the message. Returns when the server has accepted it.
  func send(from sender: EmailAddress, to recipient: EmailAddress) throws(MailError) {
    do throws(CurlError) {
      try handle.set(.mailSender, "<\(sender.text)>")
      try handle.set(.mailRecipients, ["<\(recipient.text)>"])
      try handle.set(.sendsBody, true)
      try handle.set(.bodyBytes, Int64(message.upload.count))
      try handle.perform()
    } catch { throw failure(error) }
  }

  private func failure(_ error: CurlError) -> MailError {
    let status = handle.lastStatus
    // These errors are responses to the addresses or to the message. A response to the account is not about this mail.
    let isAboutMail = [.sendFailed, .receiveFailed, .unreadableAnswer].contains(error)
    if isAboutMail, (500...599).contains(status) { return .refused(status: status) }
    let answer = status == 0 ? "" : ", status \(status)"
    let reason = "\(error.text)\(answer)"
    // The server asks for the message with 354, and responds to it once more (RFC 5321 §4.1.1.4).
    return status == 354 && message.upload.isSent ? .unanswered(reason) : .unavailable(reason)
  }
}

/// A message that is sent.
private final class OutgoingMessage: CurlPeer {
  private(set) var upload: CurlUpload

  init(_ bytes: Bytes) { upload = CurlUpload(bytes) }

  func send(into buffer: UnsafeMutableRawBufferPointer) -> Int? { upload.send(into: buffer) }
}
