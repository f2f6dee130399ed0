import { base, root } from '../app/dom.js';

/** The version of the app's files that this module is one of. */
const version = root.pathname.split('/').at(-2);
const prefix = `mememe${base}:shell:`;
/** The page's own address stands for all of the app's addresses: the page is the same at each. */
const page = `${base}/`;

/**
 * The app's files, kept by version, so that it opens without the server, and a tab of an old version goes on when the server
 * has another.
 */
export const shell = {
  /** The cache of this version, and the lock by which tabs say that they are of it. */
  name: prefix + version,

  /** Fetches all files. @param {string[]} files within the folder of the version */
  async fill(files) {
    const cache = await caches.open(shell.name);
    const index = await fetch(page, { cache: 'no-cache' });
    // The server may have been upgraded since this version began to be fetched.
    if (!index.ok || !(await index.clone().text()).includes(root.pathname)) throw new Error('The server has another version.');
    await cache.addAll(files.map((file) => root.pathname + file));
    await cache.put(page, index);
  },

  /** Forgets the other versions, but those that a tab still shows. */
  async clear() {
    const { held } = await navigator.locks.query();
    const shown = new Set([shell.name, ...held.map((lock) => lock.name)]);
    const old = (await caches.keys()).filter((name) => name.startsWith(prefix) && !shown.has(name));
    await Promise.all(old.map((name) => caches.delete(name)));
  },

  /** A file of any version that is kept, else the server's answer. */
  async file(request) {
    for (const name of await caches.keys()) {
      const kept = name.startsWith(prefix) && await caches.match(request, { cacheName: name, ignoreVary: true });
      if (kept) return kept;
    }
    return fetch(request);
  },

  /** The page of this version. */
  page: () => caches.match(page, { cacheName: shell.name, ignoreVary: true }),

  /** Says that this tab is of this version, as long as it is there. */
  hold() {
    navigator.locks.request(shell.name, { mode: 'shared' }, () => new Promise(() => {}));
  },
};
