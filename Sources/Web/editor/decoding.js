import { request } from '../app/api.js';
import { Problem } from '../app/problem.js';

/** The longest edge of a picture that is scaled down, in pixels: more than a meme has. */
const shrunkEdge = 4096;

/**
 * Decodes a file to find out whether the browser can show it, and its size after EXIF rotation.
 *
 * @param {Blob} file
 * @returns {Promise<{url: string, width: number, height: number}>} url: an object URL that the caller has to revoke
 * @throws {Problem} `unreadable` if the browser cannot decode the file
 */
export async function decode(file) {
  const url = URL.createObjectURL(file);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch {
    URL.revokeObjectURL(url);
    throw new Problem('unreadable', { detail: 'The browser can’t open this picture.' });
  }
  return { url, width: image.naturalWidth, height: image.naturalHeight };
}

/**
 * Decodes a file. If the browser cannot decode it and it is a HEIC or AVIF, the server converts it to JPEG.
 *
 * @param {Blob} file
 * @returns {Promise<{file: Blob, url: string, width: number, height: number}>} the file or the JPEG;
 *   url: an object URL of it
 * @throws {Problem}
 */
export async function decodeAny(file) {
  try {
    return { file, ...(await decode(file)) };
  } catch (problem) {
    // Only HEIC and AVIF files have this marker (ISO BMFF). The server could not help with other files.
    if ((await file.slice(4, 8).text()) !== 'ftyp') throw problem;
    const form = new FormData();
    form.set('image', file);
    form.set('maxEdge', shrunkEdge);
    form.set('format', 'jpeg');
    const made = await (await request('POST', '/memes/preview', { body: form })).blob();
    return { file: made, ...(await decode(made)) };
  }
}

/** Scales a picture down and draws it upright. Drops its metadata. @returns {Promise<Blob>} */
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

/** Whether a file is an animated GIF or WebP. */
export async function isMovingFile(file) {
  const head = new Uint8Array(await file.slice(0, 1 << 20).arrayBuffer());
  const text = (from, to) => String.fromCharCode(...head.subarray(from, to));
  // WebP has an animation bit in its extended header. An animated GIF has more than one graphic control extension.
  if (text(0, 4) === 'RIFF' && text(8, 16) === 'WEBPVP8X') return (head[20] & 2) !== 0;
  if (text(0, 3) !== 'GIF') return false;
  let blocks = 0;
  for (let index = 0; index < head.length - 3 && blocks < 2; index++) {
    if (head[index] === 0x21 && head[index + 1] === 0xf9 && head[index + 2] === 4) blocks++;
  }
  return blocks > 1;
}
