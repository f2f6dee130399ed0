import { api } from './api.js';
import { deleteTokens } from './delete-tokens.js';
import { Problem } from './problem.js';
import { store } from './store.js';
import { counted } from './words.js';
import { notify } from '../elements/notice-bar.js';

/** Whether whoever looks may delete a meme of which a list shows this; a whole meme says so itself. */
export function mayDelete({ id, author, viewer }) {
  const person = store.get('person');
  return viewer?.canDelete || deleteTokens.of(id) !== undefined
    || (person !== null && author?.username === person.username);
}

/** Whether whoever looks may edit the whole meme. */
export const mayEdit = ({ id, viewer }) => viewer.canEdit || deleteTokens.of(id) !== undefined;

/** Says what went wrong. @param {unknown} error */
export function tellProblem(error) {
  if (!(error instanceof Problem)) throw error;
  const sentence = error.status === 0 ? `${error.sentence} This needs a connection.` : error.sentence;
  notify(sentence, { small: error.requestID && `Request ${error.requestID}` });
}

/**
 * Deletes a meme. It is gone from the lists at once, and back where that did not work; a notice lets it be undone.
 *
 * @returns {Promise<boolean>} whether it is deleted
 */
export async function deleteMeme(id) {
  const token = deleteTokens.of(id);
  store.tell({ kind: 'hide', id });
  try {
    await api.delete(`/memes/${id}`, { token });
  } catch (error) {
    // Somebody else was faster.
    if (error.status === 410) return true;
    store.tell({ kind: 'show', id });
    tellProblem(error);
    return false;
  }
  notify('Meme deleted.', { action: 'Undo', run: () => restoreMeme(id), undoes: true });
  return true;
}

async function restoreMeme(id) {
  try {
    const meme = await api.post(`/memes/${id}/restore`, { token: deleteTokens.of(id) });
    store.tell({ kind: 'upsert', meme });
    notify('The meme is back.');
  } catch (error) {
    tellProblem(error);
  }
}

const marks = {
  like: { flag: 'liked', count: 'likes', call: 'like' },
  favorite: { flag: 'favorited', count: 'favorites', call: 'favorite' },
};

/**
 * Likes a meme or makes it a favorite, or takes that back. Lists and pages show it at once, and as it was where it did not work.
 *
 * @param {'like' | 'favorite'} kind
 */
export async function mark(meme, kind, isOn) {
  const { flag, count, call } = marks[kind];
  const before = { counts: meme.counts, viewer: meme.viewer };
  const counts = { ...meme.counts, [count]: Math.max(0, meme.counts[count] + (isOn ? 1 : -1)) };
  store.tell({ kind: 'counts', id: meme.id, counts, viewer: { ...meme.viewer, [flag]: isOn } });
  try {
    await (isOn ? api.put : api.delete)(`/memes/${meme.id}/${call}`);
  } catch (error) {
    store.tell({ kind: 'counts', id: meme.id, ...before });
    tellProblem(error);
  }
}

/** "2 likes, 1 comment", without what nobody did. */
export function countsInWords({ likes, comments }) {
  return [likes && counted(likes, 'like'), comments && counted(comments, 'comment')].filter(Boolean).join(', ');
}
