import { store } from '../app/store.js';
import './offline-mark.js';
import { outbox } from './outbox.js';
import { owner } from './owner.js';
import { reach } from './reach.js';
import { vault } from './vault.js';

/** Runs changes of the vault's owner one at a time. */
let claimed = Promise.resolve();

/** Assigns the vault to the signed-in user. Without TLS, browsers provide no cache. */
function claim() {
  if (!globalThis.caches) return;
  claimed = claimed.then(() => vault.belongTo(owner())).catch(() => {});
}

export const offline = {
  /** Starts the offline features. Resolves when cached responses of other users can no longer be shown. */
  async start() {
    reach.start();
    document.body.prepend(document.createElement('offline-mark'));
    outbox.start();
    store.addEventListener('person', claim);
    claim();
    // The browser would ask at its own time. Instead, a button on the page about the app shows the prompt.
    window.addEventListener('beforeinstallprompt', (event) => {
      event.preventDefault();
      store.set('installation', event);
    });
    window.addEventListener('appinstalled', () => store.set('installation', null));
    await claimed;
  },

  /**
   * Installs the app in the browser. The downloads begin when the first page is complete, so that they delay nothing
   * that the user waits for.
   */
  async install() {
    const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    do await pause(1000); while (document.querySelector('main[aria-busy="true"]'));
    await new Promise((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve));
    let module;
    try {
      module = await import('./install.js');
    } catch {
      // There is no network at this moment. The next visit installs the app.
      return;
    }
    await module.install();
  },
};
