import { base } from './dom.js';
import { Problem } from './problem.js';
import { upload } from './upload.js';

/**
 * Dispatches events about the outcome of requests:
 *
 * - `unauthorized`: the server rejected a request because the session is missing or has ended.
 * - `answered`: the server responded.
 * - `unanswered`: the server did not respond, or the response came from the offline cache.
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
 * @property {(part: number) => void} [progress] called with the fraction of the body that has been sent, from 0 to 1
 * @property {RequestCredentials} [credentials] `omit` sends no session cookie; cannot be combined with `progress`
 */

/** The URL of an API path. `path` begins with a slash. */
export function address(path, query = {}) {
  const parameters = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const text = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)])).toString();
  return `${base}${path}${text && `?${text}`}`;
}

/**
 * Sends a request to the server. The session cookie identifies the user; scripts cannot read it.
 *
 * @param {Asking} [asking]
 * @returns {Promise<Response>} a response with a success status
 * @throws {Problem} if the status is not a success, or if the server does not respond
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
  return succeeded(response, token);
}

/**
 * Returns a response with a success status.
 *
 * @param {string | null} [token] the `deleteToken` of the request
 * @throws {Problem} for any other status
 */
export async function succeeded(response, token) {
  if (response.ok) return response;
  const problem = await Problem.of(response);
  // A delete token belongs to one meme. Its rejection says nothing about the session.
  if (problem.code === 'unauthorized' && !token) tell('unauthorized');
  throw problem;
}

/** Creates an `Idempotency-Key`. The server executes requests with the same key only once. */
export const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-');

async function content(response) {
  if (response.status === 204 || response.status === 202) return null;
  try {
    return await response.json();
  } catch {
    throw Problem.unanswered();
  }
}

/** Each method returns the JSON of the response, or `null` if the response has no content. */
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
