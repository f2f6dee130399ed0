import { api } from '../app/api.js';
import { deleteTokens } from '../app/delete-tokens.js';
import { tellProblem } from '../app/memes.js';
import { Problem } from '../app/problem.js';
import { store } from '../app/store.js';
import { counted } from '../app/words.js';
import { notify } from '../elements/notice-bar.js';

/** How many memes were made in this browser without an account, and are nobody's yet. */
export const claimable = () => deleteTokens.all().length;

/** Offers whoever signed in to have what they made here before. */
export function offerClaims() {
  const number = claimable();
  if (number === 0 || !store.get('person')) return;
  notify(`${counted(number, 'meme')} made here without an account.`, { action: number === 1 ? 'Make it mine' : 'Make them mine', run: claimAll });
}

/**
 * Makes one of them one's own.
 *
 * @returns {Promise<boolean>} whether it is
 * @throws {Problem} where it may work later
 */
export async function claim(id) {
  try {
    const meme = await api.post(`/memes/${id}/claim`, { json: { deleteToken: deleteTokens.of(id) } });
    await deleteTokens.forget(id);
    store.tell({ kind: 'upsert', meme });
    return true;
  } catch (error) {
    if (!(error instanceof Problem) || error.isPassing || error.status === 401) throw error;
    // It is purged, or somebody else's: the token opens nothing. One in the trash may come back.
    if (error.status !== 410) await deleteTokens.forget(id);
    return false;
  }
}

/** Makes all of them one's own, one after the other, and says how many. */
export async function claimAll() {
  let claimed = 0;
  try {
    for (const [id] of deleteTokens.all()) claimed += Number(await claim(id));
  } catch (error) {
    return tellProblem(error);
  }
  notify(claimed > 0 ? `${counted(claimed, 'meme')} ${claimed === 1 ? 'is' : 'are'} yours now.` : 'They are gone, or somebody else has them.');
}
