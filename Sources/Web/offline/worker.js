import { base } from '../app/dom.js';
import { answer, kindOf } from './answers.js';
import { attempt, channelName, flush, syncTag } from './sending.js';
import { shell } from './shell.js';
import { vault } from './vault.js';

/** How long to wait for the server's page before the cached page is shown, in milliseconds. */
const patience = 4000;

/** Starts the service worker. @param {string[]} files the app's files, within the folder of the version */
export function work(files) {
  // A new version applies to pages that are opened from now on. Open tabs keep the files of their version.
  self.addEventListener('install', (event) => {
    // Until this worker is active, the worker of the version before would delete the files.
    shell.hold();
    event.waitUntil(shell.fill(files).then(() => self.skipWaiting()));
  });
  self.addEventListener('activate', (event) => event.waitUntil(Promise.all([shell.clear(), self.clients.claim()])));
  self.addEventListener('fetch', (event) => respond(event));
  self.addEventListener('sync', (event) => {
    if (event.tag === syncTag) event.waitUntil(send());
  });
}

/** Requests that get no response here go to the server as if there were no service worker. */
function respond(event) {
  const { request } = event;
  const url = new URL(request.url);
  // `/docs` sends its requests with `no-store`. Their responses must not come from this device or stay on it.
  if (request.cache === 'no-store') return;
  if (request.method !== 'GET' || url.origin !== location.origin || !url.pathname.startsWith(`${base}/`)) return;
  const path = url.pathname.slice(base.length);
  if (request.mode === 'navigate') {
    if (path === '/' || path.startsWith('/app/')) event.respondWith(page(event));
  } else if (path.startsWith('/web/')) {
    event.respondWith(shell.file(request));
  } else {
    const kind = kindOf(url);
    if (kind) event.respondWith(answer(event, kind));
  }
}

/** The page from the server, in the server's version, or else the cached page. */
async function page(event) {
  event.waitUntil(shell.clear());
  const asking = fetch(event.request);
  const late = new Promise((resolve) => setTimeout(resolve, patience, null));
  const response = await Promise.race([asking, late]).catch(() => null);
  if (response && response.status < 500) return response;
  return await shell.page() ?? asking;
}

/** Sends the waiting uploads, whether a page is open or not. */
async function send() {
  const channel = new BroadcastChannel(channelName);
  const person = await vault.person();
  if (person === undefined) return;
  let isMissed = false;
  await flush(person, async (entry) => {
    const outcome = await attempt(entry);
    channel.postMessage({ sent: outcome.sent, refused: outcome.isRefused && outcome.problem.sentence });
    isMissed ||= Boolean(outcome.problem && !outcome.isRefused);
    return outcome;
  });
  channel.close();
  // If this throws, the browser tries again later.
  if (isMissed) throw new Error('Some memes are still waiting to be sent.');
}
