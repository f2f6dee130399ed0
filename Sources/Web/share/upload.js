import { newKey } from '../app/api.js';
import { Problem } from '../app/problem.js';
import { send } from './sending.js';

/** Larger files are sent as resumable uploads (tus 1.0.0). In bytes. */
const whole = 4 << 20;
/** The number of attempts before an error is thrown. */
const tries = 5;

/**
 * @typedef {{id: string, width: number, height: number, mediaType: string, expiresAt: string}} Upload
 *
 * Uploads a picture before its meme is saved.
 *
 * @param {Blob} file
 * @param {{signal?: AbortSignal, onProgress?: (share: number) => void}} [how] share: from 0 to 1
 * @returns {Promise<Upload>}
 * @throws {Problem}
 */
export async function upload(file, { signal, onProgress = () => {} } = {}) {
  if (file.size > whole) return inPieces(file, signal, onProgress);
  const headers = { 'Content-Type': 'application/octet-stream', 'Idempotency-Key': newKey() };
  return patiently(signal, async () => {
    const response = await send('POST', '/uploads', { body: file, headers, signal, progress: onProgress });
    return response.json();
  });
}

async function inPieces(file, signal, onProgress) {
  const tus = { 'Tus-Resumable': '1.0.0' };
  const begun = await patiently(signal, async () => {
    const response = await send('POST', '/uploads', { headers: { ...tus, 'Upload-Length': String(file.size) }, signal });
    return response.json();
  });
  const path = `/uploads/${begun.id}`;
  let offset = 0;
  let isKnown = true;
  try {
    await patiently(signal, async () => {
      if (!isKnown) {
        const head = await send('HEAD', path, { headers: tus, signal });
        offset = Number(head.headers.get('upload-offset'));
      }
      isKnown = false;
      if (offset >= file.size) return;
      await send('PATCH', path, {
        body: file.slice(offset), signal, progress: (part) => onProgress((offset + part * (file.size - offset)) / file.size),
        headers: { ...tus, 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' },
      });
    });
  } catch (error) {
    if (error.name === 'AbortError') takeBack(begun.id);
    throw error;
  }
  return (await send('GET', path, { signal })).json();
}

/** Deletes an upload that no meme uses. Otherwise the server deletes it a day later. */
export function takeBack(id) {
  send('DELETE', `/uploads/${id}`).catch(() => {});
}

/** Retries temporary problems. The pause is half a second, then doubles each time, unless the server sets it. */
async function patiently(signal, work) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isPassing = error instanceof Problem && (error.isPassing || ['offset-mismatch', 'upload-busy'].includes(error.code));
      // Without a network, retries are pointless, so the caller gets the error at once.
      if (!isPassing || error.code === 'offline' || attempt === tries) throw error;
      await pause(error.retryAfter ?? 2 ** (attempt - 1) / 2, signal);
    }
  }
}

function pause(seconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('The upload was stopped.', 'AbortError'));
    }, { once: true });
  });
}
