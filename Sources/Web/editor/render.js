import { isLoaded, listFaces, loadFace } from './faces.js';
import { Ink } from './ink.js';
import { boxOf, layOut, paint, widened } from './painter.js';

/** The longest edge of a meme by default, in pixels; the same as the server's. */
const longestEdge = 2048;

/** The box of a caption in a bar. It has the same size as a caption on the picture. */
const barPlace = { x: 0.03, y: 0.03, width: 0.94, height: 0.24, rotation: 0, verticalAlign: 'top' };

/** @type {Map<string, Ink>} */
const inks = new Map();
/** @type {import('./faces.js').Face[]} */
let faces = [];
/** The IDs of fonts whose file could not be loaded. A font of the device replaces them until it is. */
const failed = new Set();

/** The fallback while the server's fonts are unknown: a heavy font of the device. */
const anyFace = {
  id: 'impact', family: 'Impact', installed: 'Impact', file: null,
  fitting: { scale: 1, fatten: 0, letterSpacing: 0, wordSpacing: 0, stretch: 1 },
};

/** Loads the list of fonts. {@link prepareFaces} loads the files that a draft needs. */
export async function knowFaces() {
  try {
    faces = await listFaces();
    inks.clear();
  } catch (error) {
    if (faces.length === 0) faces = [anyFace];
    throw error;
  }
  return faces;
}

const faceOf = (id) => faces.find((face) => face.id === id) ?? faces[0];

/** Loads the font files for a draft's captions. @returns {Promise<boolean>} whether any were missing */
export async function prepareFaces(draft) {
  const wanted = new Set(draft.captions.map((caption) => faceOf(draft.look(caption).font)).filter(Boolean));
  const missing = [...wanted].filter((face) => !isLoaded(face));
  await Promise.all(missing.map((face) => loadFace(face).then(
    // The widths of the other font do not apply to this one.
    () => failed.delete(face.id) && inks.delete(face.id),
    () => failed.add(face.id))));
  return missing.length > 0;
}

/** @returns {Ink | null} `null` while the font loads for the first time */
function inkOf(id) {
  const face = faceOf(id);
  if (!face || !(isLoaded(face) || failed.has(face.id))) return null;
  if (!inks.has(face.id)) inks.set(face.id, new Ink(face));
  return inks.get(face.id);
}

/**
 * Computes the layout of a draft: the size of the meme and the position of each caption. The result matches the
 * server's, except for things that only the server knows, such as its fonts for other scripts.
 *
 * @param {import('./draft.js').Draft} draft with a picture
 */
export function compose(draft) {
  const shown = draft.crop ?? draft.picture;
  const scale = Math.min(1, longestEdge / Math.max(shown.width, shown.height));
  const size = { width: Math.max(1, Math.round(shown.width * scale)), height: Math.max(1, Math.round(shown.height * scale)) };
  const isBar = draft.layout === 'bar' && !draft.isFree;
  const captions = draft.captions.map((caption) => {
    const place = isBar ? barPlace : caption.place;
    const [look, box] = [widened(draft.look(caption), size), boxOf(place, size)];
    const ink = inkOf(look.font);
    return { caption, look, place, box, ink, fit: ink && layOut(draft.shown(caption), look, ink, box, size) };
  });
  if (draft.sameSize) {
    const limit = Math.min(...captions.map(({ fit }) => fit?.size ?? Infinity));
    for (const item of captions) {
      item.fit &&= layOut(draft.shown(item.caption), item.look, item.ink, item.box, size, limit);
    }
  }
  let [above, below] = [0, 0];
  if (isBar) {
    const high = ({ fit, box }) => (fit ? Math.ceil(fit.height) + 2 * box.top : 0);
    [above, below] = [high(captions[0]), high(captions[1])];
    for (const [index, item] of captions.entries()) {
      const inkHeight = item.fit ? Math.ceil(item.fit.height) : item.box.height;
      const top = index === 0 ? item.box.top : above + size.height + item.box.top;
      item.box = { ...item.box, top, height: inkHeight };
    }
  }
  return { ...size, above, below, whole: size.height + above + below, captions };
}

/**
 * Draws the captions of a composition.
 *
 * @param {HTMLCanvasElement} canvas its width determines the scale
 * @param {ReturnType<typeof compose>} composition
 * @param {string | null} without the key of a caption to skip
 */
export function draw(canvas, composition, without = null) {
  const context = canvas.getContext('2d');
  context.reset?.();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  const scale = canvas.width / composition.width;
  context.scale(scale, scale);
  if (composition.above + composition.below > 0) {
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, composition.width, composition.above);
    context.fillRect(0, composition.above + composition.height, composition.width, composition.below);
  }
  for (const { caption, look, place, box, ink, fit } of composition.captions) {
    if (fit && caption.key !== without) paint(context, fit, look, ink, box, place);
  }
}

/**
 * Draws a thumbnail of a draft in the browser.
 *
 * @returns {Promise<Blob | null>}
 */
export async function thumbnail(draft) {
  const composition = compose(draft);
  const canvas = document.createElement('canvas');
  canvas.width = Math.min(400, composition.width);
  const scale = canvas.width / composition.width;
  canvas.height = Math.max(1, Math.round(composition.whole * scale));
  const image = new Image();
  image.src = draft.picture.url;
  await image.decode();
  const { x, y, width, height } = draft.crop ?? { x: 0, y: 0, width: draft.picture.width, height: draft.picture.height };
  const captions = document.createElement('canvas');
  [captions.width, captions.height] = [canvas.width, canvas.height];
  draw(captions, composition);
  const context = canvas.getContext('2d');
  context.drawImage(image, x, y, width, height, 0, composition.above * scale, canvas.width, composition.height * scale);
  context.drawImage(captions, 0, 0);
  return new Promise((resolve) => { canvas.toBlob(resolve, 'image/jpeg', 0.8); });
}
