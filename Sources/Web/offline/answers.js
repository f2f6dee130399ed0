import { base } from '../app/dom.js';
import { instead } from './instead.js';
import { vault } from './vault.js';

const id = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/**
 * The kinds of cached responses: lists of memes, memes with their comments, pictures and fonts, as the user saw them.
 * Nothing else is cached: no settings, no sessions, no response that sets a cookie. The cache keeps the newest `most`
 * responses of each kind. `isPicture` means that the body is binary.
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
  // The editor draws captions with them.
  { name: 'fonts', pattern: /^\/fonts$/, most: 1 },
  { name: 'font', pattern: /^\/fonts\/[^/]+\/(file|sample)$/, most: 40, isPicture: true },
];

/** Larger responses are not cached. */
const mostBytes = 2 * 1024 * 1024;

/** How long to wait for a response before a cached one is shown, in milliseconds. */
const patience = 8000;

/** The number of cached responses between two trims of the cache. */
const stride = 25;
let puts = 0;

/** @param {URL} url @returns {Kind | undefined} `undefined` if responses from this URL are not cached */
export function kindOf(url) {
  const path = url.pathname.slice(base.length);
  return kinds.find(({ pattern }) => pattern.test(path));
}

/**
 * Returns the server's response and caches it. If the server does not respond, returns the cached response. An
 * immutable picture that is in the cache is not requested again.
 *
 * @param {FetchEvent} event
 * @param {Kind} kind of the requested resource
 * @returns {Promise<Response>}
 * @throws {TypeError} if there is no response from either, like `fetch`
 */
export async function answer(event, kind) {
  const { request } = event;
  const cache = await vault.open();
  if (!cache) return fetch(request);
  // The server may choose the format of a picture by `Accept`. A picture to share has the stored format.
  const kept = await cache.match(request);
  if (kept && kind.isPicture && /\bimmutable\b/.test(kept.headers.get('cache-control'))) return kept;
  const asking = fetch(request);
  event.waitUntil(asking.then((response) => settle(request, response, kind, cache), () => {}));
  const response = await Promise.race([asking, kind.isPicture ? asking : late()]).catch(() => null);
  // With these codes, a proxy reports that the server does not respond.
  if (response && ![502, 503, 504].includes(response.status)) return response;
  return await instead(request, kind, cache) ?? asking;
}

const late = () => new Promise((resolve) => setTimeout(resolve, patience, null));

/** Caches a response. If the server no longer shows the resource to the user, deletes it and all that belongs to it. */
async function settle(request, response, kind, cache) {
  if (mayKeep(response)) return keep(request, response.clone(), cache);
  // Other responses are not the server's: a proxy may respond with 404 while the server restarts.
  if (!response.headers.get('content-type')?.startsWith('application/problem+json')) return;
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
    // The device's storage is full. The trim makes room for later responses.
    await trim(cache, 0.5);
  }
  if (puts++ % stride === 0) await trim(cache, 1);
}

/** Deletes the oldest responses of each kind, down to that fraction of the kind's limit. */
async function trim(cache, part) {
  const requests = Map.groupBy(await cache.keys(), ({ url }) => kindOf(new URL(url)));
  for (const [kind, all] of requests) {
    const surplus = all.slice(0, Math.max(0, all.length - Math.floor((kind?.most ?? 0) * part)));
    await Promise.all(surplus.map((request) => cache.delete(request)));
  }
}
