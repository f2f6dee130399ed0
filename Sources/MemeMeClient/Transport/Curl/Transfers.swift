#if os(Linux)
  import Curl
  import Foundation

  /// The running and the waiting transfers. Used on the loop's thread only.
  final class Transfers {
    /// A long poll and an event stream occupy one connection each.
    private static let mostAtOnce = 12

    private let multi: CurlMulti
    private let authorities: URL?
    private var waiting: [Exchange] = []
    private var running: [ObjectIdentifier: Transfer] = [:]
    private var idleSince: ContinuousClock.Instant? = .now

    init(authorities: URL?) throws(CurlError) {
      multi = try CurlMulti()
      self.authorities = authorities
    }

    var waker: CurlWaker { multi.waker }

    /// How long there have been no transfers; `nil` if there are some.
    var idleTime: Duration? { idleSince.map { .now - $0 } }

    func carryOut(_ order: TransferLoop.Order) {
      switch order {
      case .start(let exchange): waiting.append(exchange)
      case .proceed(let exchange): proceed(with: exchange)
      case .end(let exchange): end(exchange)
      }
    }

    /// Performs all possible work, then waits for the next event.
    ///
    /// - Parameter longest: The maximum time to wait.
    func run(upTo longest: Duration) throws(CurlError) {
      startWaiting()
      try multi.perform()
      while let (handle, error) = multi.nextFinished() { finish(handle, error) }
      let now = ContinuousClock.now
      endSilent(at: now)
      startWaiting()
      idleSince = running.isEmpty ? idleSince ?? now : nil
      let patience = running.values.compactMap { $0.silentAt }.min().map { $0 - now }
      try multi.wait(min(longest, patience ?? longest))
    }

    /// Fails all transfers.
    func fail(_ error: CurlError) {
      for exchange in waiting + running.values.map(\.exchange) {
        exchange.ended(MemeMeError(error))
      }
    }

    private func startWaiting() {
      while running.count < Self.mostAtOnce, !waiting.isEmpty {
        let exchange = waiting.removeFirst()
        if !exchange.isOver { start(exchange) }
      }
    }

    private func start(_ exchange: Exchange) {
      do {
        let transfer = try Transfer(of: exchange, authorities: authorities)
        try multi.add(transfer.handle)
        running[ObjectIdentifier(exchange)] = transfer
      } catch let error as CurlError {
        exchange.ended(MemeMeError(error))
      } catch {
        exchange.ended(error)
      }
    }

    private func proceed(with exchange: Exchange) {
      guard let transfer = running[ObjectIdentifier(exchange)] else { return }
      do throws(CurlError) { try transfer.proceed() } catch {
        end(exchange)
        exchange.ended(MemeMeError(error))
      }
    }

    private func end(_ exchange: Exchange) {
      guard let transfer = running.removeValue(forKey: ObjectIdentifier(exchange)) else { return }
      multi.remove(transfer.handle)
    }

    private func finish(_ handle: CurlHandle, _ error: CurlError?) {
      guard let transfer = running.values.first(where: { $0.handle === handle }) else { return }
      running[ObjectIdentifier(transfer.exchange)] = nil
      transfer.finished(error)
    }

    private func endSilent(at now: ContinuousClock.Instant) {
      for transfer in running.values where transfer.silentAt.map({ $0 <= now }) == true {
        end(transfer.exchange)
        transfer.exchange.ended(MemeMeError.timeout)
      }
    }
  }
#endif
