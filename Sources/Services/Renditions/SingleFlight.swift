import Memes
import Synchronization

/// Lets concurrent callers for the same key share one computation. Safe to use from any thread.
///
/// Results are not cached: a caller after the end of a computation starts a new one.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Flight {
    let number: Int
    let task: Task<Result<Value, any Error>, Never>
    var passengers = 0
  }

  private struct State {
    var flights: [Key: Flight] = [:]
    var lastNumber = 0
  }

  /// The maximum number of computations that one caller waits for. Each may take as long as a picture may wait.
  private static var mostFlights: Int { 3 }

  private let state = Mutex(State())

  /// The result of `make`. The first caller for the key starts it.
  ///
  /// `make` runs in a separate task, so canceling one caller does not affect the others. The task is canceled when its
  /// last caller is.
  func value(
    for key: Key, _ make: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    var flights = 0
    while true {
      let (flight, isFirst) = board(key, make)
      flights += 1
      let outcome = await withTaskCancellationHandler {
        await flight.task.value
      } onCancel: {
        leave(key, flight.number)
      }
      switch outcome {
      // The error concerns only the caller that started the computation: its rate limit, or its place in the queue.
      case .failure(MemeError.throttled) where !isFirst && flights < Self.mostFlights,
        .failure(MemeError.overloaded) where !isFirst && flights < Self.mostFlights:
        continue
      default: return try outcome.get()
      }
    }
  }

  private func board(
    _ key: Key, _ make: @escaping @Sendable () async throws -> Value
  ) -> (flight: Flight, isFirst: Bool) {
    state.withLock { state in
      var flight = state.flights[key] ?? begin(key, make, number: state.lastNumber + 1)
      state.lastNumber = max(state.lastNumber, flight.number)
      flight.passengers += 1
      state.flights[key] = flight
      return (flight, flight.passengers == 1)
    }
  }

  private func begin(
    _ key: Key, _ make: @escaping @Sendable () async throws -> Value, number: Int
  ) -> Flight {
    let task = Task { [self] in
      let outcome: Result<Value, any Error>
      do { outcome = .success(try await make()) } catch {
        outcome = .failure(error)
      }
      end(key, number)
      return outcome
    }
    return Flight(number: number, task: task)
  }

  private func end(_ key: Key, _ number: Int) {
    state.withLock { state in
      if state.flights[key]?.number == number { state.flights[key] = nil }
    }
  }

  private func leave(_ key: Key, _ number: Int) {
    let abandoned = state.withLock { state -> Flight? in
      guard var flight = state.flights[key], flight.number == number else { return nil }
      flight.passengers -= 1
      // New callers must not join a canceled computation.
      state.flights[key] = flight.passengers > 0 ? flight : nil
      return flight.passengers > 0 ? nil : flight
    }
    abandoned?.task.cancel()
  }
}
