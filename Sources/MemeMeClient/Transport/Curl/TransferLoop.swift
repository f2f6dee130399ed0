#if os(Linux)
  import Curl
  import Foundation
  import Synchronization

  /// The thread that transfers run on, and what it is told to do.
  final class TransferLoop: Sendable {
    enum Order: Sendable {
      case start(Exchange)
      case proceed(Exchange)
      case end(Exchange)
    }

    private struct State {
      var orders: [Order] = []
      var isClosed = false
      var isRunning = false
      var waker: CurlWaker?
    }

    /// How long the thread and the connections that were kept stay while there is nothing to do.
    private static let idleTime = Duration.seconds(30)

    private let state = Mutex(State())
    private let authorities: URL?

    init(authorities: URL?) { self.authorities = authorities }

    func tell(_ order: Order) {
      let needsThread = state.withLock { state in
        if !state.isRunning {
          // What nothing runs of needs nothing else.
          guard case .start = order else { return false }
        }
        state.orders.append(order)
        state.waker?.wake()
        defer { state.isRunning = true }
        return !state.isRunning
      }
      if needsThread { Thread.detachNewThread { self.run() } }
    }

    /// Nobody will tell anything any more.
    func close() {
      state.withLock { state in
        state.isClosed = true
        state.waker?.wake()
      }
    }

    private func run() {
      Self.blockBrokenPipes()
      let transfers: Transfers
      do throws(CurlError) {
        transfers = try Transfers(authorities: authorities)
      } catch { return fail(error) }
      state.withLock { $0.waker = transfers.waker }
      while carryOutOrders(on: transfers) {
        do throws(CurlError) {
          try transfers.run(upTo: state.withLock(\.isClosed) ? .zero : Self.idleTime)
        } catch {
          transfers.fail(error)
          return fail(error)
        }
      }
    }

    /// - Returns: whether the thread is to go on. What was ordered is not held any longer than this takes.
    private func carryOutOrders(on transfers: Transfers) -> Bool {
      guard let orders = nextOrders(whileIdle: transfers.idleTime) else { return false }
      for order in orders { transfers.carryOut(order) }
      return true
    }

    /// - Parameter idleTime: for how long there has been nothing to do; `nil` where there is something.
    /// - Returns: `nil` where nothing will come.
    private func nextOrders(whileIdle idleTime: Duration?) -> [Order]? {
      state.withLock { state in
        if let idleTime, state.orders.isEmpty, state.isClosed || idleTime >= Self.idleTime {
          state = State()
          return nil
        }
        defer { state.orders = [] }
        return state.orders
      }
    }

    /// Ends what waits to be sent. The next one is tried anew.
    private func fail(_ error: CurlError) {
      let orders = state.withLock { state in
        defer { state = State() }
        return state.orders
      }
      for case .start(let exchange) in orders { exchange.ended(MemeMeError(error)) }
    }

    /// Whoever writes to a connection that the other side has closed is told by an error. The signal beside it would end the
    /// process, and what it does about signals is not the library's to say: they are kept from this thread alone.
    private static func blockBrokenPipes() {
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
  }
#endif
