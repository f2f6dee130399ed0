import { familyOf } from './faces.js';
import { isColoured, isOwn, isRightToLeft, letters } from './words.js';

/** Text is measured at this size, and the numbers are scaled: without hinting, letters are the same shapes at any. */
const pixelsPerEm = 100;

const measuring = document.createElement('canvas').getContext('2d');

/**
 * @typedef {object} Piece letters that are drawn with one call
 * @property {string} text
 * @property {number} x from the beginning of what it is in
 * @property {boolean} isOwn whether it is stretched and fattened
 * @property {boolean} isColoured whether it has colours of its own, and no outline
 *
 * @typedef {object} Extent lengths are in em of the caption's font size
 * @property {Piece[]} pieces
 * @property {number} advance
 * @property {number} left where the ink begins
 * @property {number} right
 * @property {number} ascent
 * @property {number} descent
 */

/** @type {Extent} */
const nothing = { pieces: [], advance: 0, left: 0, right: 0, ascent: 0, descent: 0 };

/** What text in a face is across, up and down. It is measured once, and forgotten with the face. */
export class Ink {
  #fitting;
  #font;
  /** @type {Map<string, Extent>} */
  #known = new Map();
  #blank = 0;

  /** @param {import('./faces.js').Face} face one that is loaded */
  constructor(face) {
    this.#fitting = face.fitting;
    this.family = familyOf(face);
    this.#font = `${pixelsPerEm * face.fitting.scale}px ${this.family}`;
    this.#blank = this.#measure(' ').width / pixelsPerEm;
  }

  get fitting() {
    return this.#fitting;
  }

  #measure(text, direction = 'ltr') {
    measuring.font = this.#font;
    measuring.fontKerning = 'normal';
    measuring.textAlign = 'left';
    measuring.direction = direction;
    return measuring.measureText(text);
  }

  /** The extent of something without blanks. @returns {Extent} */
  of(text) {
    if (text === '') return nothing;
    let extent = this.#known.get(text);
    if (!extent) {
      extent = isRightToLeft(text) ? this.#whole(text, 'rtl') : this.#join(this.#runs(text));
      this.#known.set(text, extent);
    }
    return extent;
  }

  /** The extent of a line of the chunks that `chunks` of `words.js` gives. */
  line(chunks) {
    const text = chunks.map((chunk) => chunk.text + ' '.repeat(chunk.blanks)).join('').trimEnd();
    // Which way words follow each other is the browser's to say.
    if (isRightToLeft(text)) return this.#whole(text, 'rtl');
    const extents = [];
    for (const [index, chunk] of chunks.entries()) {
      extents.push({ extent: this.of(chunk.text), gap: index === chunks.length - 1 ? 0 : this.gap(chunk) });
    }
    return this.#join(extents);
  }

  /** From the end of a chunk to the beginning of the next one. */
  gap({ text, blanks }) {
    const { letterSpacing, wordSpacing, stretch } = this.#fitting;
    const between = isOwn(letters(text).at(-1) ?? '') ? letterSpacing : 0;
    return (blanks * (this.#blank + wordSpacing) + between) * stretch;
  }

  #whole(text, direction = 'ltr') {
    const metrics = this.#measure(text, direction);
    return this.#extent(metrics, 1, [{ text, x: 0, isOwn: false, isColoured: isColoured(text), direction }]);
  }

  #extent(metrics, stretch, pieces, advance = (metrics.width / pixelsPerEm) * stretch) {
    return {
      pieces, advance,
      left: (-metrics.actualBoundingBoxLeft / pixelsPerEm) * stretch,
      right: advance + ((metrics.actualBoundingBoxRight - metrics.width) / pixelsPerEm) * stretch,
      ascent: metrics.actualBoundingBoxAscent / pixelsPerEm,
      descent: metrics.actualBoundingBoxDescent / pixelsPerEm,
    };
  }

  /** Letters side by side that are drawn in the same way. */
  #runs(text) {
    const kind = (letter) => (isOwn(letter) ? 'own' : isColoured(letter) ? 'coloured' : 'other');
    const runs = [];
    for (const letter of letters(text)) {
      if (runs.at(-1)?.kind === kind(letter)) runs.at(-1).letters.push(letter);
      else runs.push({ kind: kind(letter), letters: [letter] });
    }
    return runs.map((run) => ({
      extent: run.kind === 'own' ? this.#own(run.letters) : this.#whole(run.letters.join('')), gap: 0,
    }));
  }

  /** Letter after letter, each where kerning and spacing have it. */
  #own(run) {
    const { letterSpacing, stretch } = this.#fitting;
    const pieces = [];
    let before = '';
    for (const [index, letter] of run.entries()) {
      const here = this.#measure(before + letter).width - this.#measure(letter).width;
      pieces.push({
        text: letter, x: (here / pixelsPerEm + index * letterSpacing) * stretch, isOwn: true, isColoured: false,
      });
      before += letter;
    }
    const metrics = this.#measure(before);
    const advance = (metrics.width / pixelsPerEm + (run.length - 1) * letterSpacing) * stretch;
    return this.#extent(metrics, stretch, pieces, advance);
  }

  /** @param {{extent: Extent, gap: number}[]} parts @returns {Extent} */
  #join(parts) {
    const seen = parts.filter(({ extent }) => extent.pieces.length > 0);
    if (seen.length === 0) return nothing;
    const joined = { pieces: [], advance: 0, left: Infinity, right: -Infinity, ascent: -Infinity, descent: -Infinity };
    for (const { extent, gap } of parts) {
      if (extent.pieces.length > 0) {
        const at = joined.advance;
        joined.pieces.push(...extent.pieces.map((piece) => ({ ...piece, x: piece.x + at })));
        joined.left = Math.min(joined.left, at + extent.left);
        joined.right = Math.max(joined.right, at + extent.right);
        joined.ascent = Math.max(joined.ascent, extent.ascent);
        joined.descent = Math.max(joined.descent, extent.descent);
      }
      joined.advance += extent.advance + gap;
    }
    return joined;
  }
}
