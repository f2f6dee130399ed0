import { base, root } from '../app/dom.js';

/** The version of the app's files to which this module belongs. */
const version = root.pathname.split('/').at(-2);
const prefix = `mememe${base}:shell:`;
/** The cache key of the page, which is the same at all of the app's addresses. */
const page = `${base}/`;

/**
 * The app's files, cached by version. The app opens without the server, and a tab of an old version keeps working after
 * the server was upgraded.
 */
export const shell = {
  /** The name of this version's cache, and of the lock that tabs and workers of this version hold. */
  name: prefix + version,

  /** Downloads all files. @param {string[]} files within the folder of the version */
  async fill(files) {
    const cache = await caches.open(shell.name);
    const index = await fetch(page, { cache: 'no-cache' });
    // The server may have been upgraded since the download began.
    if (!index.ok || !(await index.clone().text()).includes(root.pathname)) throw new Error('The server has a different version.');
    await cache.addAll(files.map((file) => root.pathname + file));
    await cache.put(page, index);
  },

  /** Deletes the caches of other versions, except those that an open tab or a worker still uses. */
  async clear() {
    const { held } = await navigator.locks.query();
    const shown = new Set([shell.name, ...held.map((lock) => lock.name)]);
    const old = (await caches.keys()).filter((name) => name.startsWith(prefix) && !shown.has(name));
    await Promise.all(old.map((name) => caches.delete(name)));
  },

  /** A file of any cached version, or else the server's response. */
  async file(request) {
    for (const name of await caches.keys()) {
      const kept = name.startsWith(prefix) && await caches.match(request, { cacheName: name, ignoreVary: true });
      if (kept) return kept;
    }
    return fetch(request);
  },

  /** The cached page of this version. */
  page: () => caches.match(page, { cacheName: shell.name, ignoreVary: true }),

  /** Holds the lock of this version as long as this tab is open, or until the worker that is being installed ends. */
  hold() {
    navigator.locks.request(shell.name, { mode: 'shared' }, () => new Promise(() => {}));
  },
};
