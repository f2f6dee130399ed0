import { api } from '../app/api.js';

/** The maximum number of list pages that are searched for memes to show. */
const mostPages = 3;

/**
 * Some of the memes that match a filter of `DELETE /memes`, newest first. It searches only the newest memes, because
 * lists have no filter by time.
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
