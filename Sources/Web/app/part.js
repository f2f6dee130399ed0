import { store } from './store.js';

/**
 * The base class of the app's elements. They have no shadow tree, so they share styles, labels and ids with the page.
 *
 * Listeners that an element adds with {@link Part.listen} are removed when it leaves the page.
 */
export class Part extends HTMLElement {
  #lifetime;
  #isBuilt = false;

  /** Aborts when the element leaves the page. */
  get lifetime() {
    return (this.#lifetime ??= new AbortController()).signal;
  }

  /** Creates the content of the element. Called once. */
  build() {}

  /** Called each time the element is added to a page. Subclasses add their listeners here. */
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

  /** Calls `listener` with the store's value of `name`, now and after each change. */
  watch(name, listener) {
    listener(store.get(name));
    this.listen(store, name, () => listener(store.get(name)));
  }
}
