import { address, api } from '../app/api.js';
import { live } from '../app/live.js';
import { store } from '../app/store.js';
import { keptQuery } from './instead.js';
import { vault } from './vault.js';

/** The delay between a change and the update of the cache, in milliseconds. Changes often come in groups. */
const pause = 2000;

/** The number of cached pictures. They belong to the signed-in user. */
export async function keptPictures() {
  const requests = await (await vault.open())?.keys() ?? [];
  return requests.filter(({ url }) => /\/(image|thumbnail)\?/.test(url)).length;
}

/**
 * Caches the newest memes with their thumbnails, and the font of new memes, so that both lists, each meme and the editor
 * are available without the server, even if the user has not opened them.
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

  /** Sends requests through the service worker, which caches the responses. */
  async #fill() {
    // If the user saves data, only memes that the user opened are cached.
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
    // The editor draws new memes in the first font.
    const kept = await cache?.match(address('/fonts'), { ignoreVary: true });
    const [face] = (await (kept?.json() ?? api.get('/fonts'))).items;
    if (face?.file && !await cache?.match(face.file.url, { ignoreVary: true })) await (await fetch(face.file.url, { priority: 'low' })).arrayBuffer();
  }
}

export const newest = new Newest();
