import CGnuTLS

/// A certificate chain and its private key. The initializer has verified that they match.
package struct TLSIdentity: Sendable {
  /// PEM, terminated by a NUL.
  let certificate: [UInt8]
  /// PEM, terminated by a NUL.
  let key: [UInt8]

  /// TLS 1.2 and 1.3, with forward secrecy and authenticated encryption only.
  static let priorities =
    "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA"
    + ":-CIPHER-ALL:+AES-128-GCM:+AES-256-GCM:+CHACHA20-POLY1305:-MAC-ALL:+AEAD:-SIGN-RSA-SHA1"

  /// Verifies the certificates and the key, both in PEM.
  ///
  /// - Parameters:
  ///   - certificate: the server's own certificate first, then those of its issuers.
  ///   - key: not protected by a password.
  package init(certificate: [UInt8], key: [UInt8]) throws(TLSIdentityError) {
    guard Self.holdsCertificates(certificate) else { throw .badCertificate }
    guard Self.holdsKey(key) else { throw .badKey }
    guard Self.belongTogether(certificate, key) else { throw .mismatch }
    (self.certificate, self.key) = (certificate + [0], key + [0])
  }

  private static func holdsCertificates(_ bytes: [UInt8]) -> Bool {
    var list: UnsafeMutablePointer<gnutls_x509_crt_t?>?
    var count: UInt32 = 0
    let result = withDatum(bytes) {
      gnutls_x509_crt_list_import2(&list, &count, $0, GNUTLS_X509_FMT_PEM, 0)
    }
    guard result >= 0, let list else { return false }
    for index in 0..<Int(count) { gnutls_x509_crt_deinit(list[index]) }
    gnutls_release(list)
    return count > 0
  }

  private static func holdsKey(_ bytes: [UInt8]) -> Bool {
    var key: gnutls_x509_privkey_t?
    guard gnutls_x509_privkey_init(&key) >= 0 else { return false }
    defer { gnutls_x509_privkey_deinit(key) }
    return withDatum(bytes) {
      gnutls_x509_privkey_import2(key, $0, GNUTLS_X509_FMT_PEM, nil, 0)
    } >= 0
  }

  private static func belongTogether(_ certificate: [UInt8], _ key: [UInt8]) -> Bool {
    var credentials: gnutls_certificate_credentials_t?
    guard gnutls_certificate_allocate_credentials(&credentials) >= 0 else { return false }
    defer { gnutls_certificate_free_credentials(credentials) }
    return withDatum(certificate) { certificate in
      withDatum(key) { key in
        gnutls_certificate_set_x509_key_mem2(
          credentials, certificate, key, GNUTLS_X509_FMT_PEM, nil, 0)
      }
    } >= 0
  }

  /// GnuTLS only reads the bytes. The type of its parameter predates `const` in this library.
  private static func withDatum<Result>(
    _ bytes: [UInt8], _ body: (UnsafePointer<gnutls_datum_t>) -> Result
  ) -> Result {
    bytes.withUnsafeBufferPointer { bytes in
      var datum = gnutls_datum_t(
        data: UnsafeMutablePointer(mutating: bytes.baseAddress), size: UInt32(bytes.count))
      return body(&datum)
    }
  }
}

/// Why a certificate and a key cannot be used. The error reveals nothing about their contents.
package enum TLSIdentityError: Error {
  /// The PEM text has no certificate, or a broken one.
  case badCertificate
  /// The PEM text has no private key, a broken one, or one with a password.
  case badKey
  /// The key does not match the first certificate.
  case mismatch
}
