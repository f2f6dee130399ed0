import { chunks } from './words.js';

/** The same values as the server's (`Sources/Imaging/Captions`), in em; only `gain` is in pixels. */
const capHeight = 0.7905;
const leading = 1.41 * capHeight;
const clearance = 0.02;
const gain = 0.45;
const evenLines = [[0.97, 1.1], [0.9, 1.2]];
const miterLimit = 1.5;

const isBlank = (line) => line.right <= line.left;
const squares = (fit) => fit.lines.reduce((sum, line) => sum + (line.right - line.left) ** 2, 0);

/**
 * @typedef {object} Fit a text that fits its box
 * @property {number} size pixels per em
 * @property {import('./ink.js').Extent[]} lines
 * @property {number[]} baselines in pixels from the top of the ink, outline included
 * @property {number} width total width in pixels
 * @property {number} height total height in pixels
 */

/** Finds the largest size at which a text and its outline fit a box: the server's rules with the browser's metrics. */
export class Fitter {
  #ink;
  #pen;

  /**
   * @param {import('./ink.js').Ink} ink
   * @param {{outlineWidth: number}} look
   * @param {{width: number, height: number}} box in pixels
   */
  constructor(ink, look, { width, height }) {
    const { fatten } = ink.fitting;
    this.#ink = ink;
    // The space that the outline and the fattening stroke take outside the letters, both sides together, in em.
    this.#pen = Math.max(look.outlineWidth + fatten, fatten * miterLimit);
    [this.width, this.height] = [width, height];
  }

  /** The mark for omitted words. In a fattened font the dots of the single glyph would merge. */
  get ellipsis() { return this.#ink.fitting.fatten > 0 ? '...' : '…'; }

  /**
   * Fits the whole text at a readable size, else with broken words, else as much of the text as fits.
   *
   * @param {{largest: number, isLimited: boolean, comfortable: number, readable: number, smallest: number}} bounds
   * @returns {Fit | null}
   */
  whole(text, bounds) {
    const words = chunks(text);
    const unbroken = this.#largest(words, bounds.smallest, bounds.largest);
    const isReadable = unbroken?.size >= bounds.readable;
    if (!isReadable || unbroken.size < bounds.comfortable && this.#isHeldByWord(words, unbroken)) {
      const broken = this.#largest(chunks(text, { isBroken: true }), bounds.smallest, bounds.largest);
      if (!unbroken || broken?.size >= unbroken.size * (isReadable ? 1.5 : 1.2)) {
        return broken ?? this.#beginning(text, bounds.smallest);
      }
    }
    // Keep the typed line breaks unless that makes the text much smaller.
    if (isReadable && text.includes('\n')) {
      const typed = this.#fit(typedLines(words), bounds.readable, bounds.largest);
      if (typed && typed.size * 1.3 > unbroken.size) return typed;
    }
    // With a limit, other texts have exactly this size.
    if (bounds.isLimited) return unbroken;
    return this.#moreEven(unbroken, words, isReadable ? bounds.readable : bounds.smallest, bounds.largest);
  }

  #beginning(text, size) {
    const all = chunks(text, { isBroken: true });
    let [low, high, best] = [0, all.length, null];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const kept = all.slice(0, middle);
      const fit = this.#largest([...kept.slice(0, -1), { ...kept.at(-1), text: kept.at(-1).text + this.ellipsis }], size, size);
      if (fit) [low, best] = [middle, fit];
      else high = middle;
    }
    return best;
  }

  #largest(words, smallest, largest) {
    if (words.length === 0) return null;
    const fits = (size) => this.#search(words, size) !== null;
    let size = largest;
    if (!fits(largest)) {
      let [low, high] = [smallest, largest];
      if (!fits(low)) return null;
      while (high - low > 0.05) {
        const middle = (low + high) / 2;
        if (fits(middle)) low = middle;
        else high = middle;
      }
      // Prefer fewer lines if they cost less than `gain` pixels of size.
      size = Math.max(smallest, low - gain);
    }
    const lines = this.#search(words, size, { isEven: true }) ?? this.#search(words, size);
    return lines && this.#fit(lines, smallest, largest);
  }

  /** Whether the longest word takes nearly the whole width of the box. */
  #isHeldByWord(words, { size }) {
    const widths = words.map((word) => this.#ink.of(word.text)).map(({ left, right }) => right - left);
    return (Math.max(...widths) + this.#pen) * size > 0.9 * this.width;
  }

  /** Returns `fit`, or one with as many lines, much more even and somewhat smaller. @returns {Fit} */
  #moreEven(fit, words, smallest, largest) {
    let best = fit;
    for (const [share, factor] of fit.lines.length > 1 ? evenLines : []) {
      const least = Math.max(smallest, fit.size * share);
      const lines = this.#search(words, least, { isEven: true, lineCount: fit.lines.length });
      const even = lines && this.#fit(lines, least, largest);
      if (even && squares(even) * factor < squares(best)) best = even;
    }
    return best;
  }

  /**
   * Breaks the text into the fewest lines that fit at a size, or into `lineCount` lines. Prefers the highest last
   * baseline, or with `isEven` the most even widths. Returns `null` if nothing fits.
   *
   * The position of a line depends only on the line before it. The search therefore keeps only the best way to reach
   * each line, and of the lines that end at the same word only those that can be best for some next line: otherwise,
   * 280 Chinese characters take seconds.
   */
  #search(words, size, { isEven = false, lineCount = 0 } = {}) {
    const limit = this.width / size - this.#pen;
    const extents = words.map((word) => this.#ink.of(word.text));
    const isBetter = (a, b) => (isEven ? a.squares - b.squares || a.baseline - b.baseline
      : a.baseline - b.baseline || a.squares - b.squares) < 0;
    const depth = ({ line }) => (isBlank(line) ? -Infinity : line.descent);
    const isAsGood = (a, b) => {
      const isNoLower = a.baseline <= b.baseline && depth(a) <= depth(b);
      return isEven ? a.squares < b.squares || a.squares === b.squares && isNoLower
        : isNoLower && (a.baseline < b.baseline || a.squares <= b.squares);
    };
    let layer = new Map([[0, [null]]]);
    for (let count = 0; count < (lineCount || words.length); count++) {
      const next = new Map();
      for (const [begin, uppers] of layer) {
        let [advance, ascent, descent] = [0, -Infinity, -Infinity];
        for (let end = begin; end < words.length; end++) {
          const extent = extents[end];
          if (extent.pieces.length > 0) {
            [ascent, descent] = [Math.max(ascent, extent.ascent), Math.max(descent, extent.descent)];
          }
          const width = advance + extent.right - extents[begin].left;
          if (width > limit + 0.5) break;
          if (width <= limit) {
            const line = { left: 0, right: width, ascent, descent };
            const way = uppers.map((upper) => ({
              line, upper, begin, end: end + 1, squares: (upper?.squares ?? 0) + width * width,
              baseline: upper ? upper.baseline + this.#step(upper.line, line, size) : this.#first(line, size),
            })).reduce((best, other) => (isBetter(other, best) ? other : best));
            const others = next.get(end + 1) ?? [];
            if (way.baseline + this.#below(line, size) <= this.height && !others.some((other) => isAsGood(other, way))) {
              next.set(end + 1, [...others.filter((other) => !isAsGood(way, other)), way]);
            }
          }
          if (words[end].endsLine) break;
          advance += extent.advance + this.#ink.gap(words[end], words[end + 1]);
        }
      }
      const last = count + 1 >= lineCount && next.get(words.length);
      if (last) return linesOf(last.reduce((best, other) => (isBetter(other, best) ? other : best)), words);
      if (next.size === 0) return null;
      layer = next;
    }
    return null;
  }

  /** Finds the largest size at which these lines fit. @returns {Fit | null} */
  #fit(lines, smallest, largest) {
    const extents = lines.map((line) => this.#ink.line(line));
    const widest = Math.max(...extents.map((line) => line.right - line.left));
    let [low, high] = [smallest, Math.min(largest, this.width / (widest + this.#pen))];
    if (low > high || this.#bottom(extents, low) > this.height) return null;
    if (this.#bottom(extents, high) <= this.height) low = high;
    while (high - low > 0.01) {
      const middle = (low + high) / 2;
      if (this.#bottom(extents, middle) <= this.height) low = middle;
      else high = middle;
    }
    return {
      size: low, lines: extents, baselines: this.#baselines(extents, low),
      width: Math.min((widest + this.#pen) * low, this.width), height: this.#bottom(extents, low),
    };
  }

  /** Baselines lie on whole pixels, as on the server. */
  #first(line, size) {
    return Math.ceil(((isBlank(line) ? capHeight : line.ascent) + this.#pen / 2) * size);
  }

  #step(upper, lower, size) {
    const touching = isBlank(upper) || isBlank(lower) ? 0 : upper.descent + lower.ascent + this.#pen + clearance;
    return Math.ceil(Math.max(leading, touching) * size);
  }

  #below(line, size) {
    return (Math.max(0, line.descent) + this.#pen / 2) * size;
  }

  #baselines(lines, size) {
    const baselines = [];
    for (const [index, line] of lines.entries()) {
      baselines.push(index === 0 ? this.#first(line, size) : baselines[index - 1] + this.#step(lines[index - 1], line, size));
    }
    return baselines;
  }

  #bottom(lines, size) {
    return this.#baselines(lines, size).at(-1) + this.#below(lines.at(-1), size);
  }
}

function linesOf(last, words) {
  const lines = [];
  for (let way = last; way; way = way.upper) lines.unshift(words.slice(way.begin, way.end));
  return lines;
}

function typedLines(words) {
  const lines = [[]];
  for (const word of words) {
    lines.at(-1).push(word);
    if (word.endsLine) lines.push([]);
  }
  return lines;
}
