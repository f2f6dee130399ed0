#if os(Linux)
  import Curl
  import Foundation

  /// What runs and what waits for its turn. Used on the loop's thread.
  final class Transfers {
    /// A long poll and a stream of events hold one each.
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

    /// For how long there has been nothing to do; `nil` where there is something.
    var idleTime: Duration? { idleSince.map { .now - $0 } }

    func carryOut(_ order: TransferLoop.Order) {
      switch order {
      case .start(let exchange): waiting.append(exchange)
      case .proceed(let exchange): proceed(with: exchange)
      case .end(let exchange): end(exchange)
      }
    }

    /// Does what can be done, and waits for what comes next.
    ///
    /// - Parameter longest: how long it waits at most.
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

    /// Ends all of it.
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
