import CHelpers

/// Freed memory that the C library retains.
package enum FreedMemory {
  /// Returns the memory to the system. This takes milliseconds and can block threads
  /// that allocate, so call it when idle.
  package static func giveBack() { mememe_give_back_memory() }
}
