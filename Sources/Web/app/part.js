import { store } from './store.js';

/**
 * The base of the app's elements. They have no shadow tree: styles, labels and ids are those of the page.
 *
 * What an element listens to ends when it leaves the page.
 */
export class Part extends HTMLElement {
  #lifetime;
  #isBuilt = false;

  /** Ends when the element leaves the page. */
  get lifetime() {
    return (this.#lifetime ??= new AbortController()).signal;
  }

  /** Makes what is in the element; called once. */
  build() {}

  /** Called each time the element comes into a page: here it begins to listen. */
  connected() {}

  connectedCallback() {
    if (!this.#isBuilt) {
      this.#isBuilt = true;
      this.build();
    }
    this.connected();
  }

  disconnectedCallback() {
    this.#lifetime?.abort();
    this.#lifetime = undefined;
  }

  /** @param {EventTarget} target */
  listen(target, type, listener, options = {}) {
    target.addEventListener(type, listener, { ...options, signal: this.lifetime });
  }

  /** Calls with what the store has under the name, now and whenever that changes. */
  watch(name, listener) {
    listener(store.get(name));
    this.listen(store, name, () => listener(store.get(name)));
  }
}
