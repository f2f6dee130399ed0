import { address, succeeded } from '../app/api.js';
import { Problem } from '../app/problem.js';
import { upload } from '../app/upload.js';

/**
 * Sends a request with custom headers, and reports the progress of the body.
 *
 * @param {string} method
 * @param {string} path
 * @param {{body?: BodyInit, headers?: Record<string, string | null | undefined>, signal?: AbortSignal,
 *   progress?: (part: number) => void}} [asking] progress: called with the fraction that has been sent, from 0 to 1
 * @returns {Promise<Response>} a response with a success status
 * @throws {Problem} if the status is not a success, or if there is no response; an `AbortError` if the signal aborted
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
  return succeeded(response, headers.Authorization);
}
