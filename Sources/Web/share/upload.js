import { newKey } from '../app/api.js';
import { Problem } from '../app/problem.js';
import { send } from './sending.js';

/** What is larger goes in a way that can be taken up where it broke off (tus 1.0.0). */
const whole = 4 << 20;
/** How often a broken connection is taken up before it is told. */
const tries = 5;

/**
 * @typedef {{id: string, width: number, height: number, mediaType: string, expiresAt: string}} Upload
 *
 * Sends a picture ahead.
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

/** Takes an upload back that nothing is made of; it would go by itself, a day later. */
export function takeBack(id) {
  send('DELETE', `/uploads/${id}`).catch(() => {});
}

/** Does it again while it may work later, and at once where the connection was only lost for a moment. */
async function patiently(signal, work) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isPassing = error instanceof Problem && (error.isPassing || ['offset-mismatch', 'upload-busy'].includes(error.code));
      // Without a network there is nothing to wait for; whoever asked hears of it when there is one again.
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
      reject(new DOMException('The sending was ended.', 'AbortError'));
    }, { once: true });
  });
}
