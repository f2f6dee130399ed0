import { base } from '../app/dom.js';
import { answer, kindOf } from './answers.js';
import { attempt, channelName, flush, syncTag } from './sending.js';
import { shell } from './shell.js';
import { vault } from './vault.js';

/** How long the server's page is waited for before that of the version that is kept is shown, in milliseconds. */
const patience = 4000;

/** Begins the service worker. @param {string[]} files the app's, within the folder of the version */
export function work(files) {
  // A new version holds from the next page that is opened; tabs that are open go on with the files of theirs.
  self.addEventListener('install', (event) => event.waitUntil(shell.fill(files).then(() => self.skipWaiting())));
  self.addEventListener('activate', (event) => event.waitUntil(Promise.all([shell.clear(), self.clients.claim()])));
  self.addEventListener('fetch', (event) => respond(event));
  self.addEventListener('sync', (event) => {
    if (event.tag === syncTag) event.waitUntil(send());
  });
}

/** What is not answered here goes to the server as if there were no service worker. */
function respond(event) {
  const { request } = event;
  const url = new URL(request.url);
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

/** The server's page, which is that of its version; else the one that is kept. */
async function page(event) {
  event.waitUntil(shell.clear());
  const asking = fetch(event.request);
  const late = new Promise((resolve) => setTimeout(resolve, patience, null));
  const response = await Promise.race([asking, late]).catch(() => null);
  if (response && response.status < 500) return response;
  return await shell.page() ?? asking;
}

/** Sends what waits, whether a page is open or not. */
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
  // The browser tries again later what has failed.
  if (isMissed) throw new Error('Something still waits to be sent.');
}
