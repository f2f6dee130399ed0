import { address } from '../app/api.js';
import { to } from '../app/places.js';
import { router } from '../app/router.js';
import { notify } from '../elements/notice-bar.js';
import { newest } from './newest.js';
import { shell } from './shell.js';

/** How often a tab that stays open asks for a new version, in milliseconds. */
const hour = 3_600_000;

/** Installs the service worker, where there may be one: in a secure context. */
export async function install() {
  const workers = navigator.serviceWorker;
  if (!isSecureContext) tellWhatIsMissing();
  if (!workers) return;
  shell.hold();
  let hasOne = Boolean(workers.controller);
  workers.addEventListener('controllerchange', () => {
    if (hasOne) notify('There is a new version of MemeMe.', { action: 'Reload', run: () => location.reload() });
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
    // A browser that does not know such workers, or a person who wants none. All else works without.
    console.info('MemeMe is not kept for use without a network.', error);
  }
}

/** Once: from then on people find it on the page about the app. */
function tellWhatIsMissing() {
  const key = 'mememe.told-of-tls';
  try {
    if (localStorage.getItem(key)) return;
    localStorage.setItem(key, 'yes');
  } catch {
    // Without a memory it is told each time.
  }
  notify('This page is not encrypted, and some things do not work.', {
    action: 'What is missing', run: () => router.go(to.about()),
  });
}

/** The only address that the page's policy lets become a script. */
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
