/**
 * The `deleteToken`s of memes that were made in this browser without an account, stored in IndexedDB. Without its token
 * an author cannot edit or delete such a meme. A token grants access to one meme and does not identify the user.
 */

const name = 'delete-tokens';

/** @type {Promise<IDBDatabase> | undefined} */
let opened;
/** An in-memory copy of the database, so that lists do not wait for it. @type {Map<string, string>} */
const known = new Map();

function database() {
  return (opened ??= new Promise((resolve, reject) => {
    const asking = indexedDB.open('mememe', 1);
    asking.onupgradeneeded = () => asking.result.createObjectStore(name);
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
  /** Loads the tokens. If the browser has no database, as in some private windows, tokens last as long as the page. */
  async load() {
    try {
      const ids = await transact('readonly', (store) => store.getAllKeys());
      const tokens = await transact('readonly', (store) => store.getAll());
      ids.forEach((id, index) => known.set(String(id), tokens[index]));
    } catch {
      // Tokens of memes that are made from now on are still kept in memory.
    }
  },

  /** @returns {string | undefined} */
  of: (id) => known.get(id),

  /** All tokens, as `[id, token]`. */
  all: () => [...known],

  /** Stores the token of a new meme. */
  async keep(id, token) {
    known.set(id, token);
    await transact('readwrite', (store) => store.put(token, id)).catch(() => {});
  },

  /** Removes the token of a meme that the user deleted, or that is purged or claimed. */
  async forget(id) {
    known.delete(id);
    await transact('readwrite', (store) => store.delete(id)).catch(() => {});
  },
};
