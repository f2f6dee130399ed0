import { address } from './api.js';
import { session } from './session.js';
import { store } from './store.js';

/**
 * What happens to the memes of whoever is signed in, as it happens (`GET /memes/events`). Others have no such stream and
 * look again when they come back to the page: `refresh` is told to whoever shows a list. `lost` says that the stream broke.
 *
 * A browser has few connections to a server, for all of its tabs; so a tab that nobody sees has no stream.
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

  /** Asks those who show a list to look again. */
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
      // What happened before the stream began is not in it.
      if (this.#failures > 0) this.refresh();
      this.#failures = 0;
    };
    source.onmessage = (event) => this.#changed(JSON.parse(event.data));
    source.onerror = () => {
      this.dispatchEvent(new Event('lost'));
      // The browser connects again by itself, but not after an answer that is no stream.
      if (source.readyState !== EventSource.CLOSED || source !== this.#source) return;
      // Perhaps nobody is signed in any more: then there is nothing to try again.
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
