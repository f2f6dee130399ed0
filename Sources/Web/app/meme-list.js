import { api } from './api.js';
import { shapes } from './shapes.js';
import { store } from './store.js';

/**
 * @typedef {object} Item the part of a meme that a list shows: a row of `view=table`, or a cell of `view=grid`
 * @property {string} id
 * @property {string} [createdAt]
 * @property {{url: string, width: number, height: number}} thumbnail
 */

/**
 * The loaded part of a list of memes, newest first. {@link MemeList.more} loads the next page. The list applies the
 * store's `meme` events. A `change` event reports new content.
 */
export class MemeList extends EventTarget {
  /** @type {Item[]} */
  #items = [];
  #hidden = new Set();
  #cursor = null;
  #path;
  #query;
  #takes;
  #lifetime;
  /** @type {Promise<void> | null} */
  #asking = null;
  #isOvertaken = false;
  /** The events since the running request began. @type {object[]} */
  #missed = [];
  /** Whether the items came from the offline cache and may be incomplete. */
  #isKept = false;
  /** Whether the items may include some of people who are hidden now. */
  #isOutdated = false;
  /** Whether a first request has finished, successfully or not. */
  hasBegun = false;
  /** Whether the list is loaded to its end. */
  isWhole = false;
  /** @type {import('./problem.js').Problem | null} why the last request failed */
  problem = null;
  /** Repeats the last request. @type {() => Promise<void> | null} */
  #again = () => this.more();

  /**
   * @param {string} path such as `/memes`
   * @param {{view: 'table' | 'grid'} & Record<string, string>} query
   * @param {{takes?: (meme: object) => boolean, lifetime: AbortSignal}} rules
   *   takes: whether a new or restored meme belongs in this list
   */
  constructor(path, query, { takes = () => false, lifetime }) {
    super();
    [this.#path, this.#query, this.#takes, this.#lifetime] = [path, query, takes, lifetime];
    store.addEventListener('meme', (event) => this.#happened(event.detail), { signal: lifetime });
  }

  /** The loaded items without the hidden ones. */
  get items() {
    return this.#hidden.size === 0 ? this.#items : this.#items.filter((item) => !this.#hidden.has(item.id));
  }

  get isLoading() {
    return this.#asking !== null;
  }

  /** Loads the next page. */
  more() {
    if (this.isWhole) return this.#asking;
    return this.#once(() => this.more(), async () => {
      const page = await this.#page(this.#cursor);
      // A meme that an event already added must not appear twice.
      const known = new Set(this.#items.map((item) => item.id));
      this.#items = [...this.#items, ...page.items.filter((item) => !known.has(item.id))];
      this.#ends(page);
    });
  }

  /** Loads the newest page again. It replaces the items in its range. */
  refresh() {
    if (this.#asking) {
      // What is shown afterwards must be newer than this call. The running request may be older.
      this.#isOvertaken = true;
      return this.#asking.then(() => (
        this.#isOvertaken && !this.problem && !this.#lifetime.aborted ? this.refresh() : this.#asking));
    }
    return this.#once(() => this.refresh(), async () => {
      let page;
      // Changes that happened after the server read the list are missing from the response, so it is requested again.
      do {
        this.#isOvertaken = false;
        page = await this.#page(null);
      } while (this.#isOvertaken);
      // The shown items are at least as new as cached ones, and there may be more of them.
      if (page.kept && this.#items.length > 0) return;
      const last = page.items.at(-1)?.id;
      const rest = last === undefined ? -1 : this.#items.findIndex((item) => item.id === last);
      if (page.nextCursor !== null && rest >= 0 && !this.#isKept && !this.#isOutdated) {
        this.#items = [...page.items, ...this.#items.slice(rest + 1)];
      } else {
        this.#items = page.items;
        this.#ends(page);
      }
      this.#isOutdated = false;
    });
  }

  /** Repeats the request that failed. */
  retry() {
    return this.#again();
  }

  #page(cursor) {
    this.#missed = [];
    // A small first page arrives soon. A user who scrolls on needs large ones.
    return api.get(this.#path, { query: { ...this.#query, limit: cursor ? 100 : 40, cursor } });
  }

  #ends(page) {
    this.#cursor = page.nextCursor;
    this.isWhole = page.nextCursor === null;
    this.#isKept = Boolean(page.kept);
  }

  #once(again, work) {
    this.#asking ??= (async () => {
      this.#again = again;
      try {
        await work();
        this.problem = null;
      } catch (error) {
        this.problem = error;
      }
      this.hasBegun = true;
      this.#asking = null;
      this.#missed.splice(0).forEach((detail) => this.#apply(detail));
      this.#changed();
    })();
    return this.#asking;
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }

  #happened(detail) {
    this.#isOvertaken = true;
    if (detail.kind === 'people') this.#isOutdated = true;
    if (this.#asking) this.#missed.push(detail);
    if (this.hasBegun) this.#apply(detail);
  }

  #apply({ kind, id, meme, counts }) {
    switch (kind) {
      case 'upsert': return this.#put(meme);
      case 'counts': return this.#replace(id, (item) => (item.counts ? { ...item, counts } : item));
      case 'hide': this.#hidden.add(id); break;
      case 'show': this.#hidden.delete(id); break;
      case 'delete': this.#items = this.#items.filter((item) => item.id !== id); break;
    }
    this.#changed();
  }

  #replace(id, change) {
    this.#items = this.#items.map((item) => (item.id === id ? change(item) : item));
    this.#changed();
  }

  #put(meme) {
    const item = shapes[this.#query.view](meme);
    this.#hidden.delete(meme.id);
    const place = this.#items.findIndex((other) => other.id === meme.id);
    if (place >= 0) {
      this.#items = this.#items.with(place, item);
    } else if (this.#takes(meme)) {
      // UUIDv7 ids sort by creation time. If a client chose its own id, the next refresh corrects the order.
      const next = this.#items.findIndex((other) => other.id < meme.id);
      if (next >= 0) this.#items = this.#items.toSpliced(next, 0, item);
      else if (this.isWhole) this.#items = [...this.#items, item];
    }
    this.#changed();
  }
}
