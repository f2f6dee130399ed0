import { deleteTokens } from '../app/delete-tokens.js';
import { Problem } from '../app/problem.js';
import { store } from '../app/store.js';
import { notify } from '../elements/notice-bar.js';
import { isOwn, owner } from './owner.js';
import { queue } from './queue.js';
import { attempt, channelName, flush, isDue, pause, syncTag } from './sending.js';
import { uuid } from './uuid.js';

/** @typedef {import('./queue.js').Entry} Entry */

/** The interval between attempts if no event reports that the server is reachable, in milliseconds. */
const patience = 20_000;
/** How late a browser may report that a body is sent, in milliseconds. Chromium reports progress ten times a second. */
const tellingDelay = 300;
const signInFirst = { code: 'unauthorized', status: 401, sentence: 'Sign in to continue.' };

/**
 * Memes that were made on this device and are not on the server yet. Each is stored in the browser before it is sent,
 * and stays until the server has it or the user discards it.
 *
 * A `change` event reports that {@link Outbox.entries} or the {@link Outbox.partSent} of an entry changed. A `sent`
 * event reports that an entry became a meme.
 */
class Outbox extends EventTarget {
  /** @type {Entry[]} */
  #entries = [];
  /** The fraction that has been sent of each entry that this page is sending. @type {Map<string, number>} */
  #sending = new Map();
  /** @type {Map<string, AbortController>} */
  #stops = new Map();
  #channel = new BroadcastChannel(channelName);
  #timer = 0;

  /** Resumes the work that earlier pages left. */
  async start() {
    this.#channel.onmessage = ({ data }) => this.#heard(data);
    store.addEventListener('person', () => this.#changeHands());
    store.addEventListener('isReached', () => store.get('isReached') && this.flush());
    await this.#changeHands();
  }

  /** The waiting and failed uploads of the current user, newest first like lists of memes. */
  get entries() {
    return this.#entries;
  }

  /** @returns {number | undefined} from 0 to 1; `undefined` if this page is not sending the entry */
  partSent(key) {
    return this.#sending.get(key);
  }

  /** A whole entry, with its fields and picture, if it is the user's. @returns {Promise<Entry | undefined>} */
  async entry(key) {
    const entry = await queue.get(key);
    return entry && isOwn(entry.person) ? entry : undefined;
  }

  /**
   * Creates a meme on the server, now or as soon as the server is reachable.
   *
   * @param {object} wish
   * @param {Record<string, string>} wish.fields the text fields of `POST /memes`, without `id`. With `upload`, the
   *   picture was uploaded ahead and is not sent again while the server has it
   * @param {Blob | null} wish.picture the file of the field `image`, even if there is an `upload`; `null` if the fields
   *   name a template or another meme
   * @param {{top?: string, bottom?: string, altText?: string, thumbnail?: Blob | null}} [wish.preview] shown in lists
   *   while the upload waits; thumbnail: the meme at about 400 pixels
   * @param {string | null} [wish.person] the ID of the author; `null` if the signed-in user becomes the author. The meme
   *   of an author who is signed out waits for them
   * @param {(part: number) => void} [wish.progress] called with the fraction that has been sent, from 0 to 1
   * @param {AbortSignal} [wish.signal] discards the upload; nothing is saved then
   * @returns {Promise<{meme: object} | {waits: Entry}>} the meme, which is also announced to lists; or the waiting
   *   upload
   * @throws {Problem} if the server rejects the meme, or another user is signed in; nothing is kept on this device then
   * @throws {DOMException} `AbortError` if the signal aborted
   */
  async send({ fields, picture, preview = {}, person = null, progress, signal }) {
    // The entries of other users are removed: see `#changeHands`.
    if (owner() !== null && !isOwn(person)) throw new Problem('other-author', { status: 403 });
    const { top = fields.top ?? '', bottom = fields.bottom ?? '', altText = fields.altText ?? '', thumbnail = null } = preview;
    const entry = {
      key: uuid(), id: uuid(), person: isOwn(person) ? owner() : person, fields, picture,
      preview: { top, bottom, altText, thumbnail }, createdAt: new Date().toISOString(),
      state: 'waiting', problem: isOwn(person) ? null : signInFirst, tries: 0, notBefore: 0,
    };
    await queue.add(entry);
    if (!isOwn(person)) return { waits: entry };
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
    // A browser that runs out of storage deletes the data of sites that did not request persistence.
    navigator.storage?.persist?.().catch(() => {});
    await this.#changed();
    return { waits: { ...entry, problem: problem ?? null } };
  }

  /** Sends all waiting entries that are due. */
  async flush() {
    clearTimeout(this.#timer);
    await flush(owner(), async (entry) => {
      const outcome = await this.#attempt(entry);
      if (outcome.isRefused) this.#heard({ refused: outcome.problem.sentence });
      return outcome;
    });
    this.#wait();
  }

  /** Retries a failed entry. */
  async retry(key) {
    await queue.update(key, { state: 'waiting', problem: null, tries: 0, notBefore: 0 });
    await this.#changed();
    await this.flush();
  }

  /** Discards an entry, so that it is not sent. If it is already being sent, its meme is deleted. */
  async discard(key) {
    await queue.remove(key);
    await this.#changed();
    // An entry that was sent completely may already be a meme, so its response is awaited. Browsers report late that
    // an upload is complete.
    const stop = this.#stops.get(key);
    const isWhole = () => this.#sending.get(key) === 1;
    if (stop && !isWhole()) await new Promise((resolve) => setTimeout(resolve, tellingDelay));
    if (!isWhole()) stop?.abort();
  }

  /** Puts a discarded entry back into the queue, with a new key and id. @param {Entry} entry */
  async keep(entry) {
    await queue.add({ ...entry, key: uuid(), id: uuid(), state: 'waiting', problem: null, tries: 0, notBefore: 0 });
    await this.#changed();
    await this.flush();
  }

  /** Discards all entries, for example when the user signs out. */
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
      // A browser can report the progress of an upload or send it without the session cookie, but not both.
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

  /** @param {object | null | undefined} meme the meme that was created from an entry */
  #told(meme) {
    if (!meme) return;
    store.tell({ kind: 'upsert', meme });
    // The id sorts by the time when the wait began, but lists sort by arrival at the server, so they must refresh.
    this.dispatchEvent(new Event('sent'));
  }

  #progress(key, part) {
    this.#sending.set(key, part);
    this.dispatchEvent(new Event('change'));
  }

  /** Handles a message of another page or of the service worker. */
  async #heard({ sent, refused }) {
    if (sent) await deleteTokens.load();
    await this.#read();
    this.#told(sent);
    if (refused) notify(`A meme couldn’t be sent. ${refused}`);
  }

  async #changed() {
    this.#channel.postMessage({});
    await this.#read();
  }

  async #read() {
    const known = new Map(this.#entries.map((entry) => [entry.key, entry]));
    // An unchanged entry stays the same object, so that lists do not redraw it.
    this.#entries = (await queue.all()).filter((entry) => entry.person === owner()).reverse()
      .map((entry) => (isSame(known.get(entry.key), entry) ? known.get(entry.key) : entry));
    this.dispatchEvent(new Event('change'));
    this.#wait();
  }

  /**
   * Removes the entries of other users. While the user is signed out, all entries stay: their owner may return. Entries
   * that only waited for that are due then.
   */
  async #changeHands() {
    const [person, username] = [owner(), store.get('person')?.username];
    for (const entry of person === null ? [] : await queue.all()) {
      // The user has changed since. That change calls this again.
      if (owner() !== person) return;
      // Earlier versions stored the username.
      if (entry.person === username) await queue.update(entry.key, { person });
      else if (![person, null].includes(entry.person)) await queue.remove(entry.key);
      // A longer pause is that of an open editor.
      if (entry.problem?.code === 'unauthorized' && entry.notBefore <= Date.now() + pause * 1000) {
        await queue.update(entry.key, { notBefore: 0 });
      }
    }
    await this.#read();
    await this.flush();
  }

  #wait() {
    clearTimeout(this.#timer);
    const waiting = this.#entries.filter(({ key, state }) => state === 'waiting' && !this.#sending.has(key));
    if (waiting.length === 0) return;
    const due = Math.min(...waiting.map((entry) => (isDue(entry) ? 0 : entry.notBefore - Date.now())));
    this.#timer = setTimeout(() => this.flush(), Math.max(due, patience));
    navigator.serviceWorker?.ready.then(({ sync }) => sync?.register(syncTag)).catch(() => {});
  }
}

export const outbox = new Outbox();

const isSame = (one, other) => (
  one?.state === other.state && one.tries === other.tries && one.problem?.code === other.problem?.code);
