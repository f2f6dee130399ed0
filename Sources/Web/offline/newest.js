import { api } from '../app/api.js';
import { live } from '../app/live.js';
import { store } from '../app/store.js';
import { keptQuery } from './instead.js';
import { vault } from './vault.js';

/** How long after a change the list is kept anew, in milliseconds: many changes come together. */
const pause = 2000;

/** How many pictures are kept, of whoever is signed in. */
export async function keptPictures() {
  const requests = await (await vault.open())?.keys() ?? [];
  return requests.filter(({ url }) => /\/(image|thumbnail)\?/.test(url)).length;
}

/**
 * Keeps the newest memes with their thumbnails, so that both lists and each meme are there without the server, whether
 * somebody looked at them or not.
 */
class Newest {
  #timer = 0;
  /** @type {Promise<void> | null} */
  #filling = null;

  start() {
    for (const type of ['person', 'meme']) store.addEventListener(type, () => this.#soon());
    live.addEventListener('refresh', () => this.#soon());
    this.#soon();
  }

  #soon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fill(), pause);
  }

  /** What is asked for goes through the service worker, and that keeps it. */
  async #fill() {
    // Who pays for what they load has what they saw.
    if (!navigator.serviceWorker.controller || navigator.connection?.saveData || document.hidden) return;
    if (this.#filling) return this.#soon();
    this.#filling = this.#ask().catch(() => {});
    await this.#filling;
    this.#filling = null;
  }

  async #ask() {
    const cache = await vault.open();
    const { items } = await api.get('/memes', { query: keptQuery(store.get('person') ? 'me' : null) });
    for (const { thumbnails } of items) {
      for (const { url } of [thumbnails.table, thumbnails.grid]) {
        if (await cache?.match(url, { ignoreVary: true })) continue;
        await (await fetch(url, { priority: 'low' })).arrayBuffer();
      }
    }
  }
}

export const newest = new Newest();
