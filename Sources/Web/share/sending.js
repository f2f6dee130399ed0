import { address } from '../app/api.js';
import { Problem } from '../app/problem.js';

/**
 * Sends a body and tells how far it is: `fetch` cannot.
 *
 * @param {string} method
 * @param {string} path
 * @param {{body?: XMLHttpRequestBodyInit, headers?: Record<string, string | null | undefined>, signal?: AbortSignal,
 *   onProgress?: (bytes: number) => void}} [asking]
 * @returns {Promise<Response>} one that is ok
 * @throws {Problem} where it is not, or there is none; an `AbortError` where it was ended
 */
export function send(method, path, { body, headers = {}, signal, onProgress } = {}) {
  return new Promise((resolve, reject) => {
    const aborted = () => new DOMException('The sending was ended.', 'AbortError');
    if (signal?.aborted) return reject(aborted());
    const request = new XMLHttpRequest();
    request.open(method, address(path));
    for (const [name, value] of Object.entries(headers)) {
      if (value) request.setRequestHeader(name, value);
    }
    if (onProgress) request.upload.onprogress = (event) => onProgress(event.loaded);
    request.onload = async () => {
      const response = new Response([204, 304].includes(request.status) ? null : request.responseText, {
        status: request.status, headers: headersOf(request),
      });
      if (response.ok) resolve(response);
      else reject(await Problem.of(response));
    };
    request.onerror = () => reject(Problem.unanswered());
    request.onabort = () => reject(aborted());
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body ?? null);
  });
}

function headersOf(request) {
  return request.getAllResponseHeaders().trim().split(/[\r\n]+/).filter(Boolean).map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
}

/** A key by which a request that is sent again is the same one. `crypto.randomUUID` is there in secure contexts alone. */
export const newKey = () => [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(16).padStart(8, '0')).join('');
