/**
 * The `deleteToken`s of memes that were made here without an account, in the browser's own database: the only thing by which
 * whoever made them can edit or delete them. Each opens its one meme and nothing else; it is no sign of who somebody is.
 */

const name = 'delete-tokens';

/** @type {Promise<IDBDatabase> | undefined} */
let opened;
/** What is in the database, so that a list need not wait for it. @type {Map<string, string>} */
const known = new Map();

function database() {
  return (opened ??= new Promise((resolve, reject) => {
    const asking = indexedDB.open('mememe', 1);
    asking.onupgradeneeded = () => asking.result.createObjectStore(name);
    asking.onsuccess = () => resolve(asking.result);
    asking.onerror = () => reject(asking.error);
  }));
}

/** @param {(store: IDBObjectStore) => IDBRequest} work */
async function transact(mode, work) {
  const transaction = (await database()).transaction(name, mode);
  const asking = work(transaction.objectStore(name));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(asking.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

export const deleteTokens = {
  /** Reads them. Where the browser keeps no database, as in some private windows, they last as long as the page. */
  async load() {
    try {
      const ids = await transact('readonly', (store) => store.getAllKeys());
      const tokens = await transact('readonly', (store) => store.getAll());
      ids.forEach((id, index) => known.set(String(id), tokens[index]));
    } catch {
      // Those that are made from now on are known all the same.
    }
  },

  /** @returns {string | undefined} */
  of: (id) => known.get(id),

  /** Those that are there, as `[id, token]`. */
  all: () => [...known],

  /** Keeps the token that came with a meme. */
  async keep(id, token) {
    known.set(id, token);
    await transact('readwrite', (store) => store.put(token, id)).catch(() => {});
  },

  /** Forgets a token that opens nothing any more: the meme is purged, or somebody claimed it. */
  async forget(id) {
    known.delete(id);
    await transact('readwrite', (store) => store.delete(id)).catch(() => {});
  },
};
