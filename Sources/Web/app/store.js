/**
 * The app's shared state. Values have names; an event with the name of a value reports its change.
 *
 * - `person`: the signed-in user, or `null`.
 * - `isReached`: whether the server responds.
 * - `installation`: the browser's offer to install the app, or `null`.
 *
 * The store also announces changes to memes, which it does not keep. The `detail` of a `meme` event is
 * `{kind: 'upsert', meme}` with a whole meme, `{kind: 'counts', id, counts, viewer}` or
 * `{kind: 'hide' | 'show' | 'delete', id}`. `{kind: 'people', hidden}` means that the user
 * sees other people now; `hidden` is the username of one who was blocked.
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

  /** Announces a change to a meme. */
  tell(detail) {
    this.dispatchEvent(new CustomEvent('meme', { detail }));
  }
}

export const store = new Store();

store.set('person', null);
store.set('isReached', true);
store.set('installation', null);
