import { api } from '../app/api.js';
import { deleteTokens } from '../app/delete-tokens.js';
import { base } from '../app/dom.js';
import { Problem } from '../app/problem.js';
import { queue } from './queue.js';

/** @typedef {import('./queue.js').Entry} Entry */

/** After so many refusals that may have passed an upload waits for somebody to look at it. */
const mostTries = 10;

/** What the browser calls the service worker with when there is a network again, in browsers that do. */
export const syncTag = 'outbox';

/**
 * What pages and the service worker tell each other of uploads: that there are others, with `sent` a meme that is made, and with
 * `refused` why one could not be.
 */
export const channelName = `mememe${base}:outbox`;

/**
 * Sends what waits and may be sent now, one after the other, until the server is not reached: what is of whoever is signed in, and
 * as nobody's what was made while nobody was.
 *
 * @param {string | null} person who is signed in
 * @param {(entry: Entry) => Promise<object>} each sends one
 */
export async function flush(person, each) {
  for (const entry of await queue.all()) {
    if (![person, null].includes(entry.person) || entry.state !== 'waiting' || entry.notBefore > Date.now()) continue;
    const { problem } = await each(entry);
    if (problem?.status === 0) return;
  }
}

/**
 * Tries to send one that is in the queue. It leaves the queue when its meme is there, and not before; and where it was
 * discarded meanwhile, its meme is deleted again.
 *
 * Two that try at once are harmless, since the server makes one meme of a key; the lock only saves the second way.
 *
 * @param {{progress?: (part: number) => void, signal?: AbortSignal}} [how] without `progress`, what is nobody's is sent as nobody's
 *   whoever is signed in by now
 * @returns {Promise<{sent?: object | null, problem?: Problem, isRefused?: boolean}>}
 *   sent: the meme, `null` where it is deleted by now; nothing where somebody else is sending it, or it was discarded
 */
export async function attempt({ key }, how = {}) {
  if (!navigator.locks) return attemptAlone(key, how);
  return navigator.locks.request(`${channelName}:${key}`, { ifAvailable: true }, (lock) => (lock ? attemptAlone(key, how) : {}));
}

async function attemptAlone(key, how) {
  const entry = await queue.get(key);
  // It may have been taken up to be changed since the list was read.
  if (!entry || entry.notBefore > Date.now()) return {};
  let meme;
  try {
    meme = await post(entry, how);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return missed(entry, error);
  }
  if (meme?.deleteToken) await deleteTokens.keep(meme.id, meme.deleteToken);
  if (await queue.remove(key) || !meme) return { sent: meme };
  // It was taken back too late. Where that cannot be mended, it is there for everybody to see, its maker too.
  return api.delete(`/memes/${meme.id}`, { token: meme.deleteToken }).then(() => ({}), () => ({ sent: meme }));
}

async function missed(entry, problem) {
  // Another try is under way where no lock is seen; or somebody has to sign in first.
  const isHeldUp = ['idempotency-key-in-use', 'unauthorized'].includes(problem.code);
  const tries = entry.tries + (problem.status === 0 || isHeldUp ? 0 : 1);
  const isRefused = !(problem.isPassing || isHeldUp) || tries >= mostTries;
  const seconds = problem.retryAfter ?? (isHeldUp ? 15 : problem.status === 0 ? 0 : Math.min(5 * 2 ** tries, 600));
  await queue.update(entry.key, ({ notBefore }) => ({
    // If it was held back during the try, it stays so.
    ...(isRefused && { state: 'failed' }), tries, notBefore: Math.max(notBefore, Date.now() + seconds * 1000),
    problem: { code: problem.code, status: problem.status, sentence: problem.sentence },
  }));
  return { problem, isRefused };
}

/** @returns {Promise<object | null>} the meme; `null` where it was made before, and deleted since */
async function post(entry, how) {
  const asNobody = entry.person === null && !how.progress && { credentials: 'omit' };
  try {
    return await api.post('/memes', { body: form(entry), key: entry.key, ...how, ...asNobody });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // The id is random: whoever has made a meme of it was an earlier try, of which nobody heard.
    if (error.code === 'id-taken') return api.get(`/memes/${entry.id}`);
    if (error.code === 'gone') return null;
    const isForgotten = entry.picture && entry.fields.upload && error.errors.some(({ code }) => code === 'unknown-upload');
    if (!isForgotten) throw error;
    const { upload, ...fields } = entry.fields;
    return post({ ...entry, fields }, how);
  }
}

/** A picture that was sent ahead is named, as long as the server has it: one key stands for one form. */
function form({ id, fields, picture }) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fields, id })) form.append(name, value);
  if (picture && !fields.upload) form.append('image', picture, 'picture');
  return form;
}
