import Support
import Testing
import mememe

struct RouteContractTests {
  @Test func `the route table and the contract name the same calls`() async throws {
    let contract = Set(try ContractCheck.shared.operations)
    let routes = Set(try await Server.routesForTests())
    #expect(routes.subtracting(contract).isEmpty)
    #expect(contract.subtracting(routes).isEmpty)
  }
}
