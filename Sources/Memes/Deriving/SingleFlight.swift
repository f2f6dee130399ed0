import Synchronization

/// Lets those who want the same thing at the same time share one making of it. Safe to use from any thread.
///
/// What is made is kept nowhere: whoever comes when it is done begins anew.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Flight {
    let number: Int
    let task: Task<Result<Value, MemeError>, Never>
    var passengers = 0
  }

  private struct State {
    var flights: [Key: Flight] = [:]
    var lastNumber = 0
  }

  /// Each may take as long as a picture may wait.
  private static var mostFlights: Int { 3 }

  private let state = Mutex(State())

  /// What `make` gives, called by the first of those who want it.
  ///
  /// It runs in a task of its own: a caller who is cancelled takes nothing from the others. The last one to be cancelled
  /// cancels it.
  func value(
    for key: Key, _ make: @escaping @Sendable () async throws(MemeError) -> Value
  ) async throws(MemeError) -> Value {
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
      // It was refused to the one who began it, by what that one has left, or by their place in line.
      case .failure(.throttled) where !isFirst && flights < Self.mostFlights,
        .failure(.overloaded) where !isFirst && flights < Self.mostFlights:
        continue
      default: return try outcome.get()
      }
    }
  }

  private func board(
    _ key: Key, _ make: @escaping @Sendable () async throws(MemeError) -> Value
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
    _ key: Key, _ make: @escaping @Sendable () async throws(MemeError) -> Value, number: Int
  ) -> Flight {
    let task = Task { [self] in
      let outcome: Result<Value, MemeError>
      do throws(MemeError) { outcome = .success(try await make()) } catch {
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
      // Whoever comes now must not board what is given up.
      state.flights[key] = flight.passengers > 0 ? flight : nil
      return flight.passengers > 0 ? nil : flight
    }
    abandoned?.task.cancel()
  }
}
