/**
 * What the whole app knows. Values have names; an event of the name says that one has changed.
 *
 * - `person`: who is signed in, `null` where nobody is.
 * - `isReached`: whether the server answers.
 * - `installation`: the browser's offer to install the app, where it makes one.
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
store.set('isReached', true);
store.set('installation', null);
