import { store } from '../app/store.js';
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
    // The browser's own question comes at its own time; the button of the page about the app asks it when somebody wants to.
    window.addEventListener('beforeinstallprompt', (event) => {
      event.preventDefault();
      store.set('installation', event);
    });
    window.addEventListener('appinstalled', () => store.set('installation', null));
    await claimed;
  },

  /**
   * Lets the browser keep the app. What that takes is asked for when the first page is there: it holds up nothing that people
   * wait for.
   */
  async install() {
    const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    do await pause(1000); while (document.querySelector('main[aria-busy="true"]'));
    await new Promise((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve));
    const { install } = await import('./install.js');
    await install();
  },
};
