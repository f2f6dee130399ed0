import { deleteTokens } from '../app/delete-tokens.js';
import { store } from '../app/store.js';
import { notify } from '../elements/notice-bar.js';
import { attempt, channelName, flush, syncTag } from './sending.js';
import { queue } from './queue.js';
import { uuid } from './uuid.js';

/** @typedef {import('./queue.js').Entry} Entry */

/** How long until it is tried again while the server is not reached, and nobody says that it may be. */
const patience = 20_000;
/** How late a browser may tell that a body is sent: Chromium asks ten times a second. In milliseconds. */
const tellingDelay = 300;

/**
 * What was made here and is not on the server yet. It is kept in the browser before it is sent, and leaves only when the
 * server has it, or somebody discards it: what was shared without a network comes there later, and once.
 *
 * An event `change` says that {@link Outbox.entries} are others, or {@link Outbox.partSent} of one; `sent` that a meme is made of one.
 */
class Outbox extends EventTarget {
  /** @type {Entry[]} */
  #entries = [];
  /** How much of each is sent that this page is sending. @type {Map<string, number>} */
  #sending = new Map();
  /** @type {Map<string, AbortController>} */
  #stops = new Map();
  #channel = new BroadcastChannel(channelName);
  #timer = 0;

  /** Takes up what a page before this one has left. */
  async start() {
    this.#channel.onmessage = ({ data }) => this.#heard(data);
    store.addEventListener('person', () => this.#changeHands());
    store.addEventListener('isReached', () => store.get('isReached') && this.flush());
    await this.#changeHands();
  }

  /** What waits, or could not be sent, of whoever is signed in; the newest first, as in lists of memes. */
  get entries() {
    return this.#entries;
  }

  /** @returns {number | undefined} from 0 to 1; nothing where it is not being sent from here */
  partSent(key) {
    return this.#sending.get(key);
  }

  /** What is kept of one: fields, picture and all. @returns {Promise<Entry | undefined>} */
  entry(key) {
    return queue.get(key);
  }

  /**
   * Makes a meme on the server: now, or as soon as it can be reached.
   *
   * @param {object} wish
   * @param {Record<string, string>} wish.fields the texts of `POST /memes`, without `id`. With `upload`, a picture that was sent
   *   ahead, it is not sent again as long as the server has it
   * @param {Blob | null} wish.picture the file of the field `image`, also where there is an `upload`; `null` where the fields
   *   name a template or another meme
   * @param {{top?: string, bottom?: string, altText?: string, thumbnail?: Blob | null}} [wish.preview] what the list shows while it
   *   waits; thumbnail: some 400 pixels of what it will look like
   * @param {(part: number) => void} [wish.progress] is told how much is sent, from 0 to 1
   * @param {AbortSignal} [wish.signal] takes it back: then nothing is saved
   * @returns {Promise<{meme: object} | {waits: Entry}>} the meme, which lists are told of; or what waits to be sent
   * @throws {import('../app/problem.js').Problem} where the server does not take it; then nothing is kept here
   * @throws {DOMException} `AbortError` where it was taken back
   */
  async send({ fields, picture, preview = {}, progress, signal }) {
    const { top = fields.top ?? '', bottom = fields.bottom ?? '', altText = fields.altText ?? '', thumbnail = null } = preview;
    const entry = {
      key: uuid(), id: uuid(), person: username(), fields, picture,
      preview: { top, bottom, altText, thumbnail }, createdAt: new Date().toISOString(),
      state: 'waiting', problem: null, tries: 0, notBefore: 0,
    };
    await queue.add(entry);
    const stop = () => this.discard(entry.key);
    signal?.addEventListener('abort', stop, { once: true });
    const { sent, problem, isRefused } = await this.#attempt(entry, progress ?? (() => {}));
    signal?.removeEventListener('abort', stop);
    signal?.throwIfAborted();
    if (isRefused) {
      await this.discard(entry.key);
      throw problem;
    }
    if (sent) return { meme: sent };
    // Browsers forget what they keep, where they have no room, of sites that did not ask.
    navigator.storage?.persist?.().catch(() => {});
    await this.#changed();
    return { waits: entry };
  }

  /** Tries all that waits, also what is not due yet: somebody asked, or the network came back. */
  async flush() {
    clearTimeout(this.#timer);
    await flush(username(), async (entry) => {
      const outcome = await this.#attempt(entry);
      if (outcome.isRefused) this.#heard({ refused: outcome.problem.sentence });
      return outcome;
    });
    this.#wait();
  }

  /** Tries one again that could not be sent. */
  async retry(key) {
    await queue.update(key, { state: 'waiting', problem: null, tries: 0, notBefore: 0 });
    await this.#changed();
    await this.flush();
  }

  /** Takes one back: it is not sent any more, and where it is on its way its meme is deleted. */
  async discard(key) {
    await queue.remove(key);
    await this.#changed();
    // What is whole on its way may be there already; its answer is waited for. That it is whole the browser tells a little late.
    const stop = this.#stops.get(key);
    const isWhole = () => this.#sending.get(key) === 1;
    if (stop && !isWhole()) await new Promise((resolve) => setTimeout(resolve, tellingDelay));
    if (!isWhole()) stop?.abort();
  }

  /** Takes up again what was taken back. @param {Entry} entry */
  async keep(entry) {
    await queue.add({ ...entry, key: uuid(), id: uuid(), state: 'waiting', problem: null, tries: 0, notBefore: 0 });
    await this.#changed();
    await this.flush();
  }

  /** Forgets all that waits, as when its person signs out. */
  async empty() {
    await Promise.all(this.#entries.map(({ key }) => this.discard(key)));
  }

  async #attempt(entry, progress) {
    if (this.#stops.has(entry.key)) return {};
    const stop = new AbortController();
    this.#stops.set(entry.key, stop);
    this.#progress(entry.key, 0);
    const told = (part) => {
      progress?.(part);
      this.#progress(entry.key, part);
    };
    let outcome = {};
    try {
      // A browser tells how far an upload is, or sends it without the cookie of who is signed in by now, but not both.
      outcome = await attempt(entry, { signal: stop.signal, progress: progress || entry.person !== null ? told : undefined });
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    } finally {
      this.#stops.delete(entry.key);
      this.#sending.delete(entry.key);
    }
    this.#channel.postMessage({ sent: outcome.sent });
    await this.#read();
    this.#told(outcome.sent);
    return outcome;
  }

  /** @param {object | null | undefined} meme that was made of what waited */
  #told(meme) {
    if (!meme) return;
    store.tell({ kind: 'upsert', meme });
    // Its id was chosen when it began to wait; its place in a list is that of when it came to the server.
    this.dispatchEvent(new Event('sent'));
  }

  #progress(key, part) {
    this.#sending.set(key, part);
    this.dispatchEvent(new Event('change'));
  }

  /** What another page, or the service worker, did. */
  async #heard({ sent, refused }) {
    if (sent) await deleteTokens.load();
    await this.#read();
    this.#told(sent);
    if (refused) notify(`A meme could not be sent. ${refused}`);
  }

  async #changed() {
    this.#channel.postMessage({});
    await this.#read();
  }

  async #read() {
    const known = new Map(this.#entries.map((entry) => [entry.key, entry]));
    // One that is as it was stays the same, so that lists leave it alone.
    this.#entries = (await queue.all()).filter((entry) => entry.person === username()).reverse()
      .map((entry) => (isSame(known.get(entry.key), entry) ? known.get(entry.key) : entry));
    this.dispatchEvent(new Event('change'));
    this.#wait();
  }

  /** What somebody else has left here is not kept for them; where nobody is signed in, whoever it is of may be back. */
  async #changeHands() {
    const person = username();
    const others = person === null ? [] : (await queue.all()).filter((entry) => ![person, null].includes(entry.person));
    for (const { key } of others) await queue.remove(key);
    await this.#read();
    await this.flush();
  }

  #wait() {
    clearTimeout(this.#timer);
    const waiting = this.#entries.filter(({ key, state }) => state === 'waiting' && !this.#sending.has(key));
    if (waiting.length === 0) return;
    const due = Math.min(...waiting.map(({ notBefore }) => notBefore)) - Date.now();
    this.#timer = setTimeout(() => this.flush(), Math.max(due, patience));
    navigator.serviceWorker?.ready.then(({ sync }) => sync?.register(syncTag)).catch(() => {});
  }
}

export const outbox = new Outbox();

const isSame = (one, other) => (
  one?.state === other.state && one.tries === other.tries && one.problem?.code === other.problem?.code);

const username = () => store.get('person')?.username ?? null;
