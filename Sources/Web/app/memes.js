import { api } from './api.js';
import { deleteTokens } from './delete-tokens.js';
import { to } from './places.js';
import { Problem } from './problem.js';
import { router } from './router.js';
import { store } from './store.js';
import { counted } from './words.js';
import { isOffered, notify } from '../elements/notice-bar.js';

/** Whether the user may delete the meme of a list item. Whole memes state this in `viewer`. */
export function mayDelete({ id, author, viewer }) {
  const person = store.get('person');
  return viewer?.canDelete || deleteTokens.of(id) !== undefined
    || (person !== null && author?.username === person.username);
}

/** Whether the user may edit a whole meme. */
export const mayEdit = ({ id, viewer }) => viewer.canEdit || deleteTokens.of(id) !== undefined;

/**
 * Shows a notice about a {@link Problem}, with a button to sign in if that is missing. Rethrows any other error.
 *
 * @param {unknown} error
 * @param {{action?: string, run?: () => void, undoes?: boolean}} [offer] of the notice
 */
export function tellProblem(error, offer = {}) {
  if (!(error instanceof Problem)) throw error;
  const sentence = error.isUnanswered ? `${error.sentence} Try again when you’re online.` : error.sentence;
  const signIn = error.code === 'unauthorized' && { action: 'Sign in', run: () => router.go(to.signIn()) };
  notify(sentence, { small: error.requestID && `Request ${error.requestID}`, ...signIn, ...offer });
}

/** Reports the end of a refresh for which the user asked. @param {Problem | null} problem why it failed */
export function tellRefreshed(problem) {
  if (problem) tellProblem(problem);
  // Without the server, the list is the one that this device stored. The offline bar says so.
  else if (store.get('isReached')) notify('You’re up to date.');
}

/** The memes that Undo restores. @type {{id: string, token?: string}[]} */
let deleted = [];

/**
 * Deletes a meme. Lists hide it at once, and show it again if the request fails. A notice offers to undo this deletion
 * and those that it already shows.
 *
 * @returns {Promise<boolean>} whether the meme is deleted
 */
export async function deleteMeme(id) {
  const token = deleteTokens.of(id);
  store.tell({ kind: 'hide', id });
  try {
    await api.delete(`/memes/${id}`, { token });
  } catch (error) {
    // The meme is already deleted. It keeps its token, because an admin may restore it.
    if (error.status === 410) return true;
    store.tell({ kind: 'show', id });
    tellProblem(error);
    return false;
  }
  await deleteTokens.forget(id);
  // A list that was loaded during the request may have the meme.
  store.tell({ kind: 'hide', id });
  deleted = [...(isOffered(restoreDeleted) ? deleted : []), { id, token }];
  notify(`${memes(deleted)} deleted.`, undo());
  return true;
}

/** Restores the deleted memes, the last one first. Offers to repeat this for those that may be restored later. */
async function restoreDeleted() {
  const all = deleted;
  deleted = [];
  let problem = null;
  for (const { id, token } of all.toReversed()) {
    try {
      const meme = await api.post(`/memes/${id}/restore`, { token });
      if (token) await deleteTokens.keep(id, token);
      store.tell({ kind: 'upsert', meme });
    } catch (error) {
      problem = error;
      if (error.isPassing) deleted = [{ id, token }, ...deleted];
    }
  }
  if (problem) tellProblem(problem, deleted.length > 0 ? undo() : {});
  // The user may have deleted more since, and that notice offers to undo it.
  else if (!isOffered(restoreDeleted)) notify(`${memes(all)} restored.`);
}

const undo = () => ({ action: 'Undo', run: restoreDeleted, undoes: true });

const memes = ({ length }) => (length === 1 ? 'Meme' : counted(length, 'meme'));

/**
 * The changes of one thing that are being sent, by its key. `confirmed` is the state after the last change that the
 * server accepted.
 *
 * @type {Map<string, {confirmed: unknown, count: number, last: Promise<unknown>}>}
 */
const changes = new Map();

/**
 * Sends a change that is already shown, after the earlier changes of the same thing. Otherwise the server could receive
 * two quick changes in the other order.
 *
 * @template T
 * @param {string} key what changes
 * @param {{before: T, after: T}} states
 * @param {() => Promise<unknown>} send
 * @param {(state: T) => void} revert shows the state of the server, if the last change of several fails
 * @throws the error of `send`
 */
export async function inOrder(key, { before, after }, send, revert) {
  const change = changes.get(key) ?? { confirmed: before, count: 0, last: Promise.resolve() };
  changes.set(key, change);
  change.count++;
  const sent = change.last.then(send);
  change.last = sent.catch(() => {});
  try {
    await sent;
    change.confirmed = after;
  } catch (error) {
    if (change.count === 1) revert(change.confirmed);
    throw error;
  } finally {
    change.count--;
    if (change.count === 0) changes.delete(key);
  }
}

const marks = {
  like: { flag: 'liked', count: 'likes', call: 'like' },
  favorite: { flag: 'favorited', count: 'favorites', call: 'favorite' },
};

/**
 * Adds or removes a like or favorite. Lists and pages show the change at once, and revert it if the request fails.
 *
 * @param {'like' | 'favorite'} kind
 */
export async function mark(meme, kind, isOn) {
  const { flag, count, call } = marks[kind];
  const show = (state) => store.tell({ kind: 'counts', id: meme.id, ...state });
  const before = { counts: meme.counts, viewer: meme.viewer };
  const counts = { ...meme.counts, [count]: Math.max(0, meme.counts[count] + (isOn ? 1 : -1)) };
  const after = { counts, viewer: { ...meme.viewer, [flag]: isOn } };
  show(after);
  try {
    await inOrder(`${kind} ${meme.id}`, { before, after }, () => (isOn ? api.put : api.delete)(`/memes/${meme.id}/${call}`), show);
  } catch (error) {
    tellProblem(error);
  }
}

/** "2 likes, 1 comment". Omits counts of zero. */
export function countsInWords({ likes, comments }) {
  return [likes && counted(likes, 'like'), comments && counted(comments, 'comment')].filter(Boolean).join(', ');
}
