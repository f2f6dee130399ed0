import { base } from '../app/dom.js';

/**
 * Uploads that are not sent yet, in the browser's own database: whole, so that they are there after a restart. Pages and the
 * service worker share it.
 *
 * @typedef {object} Entry
 * @property {string} key the `Idempotency-Key`, by which the server makes one meme of however many tries
 * @property {string} id the meme's, chosen here: after the key is forgotten it still says that the meme is there
 * @property {string | null} person whose it is; `null` where nobody was signed in
 * @property {Record<string, string>} fields the texts of `POST /memes`
 * @property {Blob | null} picture its `image`; `null` where `fields` name a template or another meme
 * @property {{top: string, bottom: string, altText: string, thumbnail: Blob | null}} preview what is shown of it meanwhile
 * @property {string} createdAt
 * @property {'waiting' | 'failed'} state failed: it will not be sent before somebody does something about it
 * @property {{code: string, status: number, sentence: string} | null} problem what the last try came to
 * @property {number} tries
 * @property {number} notBefore when it may be tried again, in milliseconds since 1970
 */

const name = 'outbox';

/** @type {Promise<IDBDatabase> | undefined} */
let opened;

function database() {
  return (opened ??= new Promise((resolve, reject) => {
    const asking = indexedDB.open(`mememe${base}:${name}`, 1);
    asking.onupgradeneeded = () => asking.result.createObjectStore(name, { keyPath: 'key' });
    asking.onsuccess = () => resolve(asking.result);
    asking.onerror = () => reject(asking.error);
  }).catch((error) => {
    opened = undefined;
    throw error;
  }));
}

/** @param {(store: IDBObjectStore) => IDBRequest | void} work whose last request is the answer, once all of it is on the disk */
async function transact(mode, work) {
  const transaction = (await database()).transaction(name, mode, { durability: 'strict' });
  const asking = work(transaction.objectStore(name));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(asking?.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** What the database did not take, because there is none or no room: it lasts as long as the page. @type {Map<string, Entry>} */
const unkept = new Map();

/** Changes an entry that is still there, in one transaction: one that was discarded meanwhile does not come back. */
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
  /** Those that are there, oldest first. @returns {Promise<Entry[]>} */
  async all() {
    const entries = await transact('readonly', (store) => store.getAll()).catch(() => []);
    return [...entries, ...unkept.values()].sort((one, other) => one.createdAt.localeCompare(other.createdAt));
  },

  /** @returns {Promise<Entry | undefined>} */
  get: async (key) => unkept.get(key) ?? transact('readonly', (store) => store.get(key)).catch(() => undefined),

  /** @param {Entry} entry @returns {Promise<boolean>} whether it outlives the page */
  add: (entry) => transact('readwrite', (store) => store.add(entry)).then(() => true, () => {
    unkept.set(entry.key, entry);
    return false;
  }),

  /** @param {Partial<Entry> | ((entry: Entry) => Partial<Entry>)} changes @returns {Promise<boolean>} whether it is still there */
  update: async (key, changes) => (
    await change(key, (entry) => ({ ...entry, ...(typeof changes === 'function' ? changes(entry) : changes) }))) !== undefined,

  /** @returns {Promise<boolean>} whether it was there */
  remove: async (key) => (await change(key, () => null)) !== undefined,
};
