import { address } from './api.js';
import { session } from './session.js';
import { store } from './store.js';

/**
 * Forwards changes to the signed-in user's memes to the store as they happen (`GET /memes/events`). Signed-out users
 * have no stream. A `refresh` event asks all lists to reload, for example when the user returns to the tab. `lost`
 * reports a broken stream.
 *
 * Browsers limit the number of connections per server across all tabs, so a hidden tab closes its stream.
 */
class Live extends EventTarget {
  /** @type {EventSource | null} */
  #source = null;
  #retry = 0;
  #failures = 0;

  start() {
    store.addEventListener('person', () => this.#restart());
    document.addEventListener('visibilitychange', () => {
      this.#restart();
      if (!document.hidden) this.refresh();
    });
    store.addEventListener('isReached', () => {
      if (!store.get('isReached')) return;
      this.#restart();
      this.refresh();
    });
    this.#restart();
  }

  /** Asks all lists to reload. */
  refresh() {
    this.dispatchEvent(new Event('refresh'));
  }

  #restart() {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
    if (!store.get('person') || document.hidden) return;
    const source = new EventSource(address('/memes/events'));
    this.#source = source;
    source.onopen = () => {
      // The stream does not include changes from before it was opened.
      if (this.#failures > 0) this.refresh();
      this.#failures = 0;
    };
    source.onmessage = (event) => this.#changed(JSON.parse(event.data));
    source.onerror = () => {
      this.dispatchEvent(new Event('lost'));
      // The browser reconnects by itself, except after a response that is not an event stream.
      if (source.readyState !== EventSource.CLOSED || source !== this.#source) return;
      // The session may have ended. If so, this clears the person, and no new stream is opened.
      session.refresh().catch(() => {});
      const seconds = Math.min(2 ** ++this.#failures, 60);
      this.#retry = setTimeout(() => this.#restart(), seconds * 1000);
    };
  }

  #changed(change) {
    if (change.type === 'upsert') store.tell({ kind: 'upsert', meme: change.meme });
    else store.tell({ kind: 'delete', id: change.id });
  }
}

export const live = new Live();
