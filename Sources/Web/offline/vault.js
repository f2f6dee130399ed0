import { base } from '../app/dom.js';

const prefix = `mememe${base}:kept:`;
/** A name that nobody has: usernames have no blank. */
const nobody = ' ';

/**
 * Where the server's answers are kept that pages show without it: in one cache, which is of whoever is signed in. Pages say who
 * that is; with the change of person goes all that was kept for another.
 *
 * Who keeps an answer opens the vault before they ask. One that is deleted meanwhile takes what is put into it along.
 */
export const vault = {
  /** Makes it somebody's: what was kept of others is gone. @param {string | null} person */
  belongTo(person) {
    return alone(async () => {
      const own = prefix + (person ?? nobody);
      const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== own);
      await Promise.all(others.map((name) => caches.delete(name)));
      await caches.open(own);
    });
  },

  /** @returns {Promise<Cache | null>} none where no page has said yet whose it is */
  open() {
    return together(async () => {
      const name = await current();
      return name === undefined ? null : caches.open(name);
    });
  },

  /** @returns {Promise<string | null | undefined>} whose it is; `null` where nobody is signed in */
  async person() {
    const name = (await current())?.slice(prefix.length);
    return name === nobody ? null : name;
  },

  /** Forgets what is kept, and begins anew. */
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

/** To open a cache makes it, where it was deleted a moment before: so nobody opens one while it changes hands. */
const alone = (work) => navigator.locks.request(prefix, { mode: 'exclusive' }, work);
const together = (work) => navigator.locks.request(prefix, { mode: 'shared' }, work);
