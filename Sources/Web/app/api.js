import { base } from './dom.js';
import { Problem } from './problem.js';
import { upload } from './upload.js';

/**
 * Tells what calls came to: `unauthorized` where one was refused because nobody is signed in, or not any more; `answered` where
 * the server did answer, `unanswered` where it did not, or what is shown instead is what was kept of it.
 */
export const calls = new EventTarget();

const tell = (type) => calls.dispatchEvent(new Event(type));

/**
 * @typedef {object} Asking
 * @property {Record<string, string | number | null | undefined>} [query]
 * @property {unknown} [json] the body, as JSON
 * @property {BodyInit} [body] the body, as it is
 * @property {string} [token] a meme's `deleteToken`
 * @property {string} [key] an `Idempotency-Key`
 * @property {AbortSignal} [signal]
 * @property {(part: number) => void} [progress] is told how much of the body is sent, from 0 to 1
 * @property {RequestCredentials} [credentials] `omit` to ask as nobody; not together with `progress`
 */

/** The address of the API's `path`, which begins with a slash. */
export function address(path, query = {}) {
  const parameters = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const text = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)])).toString();
  return `${base}${path}${text && `?${text}`}`;
}

/**
 * Asks the server. Who is signed in is told by a cookie that no script can read.
 *
 * @param {Asking} [asking]
 * @returns {Promise<Response>} one that is ok
 * @throws {Problem} where it is not, or there is none
 */
export async function request(method, path, { query, json, body, token, key, signal, progress, credentials } = {}) {
  const headers = new Headers();
  if (json !== undefined) headers.set('Content-Type', 'application/json');
  if (token) headers.set('Authorization', `Bearer ${token}`);
  if (key) headers.set('Idempotency-Key', key);
  let response;
  try {
    response = await (progress ? upload : fetch)(address(path, query), {
      method, headers, signal, progress, credentials, body: json === undefined ? body : JSON.stringify(json),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    tell('unanswered');
    throw Problem.unanswered();
  }
  tell(response.headers.has('Meme-Kept') ? 'unanswered' : 'answered');
  if (response.ok) return response;
  const problem = await Problem.of(response);
  // A token is a meme's own: that it does not fit says nothing about the session.
  if (problem.code === 'unauthorized' && !token) tell('unauthorized');
  throw problem;
}

/** An `Idempotency-Key`: what is sent again with the same one is done once. */
export const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-');

async function content(response) {
  if (response.status === 204 || response.status === 202) return null;
  try {
    return await response.json();
  } catch {
    throw Problem.unanswered();
  }
}

/** Each answers with the JSON of the answer, `null` where it has none. */
export const api = {
  /** @param {Asking} [asking] */
  get: async (path, asking) => content(await request('GET', path, asking)),
  /** @param {Asking} [asking] */
  post: async (path, asking) => content(await request('POST', path, asking)),
  /** @param {Asking} [asking] */
  put: async (path, asking) => content(await request('PUT', path, asking)),
  /** @param {Asking} [asking] */
  patch: async (path, asking) => content(await request('PATCH', path, asking)),
  /** @param {Asking} [asking] */
  delete: async (path, asking) => content(await request('DELETE', path, asking)),
};
