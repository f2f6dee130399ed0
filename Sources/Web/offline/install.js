import { address } from '../app/api.js';
import { to } from '../app/places.js';
import { router } from '../app/router.js';
import { notify } from '../elements/notice-bar.js';
import { newest } from './newest.js';
import { shell } from './shell.js';

/** How often an open tab checks for a new version, in milliseconds. */
const hour = 3_600_000;

/** Installs the service worker, if the browser allows it, which it does only in a secure context. */
export async function install() {
  const workers = navigator.serviceWorker;
  if (!isSecureContext) tellWhatIsMissing();
  if (!workers) return;
  shell.hold();
  let hasOne = Boolean(workers.controller);
  workers.addEventListener('controllerchange', () => {
    if (hasOne) notify('A new version of MemeMe is available.', { action: 'Reload', run: () => location.reload() });
    hasOne = true;
  });
  try {
    const registration = await workers.register(script(address('/service-worker.js')), {
      type: 'module', scope: address('/'), updateViaCache: 'none',
    });
    lookForNew(registration);
    await workers.ready;
    newest.start();
  } catch (error) {
    // The browser does not support such workers, or the user disabled them. All else works without one.
    console.info('MemeMe couldn’t be stored for offline use.', error);
  }
}

/** Shows a notice, but only once. Afterwards users find the list on the page about the app. */
function tellWhatIsMissing() {
  const key = 'mememe.told-of-tls';
  try {
    if (localStorage.getItem(key)) return;
    localStorage.setItem(key, 'yes');
  } catch {
    // Without storage, the notice is shown each time.
  }
  notify('This page isn’t encrypted, so some features don’t work.', {
    action: 'Learn more', run: () => router.go(to.about()),
  });
}

/** Makes a trusted script URL. The page's content security policy allows no other. */
function script(url) {
  return globalThis.trustedTypes?.createPolicy('mememe', { createScriptURL: (text) => text }).createScriptURL(url) ?? url;
}

function lookForNew(registration) {
  let looked = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - looked < hour) return;
    looked = Date.now();
    registration.update().catch(() => {});
  });
}
