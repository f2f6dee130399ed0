import { address } from '../app/api.js';
import { base } from '../app/dom.js';
import { shapes } from '../app/shapes.js';

/** The list of whole memes that is kept for the lists that people see. @param {string | null} author */
export const keptQuery = (author) => ({ author, limit: 48 });

/**
 * What is shown where the server does not answer, made of what is kept.
 *
 * An answer with JSON says by a field `Meme-Kept` of when it is; a list by a member `kept` too, so that whoever shows it asks for
 * all of it again.
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

/** The same meme, smaller. */
async function thumbnail(cache, url) {
  const path = url.pathname.replace(/image$/, 'thumbnail');
  const kept = (await cache.keys()).findLast(({ url: other }) => {
    const { pathname, searchParams } = new URL(other);
    return pathname === path && searchParams.get('view') === 'grid';
  });
  return kept && match(cache, kept);
}

/** As it was seen, or as the newest memes have it: whichever is of later. */
async function list(cache, url, kept) {
  const { view, author = null, limit, ...more } = Object.fromEntries(url.searchParams);
  const whole = Object.keys(more).length === 0 && shapes[view] && await match(cache, address('/memes', keptQuery(author)));
  if (whole && !(kept && momentOf(kept) > momentOf(whole))) {
    const { items } = await whole.json();
    return json({ items: items.map(shapes[view]), nextCursor: null, kept: momentOf(whole) }, momentOf(whole));
  }
  return kept && json({ ...await kept.json(), kept: momentOf(kept) }, momentOf(kept));
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

/** When the server made an answer, in milliseconds since 1970. */
const momentOf = ({ headers }) => Date.parse(headers.get('date')) || 0;

function json(value, moment) {
  const headers = { 'Content-Type': 'application/json', 'Meme-Kept': new Date(moment).toISOString() };
  return new Response(JSON.stringify(value), { headers });
}
