/**
 * What the whole app knows. Values have names; an event of the name says that one has changed.
 *
 * - `person`: who is signed in, `null` where nobody is.
 * - `isOnline`: whether the device has a network.
 *
 * And what happens to memes, which no value holds: an event `meme` with `detail` `{kind: 'upsert', meme}` of a whole meme,
 * `{kind: 'counts', id, counts, viewer}`, `{kind: 'hide' | 'show' | 'delete', id}`.
 */
class Store extends EventTarget {
  #values = new Map();

  get(name) {
    return this.#values.get(name);
  }

  set(name, value) {
    if (this.#values.get(name) === value) return;
    this.#values.set(name, value);
    this.dispatchEvent(new Event(name));
  }

  /** Tells what happened to a meme. */
  tell(detail) {
    this.dispatchEvent(new CustomEvent('meme', { detail }));
  }
}

export const store = new Store();

store.set('person', null);
store.set('isOnline', navigator.onLine);
for (const type of ['online', 'offline']) {
  window.addEventListener(type, () => store.set('isOnline', navigator.onLine));
}
