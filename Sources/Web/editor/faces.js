import { api } from '../app/api.js';

/**
 * @typedef {object} Face an item of `GET /fonts`
 * @property {string} id
 * @property {string} family
 * @property {{scale: number, fatten: number, letterSpacing: number, wordSpacing: number, stretch: number}} fitting
 * @property {{url: string} | null} file
 */

/** @type {Promise<Face[]> | undefined} */
let listed;
/** @type {Map<string, Promise<void>>} */
const loading = new Map();
const loaded = new Set();

/**
 * The server's default style for each layout. Before {@link listFaces}, the one of captions on the picture.
 *
 * @type {Record<string, Record<string, unknown>>}
 */
export const defaultStyles = {
  overlay: { font: 'impact', fill: '#ffffff', outline: '#000000', outlineWidth: 0.11, size: 0.14, case: 'upper', align: 'center' },
};

/** The server's fonts. Only the first call sends a request. @returns {Promise<Face[]>} */
export function listFaces() {
  listed ??= api.get('/fonts').then(({ items, defaults }) => {
    Object.assign(defaultStyles, defaults);
    return items;
  });
  // Retry a failed request on the next call.
  listed.catch(() => { listed = undefined; });
  return listed;
}

/** The `font-family` value for a font. If the server does not offer the file, the family may be installed locally. */
export function familyOf(face) {
  const stack = face.file ? [`MemeMe ${face.id}`] : [face.family, face.installed];
  return [...stack.map((name) => JSON.stringify(name)), 'Impact', 'sans-serif'].join(', ');
}

/**
 * Loads a font's file on first use.
 *
 * The font is created from fetched bytes, so the Content Security Policy needs no `font-src` for it.
 */
export function loadFace(face) {
  if (!face.file) return Promise.resolve();
  if (!loading.has(face.id)) {
    loading.set(face.id, (async () => {
      const response = await fetch(face.file.url);
      if (!response.ok) throw new Error(`The font ${face.id} couldn’t be loaded.`);
      const font = new FontFace(`MemeMe ${face.id}`, await response.arrayBuffer());
      document.fonts.add(await font.load());
      loaded.add(face.id);
    })());
    loading.get(face.id).catch(() => loading.delete(face.id));
  }
  return loading.get(face.id);
}

/** Whether the font is ready to draw with. */
export const isLoaded = (face) => !face.file || loaded.has(face.id);
