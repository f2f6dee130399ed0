import CHelpers

/// Memory that was freed and that the C library keeps.
package enum FreedMemory {
  /// Gives it back to the system. It takes milliseconds, and a thread that allocates in the meantime may wait for it: for times when
  /// nothing is to be done.
  package static func giveBack() { mememe_give_back_memory() }
}
