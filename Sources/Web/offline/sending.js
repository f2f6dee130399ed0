import { api } from '../app/api.js';
import { deleteTokens } from '../app/delete-tokens.js';
import { base } from '../app/dom.js';
import { Problem } from '../app/problem.js';
import { queue } from './queue.js';

/** @typedef {import('./queue.js').Entry} Entry */

/** After this number of temporary errors, an upload counts as failed and waits for the user. */
const mostTries = 10;

/**
 * The pause after an attempt that only an event can help, in seconds. Without it, pages and the service worker could
 * wake each other all the time.
 */
export const pause = 15;

/** The longest pause, in milliseconds. A time beyond it is from before the clock of the device was set back. */
const longestPause = 86_400_000;

/** Whether an attempt may begin. @param {Entry} entry */
export const isDue = ({ notBefore }) => notBefore <= Date.now() || notBefore > Date.now() + longestPause;

/** The tag by which browsers with background sync wake the service worker when the network is back. */
export const syncTag = 'outbox';

/**
 * The channel on which pages and the service worker report changes of the queue. In a message, `sent` is a meme that was
 * created, and `refused` is the reason why an upload failed.
 */
export const channelName = `mememe${base}:outbox`;

/**
 * Sends the waiting entries that are due, one at a time, until the server is unreachable. They are the entries of the
 * signed-in user, and those that were made while signed out, which are sent without a session.
 *
 * @param {string | null} person the ID of the signed-in user, or `null`
 * @param {(entry: Entry) => Promise<object>} each sends one entry
 */
export async function flush(person, each) {
  for (const entry of await queue.all()) {
    if (![person, null].includes(entry.person) || entry.state !== 'waiting' || !isDue(entry)) continue;
    const { problem } = await each(entry);
    if (problem?.isUnanswered) return;
  }
}

/**
 * Tries to send an entry of the queue. The entry leaves the queue only when its meme exists. If the entry was discarded
 * during the attempt, its meme is deleted again.
 *
 * The server creates one meme per key, so the lock only saves the second upload.
 *
 * @param {{progress?: (part: number) => void, signal?: AbortSignal}} [how] without `progress`, an entry that was made
 *   while signed out is sent without the session cookie, even if the user has signed in since
 * @returns {Promise<{sent?: object | null, problem?: Problem, isRefused?: boolean}>} sent: the meme, or `null` if it
 *   has been deleted since; missing if another page or the service worker is sending the entry, or if the entry was
 *   discarded
 */
export async function attempt({ key }, how = {}) {
  if (!navigator.locks) return attemptAlone(key, how);
  return navigator.locks.request(`${channelName}:${key}`, { ifAvailable: true }, (lock) => (lock ? attemptAlone(key, how) : {}));
}

async function attemptAlone(key, how) {
  const entry = await queue.get(key);
  // The editor may have opened the entry since the list was read.
  if (!entry || !isDue(entry)) return {};
  let meme;
  try {
    meme = await post(entry, how);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return missed(entry, error);
  }
  if (meme?.deleteToken) await deleteTokens.keep(meme.id, meme.deleteToken);
  if (await queue.remove(key) || !meme) return { sent: meme };
  // The entry was discarded too late. If its meme cannot be deleted, lists must show it.
  return api.delete(`/memes/${meme.id}`, { token: meme.deleteToken })
    .then(() => deleteTokens.forget(meme.id)).then(() => ({}), () => ({ sent: meme }));
}

async function missed(entry, problem) {
  // The server is unreachable, or the user has to sign in first: an event reports the end of either.
  const isEnding = problem.isUnanswered || problem.code === 'unauthorized';
  // Another attempt is running in a context without locks.
  const isHeldUp = problem.code === 'idempotency-key-in-use';
  const tries = entry.tries + (isEnding || isHeldUp ? 0 : 1);
  const isRefused = !(problem.isPassing || isEnding || isHeldUp) || tries >= mostTries;
  const seconds = problem.retryAfter ?? (problem.isUnanswered ? 0 : isEnding || isHeldUp ? pause : Math.min(5 * 2 ** tries, 600));
  const next = Date.now() + Math.min(seconds * 1000, longestPause);
  await queue.update(entry.key, (now) => ({
    // A postponement that was set during the attempt stays.
    ...(isRefused && { state: 'failed' }), tries, notBefore: isDue(now) ? next : Math.max(now.notBefore, next),
    problem: { code: problem.code, status: problem.status, sentence: problem.sentence },
  }));
  return { problem, isRefused };
}

/** @returns {Promise<object | null>} the meme; `null` if an earlier attempt created it and it has been deleted since */
async function post(entry, how) {
  const asNobody = entry.person === null && !how.progress && { credentials: 'omit' };
  await checkAuthor(entry);
  try {
    return await api.post('/memes', { body: form(entry), key: entry.key, ...how, ...asNobody });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // The id is random, so only an earlier attempt whose response was lost can have created this meme.
    if (error.code === 'id-taken') return api.get(`/memes/${entry.id}`);
    if (error.code === 'gone') return null;
    if (!entry.picture || !entry.fields.upload || !error.isForgottenUpload) throw error;
    const { upload, ...fields } = entry.fields;
    return post({ ...entry, fields }, how);
  }
}

/**
 * The first rejected change deletes the cookie of a session that has ended, and the server takes the next meme as an
 * anonymous one.
 *
 * @throws {Problem} `unauthorized` if the author of the entry is not signed in
 */
async function checkAuthor({ person }) {
  if (person === null) return;
  const { id, username } = await api.get('/users/me');
  if (![id, username].includes(person)) throw new Problem('unauthorized', { status: 401 });
}

/** Builds the form of an entry, which only names a picture that was uploaded ahead. One key stands for one form. */
function form({ id, fields, picture }) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fields, id })) form.append(name, value);
  if (picture && !fields.upload) form.append('image', picture, 'picture');
  return form;
}
