import { api } from '../app/api.js';
import { deleteTokens } from '../app/delete-tokens.js';
import { tellProblem } from '../app/memes.js';
import { Problem } from '../app/problem.js';
import { store } from '../app/store.js';
import { counted } from '../app/words.js';
import { notify } from '../elements/notice-bar.js';

/** The IDs of deleted memes. They do not count, but keep their tokens: an admin may restore them. */
const deleted = new Set();

const unclaimed = () => deleteTokens.all().map(([id]) => id).filter((id) => !deleted.has(id));

/** The number of unclaimed memes that were made in this browser without an account. */
export const claimable = () => unclaimed().length;

/** Offers a user who has just signed in to claim the memes that were made in this browser before. */
export function offerClaims() {
  const number = claimable();
  if (number === 0 || !store.get('person')) return;
  notify(`${counted(number, 'meme')} made here without an account.`, { action: number === 1 ? 'Make it mine' : 'Make them mine', run: claimAll });
}

/**
 * Claims one of these memes for the user.
 *
 * @returns {Promise<boolean>} whether the meme now belongs to the user
 * @throws {Problem} if another attempt may succeed
 */
export async function claim(id) {
  try {
    const meme = await api.post(`/memes/${id}/claim`, { json: { deleteToken: deleteTokens.of(id) } });
    await deleteTokens.forget(id);
    store.tell({ kind: 'upsert', meme });
    return true;
  } catch (error) {
    if (!(error instanceof Problem) || error.isPassing || error.status === 401) throw error;
    if (error.status === 410) deleted.add(id);
    // The meme was purged or belongs to another user. A proxy may respond with 404 while the server restarts.
    else if (error.code !== 'unknown') await deleteTokens.forget(id);
    else throw error;
    return false;
  }
}

/** Claims all of these memes, one at a time, and shows their number. */
export async function claimAll() {
  let claimed = 0;
  try {
    for (const id of unclaimed()) claimed += Number(await claim(id));
  } catch (error) {
    return tellProblem(error);
  }
  notify(claimed > 0 ? `${counted(claimed, 'meme')} ${claimed === 1 ? 'is' : 'are'} yours now.` : 'They were deleted or claimed by someone else.');
}
