import { request } from '../app/api.js';
import { Problem } from '../app/problem.js';

/** What is made smaller has this edge: more than a meme has. */
const shrunkEdge = 4096;

/**
 * Looks whether the browser can show a file, and how large it is, upright.
 *
 * @param {Blob} file
 * @returns {Promise<{url: string, width: number, height: number}>} url: of the file, to be revoked by whoever has it
 * @throws {Problem}
 */
export async function decode(file) {
  const url = URL.createObjectURL(file);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch {
    URL.revokeObjectURL(url);
    throw new Problem('unreadable', { detail: 'This file is not a picture that the browser can read.' });
  }
  return { url, width: image.naturalWidth, height: image.naturalHeight };
}

/**
 * The file, or a JPEG that the server makes of it if the browser cannot show it: a phone's HEIC.
 *
 * @param {Blob} file
 * @returns {Promise<{file: Blob, url: string, width: number, height: number}>} url: of the file that is shown
 * @throws {Problem}
 */
export async function decodeAny(file) {
  try {
    return { file, ...(await decode(file)) };
  } catch (problem) {
    // HEIC and AVIF alone have this in their heads: nothing else need be sent.
    if ((await file.slice(4, 8).text()) !== 'ftyp') throw problem;
    const form = new FormData();
    form.set('image', file);
    form.set('maxEdge', shrunkEdge);
    form.set('format', 'jpeg');
    const made = await (await request('POST', '/memes/preview', { body: form })).blob();
    return { file: made, ...(await decode(made)) };
  }
}

/** The same picture smaller, drawn upright and without what the file tells of it. @returns {Promise<Blob>} */
export async function shrink(url, width, height, isTransparent) {
  const image = new Image();
  image.src = url;
  await image.decode();
  const scale = Math.min(1, shrunkEdge / Math.max(width, height));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => {
    canvas.toBlob(resolve, isTransparent ? 'image/png' : 'image/jpeg', 0.92);
  });
  if (!blob) throw new Problem('unreadable', { detail: 'This picture is too large for the browser.' });
  return blob;
}

/** Whether a file is a GIF or WebP of several pictures. */
export async function isMovingFile(file) {
  const head = new Uint8Array(await file.slice(0, 1 << 20).arrayBuffer());
  const text = (from, to) => String.fromCharCode(...head.subarray(from, to));
  // WebP's extended header has a bit for it; in a GIF a second block of graphics control is the sign.
  if (text(0, 4) === 'RIFF' && text(8, 16) === 'WEBPVP8X') return (head[20] & 2) !== 0;
  if (text(0, 3) !== 'GIF') return false;
  let blocks = 0;
  for (let index = 0; index < head.length - 3 && blocks < 2; index++) {
    if (head[index] === 0x21 && head[index + 1] === 0xf9 && head[index + 2] === 4) blocks++;
  }
  return blocks > 1;
}
