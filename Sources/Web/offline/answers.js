import { base } from '../app/dom.js';
import { instead } from './instead.js';
import { vault } from './vault.js';

const id = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/**
 * What is kept of the server's answers: lists of memes, memes with their comments, and pictures, as people saw them. Nothing
 * else is: no settings, no sessions, nothing that sets a cookie. `most` of each kind are kept, those that came last.
 *
 * @typedef {{name: string, pattern: RegExp, most: number, isPicture?: true}} Kind
 * @type {Kind[]}
 */
const kinds = [
  { name: 'list', pattern: /^\/memes$/, most: 60 },
  { name: 'meme', pattern: new RegExp(`^/memes/${id}$`), most: 200 },
  { name: 'comments', pattern: new RegExp(`^/memes/${id}/comments$`), most: 100 },
  { name: 'thumbnail', pattern: new RegExp(`^/memes/${id}/thumbnail$`), most: 600, isPicture: true },
  { name: 'image', pattern: new RegExp(`^/memes/${id}/image$`), most: 80, isPicture: true },
  { name: 'avatar', pattern: /^\/users\/[^/]+\/avatar$/, most: 100, isPicture: true },
];

/** Larger answers are not kept. */
const mostBytes = 2 * 1024 * 1024;

/** How long an answer is waited for before what is kept is shown, where there is something, in milliseconds. */
const patience = 8000;

/** With every so many answers it is looked for what is too much. */
const stride = 25;
let puts = 0;

/** @param {URL} url @returns {Kind | undefined} none where nothing is kept of what is there */
export function kindOf(url) {
  const path = url.pathname.slice(base.length);
  return kinds.find(({ pattern }) => pattern.test(path));
}

/**
 * The server's answer, which is kept; or where that does not come, what is kept. A picture that never changes at its address is
 * not asked for again.
 *
 * @param {FetchEvent} event
 * @param {Kind} kind of what is asked for
 * @returns {Promise<Response>}
 * @throws {TypeError} where there is neither, as `fetch` does
 */
export async function answer(event, kind) {
  const { request } = event;
  const cache = await vault.open();
  if (!cache) return fetch(request);
  const kept = await cache.match(request, { ignoreVary: true });
  if (kept && kind.isPicture && /\bimmutable\b/.test(kept.headers.get('cache-control'))) return kept;
  const asking = fetch(request);
  event.waitUntil(asking.then((response) => settle(request, response, kind, cache), () => {}));
  const response = await Promise.race([asking, kind.isPicture ? asking : late()]).catch(() => null);
  // What stands before the server says that it does not answer.
  if (response && ![502, 503, 504].includes(response.status)) return response;
  return await instead(request, kind, cache) ?? asking;
}

const late = () => new Promise((resolve) => setTimeout(resolve, patience, null));

/** Keeps an answer; what the server does not show any more, or not to whoever asks now, is forgotten with all that belongs to it. */
async function settle(request, response, kind, cache) {
  if (mayKeep(response)) return keep(request, response.clone(), cache);
  if (![401, 403, 404, 410].includes(response.status)) return;
  const { pathname } = new URL(request.url);
  const gone = kind.name === 'meme' ? (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith(pathname)) : [request];
  await Promise.all(gone.map((each) => cache.delete(each)));
}

function mayKeep({ status, type, redirected, headers }) {
  return status === 200 && type === 'basic' && !redirected && !/\bno-store\b/.test(headers.get('cache-control'))
    && Number(headers.get('content-length') ?? 0) <= mostBytes;
}

async function keep(request, response, cache) {
  try {
    await cache.put(request, response);
  } catch {
    // The device has no room for it: there is more for what is asked for next.
    await trim(cache, 0.5);
  }
  if (puts++ % stride === 0) await trim(cache, 1);
}

/** Forgets what came first of each kind where there is more than that part of what may be. */
async function trim(cache, part) {
  const requests = Map.groupBy(await cache.keys(), ({ url }) => kindOf(new URL(url)));
  for (const [kind, all] of requests) {
    const surplus = all.slice(0, Math.max(0, all.length - Math.floor((kind?.most ?? 0) * part)));
    await Promise.all(surplus.map((request) => cache.delete(request)));
  }
}
