import { base } from '../app/dom.js';

const prefix = `mememe${base}:kept:`;
/** Stands for a signed-out user. IDs contain no spaces. */
const nobody = ' ';

/**
 * The cached responses of the server, which pages show while the server is unreachable. They are in one cache, which
 * belongs to the current user. Pages report the user; a change of user deletes the responses of all others.
 *
 * Code that caches a response opens the vault before it sends the request. If the cache is deleted before the response
 * arrives, the response is deleted with it.
 */
export const vault = {
  /** Assigns the vault to a user, and deletes the responses of others. @param {string | null} person */
  belongTo(person) {
    return alone(async () => {
      const own = prefix + (person ?? nobody);
      const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== own);
      await Promise.all(others.map((name) => caches.delete(name)));
      await caches.open(own);
    });
  },

  /** @returns {Promise<Cache | null>} `null` if no page has reported the user yet */
  open() {
    return together(async () => {
      const name = await current();
      return name === undefined ? null : caches.open(name);
    });
  },

  /** @returns {Promise<string | null | undefined>} the owner's ID; `null` if the user is signed out */
  async person() {
    const name = (await current())?.slice(prefix.length);
    return name === nobody ? null : name;
  },

  /** Deletes all cached responses. */
  empty() {
    return alone(async () => {
      const name = await current();
      if (name === undefined) return;
      await caches.delete(name);
      await caches.open(name);
    });
  },
};

const current = async () => (await caches.keys()).find((name) => name.startsWith(prefix));

/** Opening a cache creates it, even right after its deletion. The lock prevents that while the owner changes. */
const alone = (work) => navigator.locks.request(prefix, { mode: 'exclusive' }, work);
const together = (work) => navigator.locks.request(prefix, { mode: 'shared' }, work);
