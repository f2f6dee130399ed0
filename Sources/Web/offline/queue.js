import { base } from '../app/dom.js';

/**
 * Uploads that are not sent yet, stored whole in IndexedDB. Pages and the service worker share the queue.
 *
 * @typedef {object} Entry
 * @property {string} key the `Idempotency-Key`, by which the server makes only one meme, regardless of the number of
 *   attempts
 * @property {string} id the meme's id, chosen here; it still identifies the meme after the server has forgotten the key
 * @property {string | null} person the ID of the owner; `null` if the meme was made while signed out
 * @property {Record<string, string>} fields the text fields of `POST /memes`
 * @property {Blob | null} picture the file of the field `image`; `null` if `fields` name a template or another meme
 * @property {{top: string, bottom: string, altText: string, thumbnail: Blob | null}} preview shown in lists while the
 *   upload waits
 * @property {string} createdAt
 * @property {'waiting' | 'failed'} state failed: the upload is not sent again until the user acts
 * @property {{code: string, status: number, sentence: string} | null} problem the error of the last attempt
 * @property {number} tries
 * @property {number} notBefore the earliest time of the next attempt, in milliseconds since 1970
 */

const name = 'outbox';

/** @type {Promise<IDBDatabase> | undefined} */
let opened;

function database() {
  return (opened ??= new Promise((resolve, reject) => {
    const asking = indexedDB.open(`mememe${base}:${name}`, 1);
    asking.onupgradeneeded = () => asking.result.createObjectStore(name, { keyPath: 'key' });
    asking.onsuccess = () => {
      // The browser may close it. The next transaction opens it again.
      asking.result.onclose = () => (opened = undefined);
      resolve(asking.result);
    };
    asking.onerror = () => reject(asking.error);
  }).catch((error) => {
    opened = undefined;
    throw error;
  }));
}

/**
 * Runs a transaction. Resolves when it is on disk.
 *
 * @param {(store: IDBObjectStore) => IDBRequest | void} work returns the request that has the result
 */
async function transact(mode, work) {
  const transaction = (await database()).transaction(name, mode, { durability: 'strict' });
  const asking = work(transaction.objectStore(name));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(asking?.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

/**
 * Entries that the database did not store, because it is missing or full. They last as long as the page.
 *
 * @type {Map<string, Entry>}
 */
const unkept = new Map();

/** Changes an entry in one transaction, if it still exists. An entry that was discarded is not created again. */
async function change(key, made) {
  let known = unkept.get(key);
  if (known) {
    const next = made(known);
    if (next) unkept.set(key, next);
    else unkept.delete(key);
    return known;
  }
  await transact('readwrite', (store) => {
    const asking = store.get(key);
    asking.onsuccess = () => {
      known = asking.result;
      const next = known && made(known);
      if (next) store.put(next);
      else if (known) store.delete(key);
    };
  });
  return known;
}

export const queue = {
  /** All entries, oldest first. @returns {Promise<Entry[]>} */
  async all() {
    const entries = await transact('readonly', (store) => store.getAll()).catch(() => []);
    return [...entries, ...unkept.values()].sort((one, other) => one.createdAt.localeCompare(other.createdAt));
  },

  /** @returns {Promise<Entry | undefined>} */
  get: async (key) => unkept.get(key) ?? transact('readonly', (store) => store.get(key)).catch(() => undefined),

  /** @param {Entry} entry @returns {Promise<boolean>} whether the entry is on disk and outlives the page */
  add: (entry) => transact('readwrite', (store) => store.add(entry)).then(() => true, () => {
    unkept.set(entry.key, entry);
    return false;
  }),

  /**
   * @param {Partial<Entry> | ((entry: Entry) => Partial<Entry>)} changes
   * @returns {Promise<boolean>} whether it still exists
   */
  update: async (key, changes) => (
    await change(key, (entry) => ({ ...entry, ...(typeof changes === 'function' ? changes(entry) : changes) }))) !== undefined,

  /** @returns {Promise<boolean>} whether the entry existed */
  remove: async (key) => (await change(key, () => null)) !== undefined,
};
