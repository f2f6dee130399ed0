/**
 * The changes of one thing that are being sent, by its key. `confirmed` is the state after the last change that the
 * server accepted.
 *
 * @type {Map<string, {confirmed: unknown, count: number, last: Promise<unknown>}>}
 */
const changes = new Map();

/**
 * Sends a change that is already shown, after the earlier changes of the same thing. Otherwise the server could receive
 * two quick changes in the other order.
 *
 * @template T
 * @param {string} key what changes
 * @param {{before: T, after: T}} states
 * @param {() => Promise<unknown>} send
 * @param {(state: T) => void} revert shows the state of the server, if the last change of several fails
 * @throws the error of `send`
 */
export async function inOrder(key, { before, after }, send, revert) {
  const change = changes.get(key) ?? { confirmed: before, count: 0, last: Promise.resolve() };
  changes.set(key, change);
  change.count++;
  const sent = change.last.then(send);
  change.last = sent.catch(() => {});
  try {
    await sent;
    change.confirmed = after;
  } catch (error) {
    if (change.count === 1) revert(change.confirmed);
    throw error;
  } finally {
    change.count--;
    if (change.count === 0) changes.delete(key);
  }
}
