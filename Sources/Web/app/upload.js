/**
 * A `fetch` that reports the progress of the upload, which `fetch` itself cannot.
 *
 * @param {string} url
 * @param {{method: string, headers: Headers, body: BodyInit, signal?: AbortSignal,
 *   progress: (part: number) => void}} how
 *   progress: called with the fraction of the body that has been sent, from 0 to 1
 * @returns {Promise<Response>}
 * @throws {TypeError} if there is no response, like `fetch`
 */
export function upload(url, { method, headers, body, signal, progress }) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const asking = new XMLHttpRequest();
    asking.open(method, url);
    asking.responseType = 'blob';
    for (const [name, value] of headers) asking.setRequestHeader(name, value);
    asking.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    asking.upload.onload = () => progress(1);
    asking.onload = () => resolve(new Response(asking.status === 204 ? null : asking.response, {
      status: asking.status, headers: answerHeaders(asking.getAllResponseHeaders()),
    }));
    asking.onerror = asking.ontimeout = () => reject(new TypeError('No response.'));
    asking.onabort = () => reject(signal?.reason ?? new DOMException('Stopped.', 'AbortError'));
    signal?.addEventListener('abort', () => asking.abort(), { once: true });
    asking.send(body);
  });
}

/** @param {string} text header lines in the format of XMLHttpRequest */
function answerHeaders(text) {
  const headers = new Headers();
  for (const line of text.trim().split(/[\r\n]+/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return headers;
}
