#if os(Linux)
  import Curl
  import Foundation
  import Synchronization

  /// The thread that runs transfers, and its queue of commands.
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

    /// How long the thread and its idle connections remain while there is nothing to do.
    private static let idleTime = Duration.seconds(30)

    private let state = Mutex(State())
    private let authorities: URL?

    init(authorities: URL?) { self.authorities = authorities }

    func tell(_ order: Order) {
      let needsThread = state.withLock { state in
        if !state.isRunning {
          // Without a running transfer, there is nothing to resume or end.
          guard case .start = order else { return false }
        }
        state.orders.append(order)
        state.waker?.wake()
        defer { state.isRunning = true }
        return !state.isRunning
      }
      if needsThread { Thread.detachNewThread { self.run() } }
    }

    /// Ends the thread after the last transfer. No further commands arrive.
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

    /// - Returns: Whether the thread should continue. Commands are released before this returns.
    private func carryOutOrders(on transfers: Transfers) -> Bool {
      guard let orders = nextOrders(whileIdle: transfers.idleTime) else { return false }
      for order in orders { transfers.carryOut(order) }
      return true
    }

    /// - Parameter idleTime: How long there have been no transfers; `nil` if there are some.
    /// - Returns: `nil` if the thread should end.
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

    /// Fails all queued requests. The next request starts a new thread.
    private func fail(_ error: CurlError) {
      let orders = state.withLock { state in
        defer { state = State() }
        return state.orders
      }
      for case .start(let exchange) in orders { exchange.ended(MemeMeError(error)) }
    }

    /// A write to a closed connection returns an error and also raises SIGPIPE, which would end the process. Signal
    /// handling belongs to the app, so the library blocks the signal on this thread only.
    private static func blockBrokenPipes() {
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
  }
#endif
