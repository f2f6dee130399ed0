import { address } from '../app/api.js';
import { base } from '../app/dom.js';
import { shapes } from '../app/shapes.js';

/** The query of the cached list of whole memes, from which other lists are made. @param {string | null} author */
export const keptQuery = (author) => ({ author, limit: 48 });

/**
 * Makes a substitute for a missing response of the server, from the cache.
 *
 * A JSON substitute has a `Meme-Kept` header and a member `kept` with the time of its data: it may be older than what
 * its reader shows, and a list may be incomplete.
 *
 * @param {Request} request
 * @param {{name: string, isPicture?: true}} kind
 * @param {Cache} cache
 * @returns {Promise<Response | undefined>}
 */
export async function instead(request, kind, cache) {
  const kept = await match(cache, request);
  if (kind.name === 'image') return kept ?? thumbnail(cache, new URL(request.url));
  if (kind.isPicture) return kept;
  if (kind.name === 'list') return list(cache, new URL(request.url), kept);
  if (kind.name === 'meme') return meme(cache, new URL(request.url), kept);
  return kept && json(await kept.json(), momentOf(kept));
}

const match = (cache, address) => cache.match(address, { ignoreVary: true });

/** The thumbnail of the same meme. */
async function thumbnail(cache, url) {
  const path = url.pathname.replace(/image$/, 'thumbnail');
  const kept = (await cache.keys()).findLast(({ url: other }) => {
    const { pathname, searchParams } = new URL(other);
    return pathname === path && searchParams.get('view') === 'grid';
  });
  return kept && match(cache, kept);
}

/** The cached list, or a list made of the newest memes, whichever is more recent. */
async function list(cache, url, kept) {
  const { view, author = null, limit, ...more } = Object.fromEntries(url.searchParams);
  const whole = Object.keys(more).length === 0 && shapes[view] && await match(cache, address('/memes', keptQuery(author)));
  if (whole && !(kept && momentOf(kept) > momentOf(whole))) {
    const { items } = await whole.json();
    return json({ items: items.map(shapes[view]), nextCursor: null }, momentOf(whole));
  }
  return kept && json(await kept.json(), momentOf(kept));
}

async function meme(cache, url, kept) {
  const id = url.pathname.slice(`${base}/memes/`.length);
  for (const author of ['me', null]) {
    const whole = await match(cache, address('/memes', keptQuery(author)));
    if (!whole || (kept && momentOf(kept) > momentOf(whole))) continue;
    const found = (await whole.json()).items.find((item) => item.id === id);
    if (found) return json(found, momentOf(whole));
  }
  return kept && json(await kept.json(), momentOf(kept));
}

/** When the server sent a response, in milliseconds since 1970. */
const momentOf = ({ headers }) => Date.parse(headers.get('date')) || 0;

function json(value, moment) {
  const headers = { 'Content-Type': 'application/json', 'Meme-Kept': new Date(moment).toISOString() };
  return new Response(JSON.stringify({ ...value, kept: moment }), { headers });
}
