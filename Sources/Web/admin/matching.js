import { api } from '../app/api.js';

/** How many pages of the list are looked through for memes to show. */
const mostPages = 3;

/**
 * Some of the memes that a filter of `DELETE /memes` finds, the newest first, as far as they are among the newest there are: a
 * list cannot be asked for by time.
 *
 * @param {{author: string | null, anonymous: string | null, after: string | null, before: string | null}} filter
 */
export async function matching({ author, anonymous, after, before }, most) {
  const found = [];
  let cursor = null;
  for (let page = 0; page < mostPages && found.length < most; page++) {
    const { items, nextCursor } = await api.get('/memes', { query: { author, view: 'table', limit: 100, cursor } });
    found.push(...items.filter((item) => (!anonymous || item.author === null)
      && (!after || item.createdAt >= after) && (!before || item.createdAt < before)));
    const isPast = after && items.at(-1)?.createdAt < after;
    if (nextCursor === null || isPast) break;
    cursor = nextCursor;
  }
  return found.slice(0, most);
}
