import { address } from '../app/api.js';
import { Problem } from '../app/problem.js';
import { upload } from '../app/upload.js';

/**
 * Asks the server with headers of one's own, and tells how far the body is.
 *
 * @param {string} method
 * @param {string} path
 * @param {{body?: BodyInit, headers?: Record<string, string | null | undefined>, signal?: AbortSignal,
 *   progress?: (part: number) => void}} [asking] progress: is told how much is sent, from 0 to 1
 * @returns {Promise<Response>} one that is ok
 * @throws {Problem} where it is not, or there is none; an `AbortError` where it was ended
 */
export async function send(method, path, { body = null, headers = {}, signal, progress = () => {} } = {}) {
  const given = Object.entries(headers).filter(([, value]) => value);
  let response;
  try {
    response = await upload(address(path), { method, body, signal, progress, headers: new Headers(given) });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw Problem.unanswered();
  }
  if (response.ok) return response;
  throw await Problem.of(response);
}
