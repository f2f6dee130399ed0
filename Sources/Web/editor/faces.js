import { api } from '../app/api.js';

/**
 * @typedef {object} Face one of `GET /fonts`
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

/** The server's faces; asked for once. @returns {Promise<Face[]>} */
export function listFaces() {
  listed ??= api.get('/fonts').then(({ items }) => items);
  // What failed may be asked for again.
  listed.catch(() => { listed = undefined; });
  return listed;
}

/** What CSS calls a face of the server here; where its file is not handed out, the family itself may be installed. */
export function familyOf(face) {
  const stack = face.file ? [`MemeMe ${face.id}`] : [face.family, face.installed];
  return [...stack.map((name) => JSON.stringify(name)), 'Impact', 'sans-serif'].join(', ');
}

/**
 * Loads the file of a face, when somebody first chooses it.
 *
 * It is made of bytes that were fetched, so it needs no place in the page's policy.
 */
export function loadFace(face) {
  if (!face.file) return Promise.resolve();
  if (!loading.has(face.id)) {
    loading.set(face.id, (async () => {
      const response = await fetch(face.file.url);
      if (!response.ok) throw new Error(`The font ${face.id} could not be loaded.`);
      const font = new FontFace(`MemeMe ${face.id}`, await response.arrayBuffer());
      document.fonts.add(await font.load());
      loaded.add(face.id);
    })());
    loading.get(face.id).catch(() => loading.delete(face.id));
  }
  return loading.get(face.id);
}

/** Whether text can be drawn in the face now. */
export const isLoaded = (face) => !face.file || loaded.has(face.id);
