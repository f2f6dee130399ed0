import { familyOf } from './faces.js';
import { isColoured, isOwn, isRightToLeft, letters } from './words.js';

/** Font size for measuring widths, in pixels per em. Without hinting, letters have the same shape at every size. */
const pixelsPerEm = 1000;
/**
 * Font sizes for measuring ink boxes, in pixels per em. Chromium rounds ink boxes outward to whole pixels, and by much
 * more above 256. The smallest result over sizes without common factors is nearly exact.
 */
const inkSizes = [256, 255, 253, 251, 247, 241, 239, 233];

const measuring = document.createElement('canvas').getContext('2d');

/**
 * @typedef {object} Piece letters that one call draws
 * @property {string} text
 * @property {number} x offset from the start of the extent that contains it
 * @property {boolean} isOwn whether the font's stretching and fattening apply
 * @property {boolean} isColoured whether the glyphs have their own colors (emoji), which have no outline to stroke
 *
 * @typedef {object} Extent lengths are in em of the caption's font size
 * @property {Piece[]} pieces
 * @property {number} advance
 * @property {number} left the left edge of the ink
 * @property {number} right the right edge of the ink
 * @property {number} ascent
 * @property {number} descent
 */

/** @type {Extent} */
const nothing = { pieces: [], advance: 0, left: 0, right: 0, ascent: 0, descent: 0 };

/** Measures text in one font. Caches the results as long as the instance lives. */
export class Ink {
  #fitting;
  /** @type {Map<string, Extent>} */
  #known = new Map();
  /** @type {Map<string, number>} */
  #gaps = new Map();
  #blank = 0;

  /** @param {import('./faces.js').Face} face a loaded font */
  constructor(face) {
    this.#fitting = face.fitting;
    this.family = familyOf(face);
    this.#blank = this.#measure(' ').width / pixelsPerEm;
  }

  get fitting() {
    return this.#fitting;
  }

  #measure(text, direction = 'ltr', pixels = pixelsPerEm) {
    measuring.font = `${pixels * this.#fitting.scale}px ${this.family}`;
    measuring.fontKerning = 'normal';
    measuring.textRendering = 'geometricPrecision';
    measuring.textAlign = 'left';
    measuring.direction = direction;
    return measuring.measureText(text);
  }

  /** Measures text without spaces. @returns {Extent} */
  of(text) {
    if (text === '') return nothing;
    let extent = this.#known.get(text);
    if (!extent) {
      extent = isRightToLeft(text) ? this.#whole(text, 'rtl') : this.#join(this.#runs(text));
      this.#known.set(text, extent);
    }
    return extent;
  }

  /** Measures a line of chunks (see `chunks` in `words.js`). */
  line(chunks) {
    const text = chunks.map((chunk) => chunk.text + ' '.repeat(chunk.blanks)).join('').trimEnd();
    // Leave the order of words in right-to-left text to the browser.
    if (isRightToLeft(text)) return this.#whole(text, 'rtl');
    const extents = [];
    for (const [index, chunk] of chunks.entries()) {
      extents.push({ extent: this.of(chunk.text), gap: index === chunks.length - 1 ? 0 : this.gap(chunk, chunks[index + 1]) });
    }
    return this.#join(extents);
  }

  /** The distance from the end of a chunk to the beginning of the next one. */
  gap({ text, blanks }, next) {
    const { letterSpacing, wordSpacing, stretch } = this.#fitting;
    const last = letters(text).at(-1) ?? '';
    const between = isOwn(last) ? letterSpacing : 0;
    // Without extra spacing the font shapes words together, so it may kern letters across a space.
    if (blanks > 0 && letterSpacing === 0 && wordSpacing === 0 && next) return this.#across(last, ' '.repeat(blanks), letters(next.text)[0] ?? '') * stretch;
    return (blanks * (this.#blank + wordSpacing) + between) * stretch;
  }

  #across(before, blanks, behind) {
    const key = before + blanks + behind;
    if (!this.#gaps.has(key)) {
      const width = (text) => this.#measure(text).width / pixelsPerEm;
      this.#gaps.set(key, width(key) - width(before) - width(behind));
    }
    return this.#gaps.get(key);
  }

  #whole(text, direction = 'ltr') {
    return this.#extent(text, direction, 1, [{ text, x: 0, isOwn: false, isColoured: isColoured(text), direction }]);
  }

  /** @param {number} [added] total extra spacing between letters */
  #extent(text, direction, stretch, pieces, added = 0) {
    const width = this.#measure(text, direction).width / pixelsPerEm;
    const sides = [Infinity, Infinity, Infinity, Infinity];
    for (const pixels of inkSizes) {
      const ink = this.#measure(text, direction, pixels);
      const found = [ink.actualBoundingBoxLeft, ink.actualBoundingBoxRight - ink.width, ink.actualBoundingBoxAscent, ink.actualBoundingBoxDescent];
      for (const [index, side] of found.entries()) sides[index] = Math.min(sides[index], side / pixels);
    }
    const advance = (width + added) * stretch;
    return { pieces, advance, left: -sides[0] * stretch, right: advance + sides[1] * stretch, ascent: sides[2], descent: sides[3] };
  }

  /** Splits text into runs of letters that are drawn the same way. */
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

  /** Places each letter with kerning and letter spacing. */
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
    return this.#extent(before, 'ltr', stretch, pieces, (run.length - 1) * letterSpacing);
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
