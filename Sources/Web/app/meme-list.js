import { api } from './api.js';
import { shapes } from './shapes.js';
import { store } from './store.js';

/**
 * @typedef {object} Item what of a meme a list shows: a row of `view=table`, or a cell of `view=grid`
 * @property {string} id
 * @property {string} [createdAt]
 * @property {{url: string, width: number, height: number}} thumbnail
 */

/**
 * A list of memes as far as it was looked at, newest first. It goes on when {@link MemeList.more} is called, and follows what
 * happens to memes. An event `change` says that there is something new.
 */
export class MemeList extends EventTarget {
  /** @type {Item[]} */
  #items = [];
  #hidden = new Set();
  #cursor = null;
  #path;
  #query;
  #takes;
  /** @type {Promise<void> | null} */
  #asking = null;
  #isOvertaken = false;
  /** Whether what is there was kept for when the server does not answer, and is perhaps not all. */
  #isKept = false;
  /** Whether something was asked for yet. */
  hasBegun = false;
  /** Whether there is nothing behind what is there. */
  isWhole = false;
  /** @type {import('./problem.js').Problem | null} why the last page did not come */
  problem = null;

  /**
   * @param {string} path such as `/memes`
   * @param {{view: 'table' | 'grid'} & Record<string, string>} query
   * @param {{takes?: (meme: object) => boolean, lifetime: AbortSignal}} rules
   *   takes: whether a meme that was made, or came back, belongs here
   */
  constructor(path, query, { takes = () => false, lifetime }) {
    super();
    [this.#path, this.#query, this.#takes] = [path, query, takes];
    store.addEventListener('meme', (event) => this.#happened(event.detail), { signal: lifetime });
  }

  /** What is to be shown. */
  get items() {
    return this.#hidden.size === 0 ? this.#items : this.#items.filter((item) => !this.#hidden.has(item.id));
  }

  get isLoading() {
    return this.#asking !== null;
  }

  /** Asks for the next page. */
  more() {
    if (this.isWhole) return this.#asking;
    return this.#once(async () => {
      const page = await this.#page(this.#cursor);
      // One that came by other ways is not there twice.
      const known = new Set(this.#items.map((item) => item.id));
      this.#items = [...this.#items, ...page.items.filter((item) => !known.has(item.id))];
      this.#ends(page);
    });
  }

  /** Looks again at the newest: what is there takes the place of what was shown of that stretch. */
  refresh() {
    return this.#once(async () => {
      let page;
      // What happened after the server looked is not in its answer, and must not be lost.
      do {
        this.#isOvertaken = false;
        page = await this.#page(null);
      } while (this.#isOvertaken);
      // What is shown is not older than what is kept, and there may be more of it.
      if (page.kept && this.#items.length > 0) return;
      const last = page.items.at(-1)?.id;
      const rest = last === undefined ? -1 : this.#items.findIndex((item) => item.id === last);
      if (page.nextCursor !== null && rest >= 0 && !this.#isKept) {
        this.#items = [...page.items, ...this.#items.slice(rest + 1)];
      } else {
        this.#items = page.items;
        this.#ends(page);
      }
    });
  }

  #page(cursor) {
    // The first page is to be there soon; who scrolls on wants many.
    return api.get(this.#path, { query: { ...this.#query, limit: cursor ? 100 : 40, cursor } });
  }

  #ends(page) {
    this.#cursor = page.nextCursor;
    this.isWhole = page.nextCursor === null;
    this.#isKept = Boolean(page.kept);
  }

  #once(work) {
    this.#asking ??= (async () => {
      try {
        await work();
        this.problem = null;
      } catch (error) {
        this.problem = error;
      }
      this.hasBegun = true;
      this.#asking = null;
      this.#changed();
    })();
    return this.#asking;
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }

  #happened({ kind, id, meme, counts }) {
    this.#isOvertaken = true;
    if (!this.hasBegun) return;
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
      // Ids of UUIDv7 are in the order of their making; where a client brought its own, the next refresh sets it right.
      const next = this.#items.findIndex((other) => other.id < meme.id);
      if (next >= 0) this.#items = this.#items.toSpliced(next, 0, item);
      else if (this.isWhole) this.#items = [...this.#items, item];
    }
    this.#changed();
  }
}
