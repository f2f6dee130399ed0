import { store } from '../app/store.js';
import { install } from './install.js';
import './offline-mark.js';
import { outbox } from './outbox.js';
import { reach } from './reach.js';
import { vault } from './vault.js';

/** Changes of person, one after the other. */
let claimed = Promise.resolve();

/** What is kept is of whoever is signed in, and of nobody else. Browsers keep nothing for pages without TLS. */
function claim() {
  if (!globalThis.caches) return;
  claimed = claimed.then(() => vault.belongTo(store.get('person')?.username ?? null)).catch(() => {});
}

export const offline = {
  /** Begins what works without the server. Resolves when nothing is shown any more that was kept of others. */
  async start() {
    reach.start();
    document.body.prepend(document.createElement('offline-mark'));
    outbox.start();
    store.addEventListener('person', claim);
    claim();
    await claimed;
  },

  /** Lets the browser keep the app. @param {Promise<unknown>} shown resolves when the first page is there */
  install,
};
