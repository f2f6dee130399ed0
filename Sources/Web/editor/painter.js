import { Fitter } from './fitter.js';
import { prepare } from './words.js';

const shares = { left: 0, center: 0.5, right: 1, top: 0, middle: 0.5, bottom: 1 };
const miterLimit = 1.5;

/** The range of font sizes for a caption, in pixels (the server's `SizeBounds`). */
function boundsOf(look, { width, height }, limit) {
  const edge = Math.min(width, height);
  // Viewers scale a panorama to its width: letters sized by its height alone would be tiny.
  const wanted = look.size * Math.max(height, 0.3 * width);
  const largest = Math.min(limit, wanted);
  const least = (pixels, share) => Math.min(largest, Math.max(pixels, edge * share));
  return { largest, isLimited: largest < wanted, comfortable: least(16, 0.07), readable: least(12, 0.045), smallest: least(8, 0.022) };
}

/** Widens the outline for small pictures. A thin outline disappears on a busy picture. */
export function widened(look, { width, height }) {
  return { ...look, outlineWidth: look.outlineWidth * Math.min(1.5, Math.max(1, 400 / Math.max(width, height, 1))) };
}

/** Converts a place to the whole pixels that lie fully inside it. */
export function boxOf(place, { width, height }) {
  const pixels = (start, length, count) => {
    const first = Math.ceil(Math.max(start, 0) * count - 1e-6);
    return [first, Math.max(0, Math.floor(Math.min(start + length, 1) * count + 1e-6) - first)];
  };
  const [left, across] = pixels(place.x, place.width, width);
  const [top, down] = pixels(place.y, place.height, height);
  return { left, top, width: across, height: down };
}

/**
 * Lays out a caption.
 *
 * @param {string} text as typed
 * @param {import('./ink.js').Ink} ink
 * @param {{width: number, height: number}} picture the size that the caption's size is relative to
 * @param {number} limit a limit on the font size in pixels
 * @returns {import('./fitter.js').Fit | null} `null` if there is nothing to draw
 */
export function layOut(text, look, ink, box, picture, limit = Infinity) {
  const words = prepare(text, look.case);
  if (words === '') return null;
  const fitter = new Fitter(ink, look, box);
  return fitter.whole(words.replaceAll('…', fitter.ellipsis), boundsOf(look, picture, limit));
}

/**
 * Draws a caption: first the outlines of all letters, then their fill.
 *
 * @param {CanvasRenderingContext2D} context one unit is one pixel of the meme
 * @param {import('./fitter.js').Fit} fit
 * @param {import('./draft.js').Place} place
 */
export function paint(context, fit, look, ink, box, place) {
  const top = box.top + Math.floor((box.height - fit.height) * shares[place.verticalAlign]);
  const left = box.left + (box.width - fit.width) * shares[look.align];
  context.save();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  context.translate(x, y);
  context.rotate((place.rotation * Math.PI) / 180);
  context.translate(left - x, top - y);
  context.font = `${fit.size * ink.fitting.scale}px ${ink.family}`;
  context.fontKerning = 'normal';
  context.textRendering = 'geometricPrecision';
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  context.miterLimit = miterLimit;
  const pieces = [...placed(fit, look)];
  for (const { piece, at, baseline } of pieces) outline(context, piece, at, baseline, fit.size, look, ink);
  for (const { piece, at, baseline } of pieces) fill(context, piece, at, baseline, fit.size, look, ink);
  context.restore();
}

function* placed(fit, look) {
  const widest = Math.max(...fit.lines.map((line) => line.right - line.left)) * fit.size;
  const outside = (fit.width - widest) / 2;
  for (const [index, line] of fit.lines.entries()) {
    const spare = (widest - (line.right - line.left) * fit.size) * shares[look.align];
    const start = outside + spare - line.left * fit.size;
    for (const piece of line.pieces) yield { piece, at: start + piece.x * fit.size, baseline: fit.baselines[index] };
  }
}

/** Calls `draw` at a piece's position, with the x-axis stretched as its font requires. */
function stretched(context, piece, at, baseline, ink, draw) {
  const stretch = piece.isOwn ? ink.fitting.stretch : 1;
  context.save();
  context.translate(at, baseline);
  context.scale(stretch, 1);
  context.direction = piece.direction ?? 'ltr';
  // The transform also stretches the pen. This factor splits the error between horizontal and vertical strokes.
  draw(1 / Math.sqrt(stretch));
  context.restore();
}

/** Outlines a piece with shadows in all directions. Emoji have no outline that the canvas could stroke. */
function surround(context, piece, at, baseline, radius, colour) {
  // Shadow offsets are in canvas pixels, whatever the transform.
  const { a, b } = context.getTransform();
  const away = radius * Math.hypot(a, b);
  const steps = 16;
  context.save();
  context.direction = piece.direction ?? 'ltr';
  context.shadowColor = colour;
  for (let step = 0; step < steps; step++) {
    const angle = (2 * Math.PI * step) / steps;
    [context.shadowOffsetX, context.shadowOffsetY] = [away * Math.cos(angle), away * Math.sin(angle)];
    context.fillText(piece.text, at, baseline);
  }
  context.restore();
}

function outline(context, piece, at, baseline, size, look, ink) {
  if (look.outlineWidth <= 0) return;
  if (piece.isColoured) {
    surround(context, piece, at, baseline, (look.outlineWidth / 2) * size, look.outline);
    return;
  }
  const pen = (look.outlineWidth + (piece.isOwn ? ink.fitting.fatten : 0)) * size;
  stretched(context, piece, at, baseline, ink, (share) => {
    context.lineJoin = 'round';
    context.lineWidth = pen * share;
    context.strokeStyle = look.outline;
    context.strokeText(piece.text, 0, 0);
  });
}

function fill(context, piece, at, baseline, size, look, ink) {
  const pen = (piece.isOwn ? ink.fitting.fatten : 0) * size;
  stretched(context, piece, at, baseline, ink, (share) => {
    context.fillStyle = look.fill;
    context.fillText(piece.text, 0, 0);
    if (pen === 0) return;
    context.lineJoin = 'miter';
    context.lineWidth = pen * share;
    context.strokeStyle = look.fill;
    context.strokeText(piece.text, 0, 0);
  });
}
