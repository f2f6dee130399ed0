import Foundation
import MemeMeClient
import Memes
import Support
import Testing
import mememe

struct InvitationTests {
  @Test func `an invitation creates an account on a server that requires one`() async throws {
    try await withLiveServer({ $0.registration = .invite }) { server in
      let (admin, nobody) = (server.client(server.adminToken), server.client())
      var registration = Registration(
        username: "ada", email: "ada@example.org", password: TestServer.password)
      #expect(
        await failure { _ = try await nobody.register(registration) } == "registration-closed")
      let end = Date(timeIntervalSinceNow: 3600)
      let made = try await admin.invite(
        InvitationTerms(email: registration.email, role: .admin, uses: 1, expiresAt: end))
      #expect(made.invitation.email == registration.email && made.invitation.inviter == nil)
      #expect(abs(made.invitation.expiresAt.timeIntervalSince(end)) < 0.01)
      #expect(made.url.secret.hasSuffix("/app/join#\(made.code.secret)"))
      #expect(!"\(made)".contains(made.code.secret))
      #expect(try await admin.invitations().items == [made.invitation])
      registration.invitation = made.code
      #expect(try await nobody.register(registration).role == .admin)
      registration.username = "bob"
      #expect(await failure { _ = try await nobody.register(registration) } == "invitation-invalid")
      let second = try await admin.invite()
      try await admin.deleteInvitation(second.invitation.id)
      #expect(try await admin.invitations().items.isEmpty)
    }
  }
}
