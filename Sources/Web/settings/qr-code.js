/**
 * QR codes (ISO/IEC 18004) of short texts: bytes, versions 1 to 20, error correction level L. A code on a screen is not
 * damaged, so the smallest one is the easiest to scan.
 */

/** By version: the codewords for error correction of a block, and the number of blocks. */
const correction = [
  [7, 1], [10, 1], [15, 1], [20, 1], [26, 1], [18, 2], [20, 2], [24, 2], [30, 2], [18, 4],
  [20, 4], [24, 4], [26, 4], [30, 4], [22, 6], [24, 6], [28, 6], [30, 6], [28, 7], [28, 8],
];

/** The conditions of the eight masks, by row and column. */
const masks = [
  (y, x) => (y + x) % 2 === 0,
  (y) => y % 2 === 0,
  (y, x) => x % 3 === 0,
  (y, x) => (y + x) % 3 === 0,
  (y, x) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (y, x) => (y * x) % 2 + (y * x) % 3 === 0,
  (y, x) => ((y * x) % 2 + (y * x) % 3) % 2 === 0,
  (y, x) => ((y + x) % 2 + (y * x) % 3) % 2 === 0,
];

/**
 * @param {string} text
 * @returns {boolean[][] | null} the rows of modules, `true` for dark ones, without the margin of four; `null` if the text is
 *   too long
 */
export function qrCode(text) {
  const bytes = new TextEncoder().encode(text);
  for (let version = 1; version <= correction.length; version += 1) {
    const words = dataWords(bytes, version);
    if (words) return best(new Grid(version), interleaved(words, version));
  }
  return null;
}

/** The number of codewords of a version: one for each 8 modules that have no other function. */
function capacity(version) {
  const marks = Math.floor(version / 7) + 2;
  let modules = (16 * version + 128) * version + 64;
  if (version > 1) modules -= (25 * marks - 10) * marks - 55;
  if (version > 6) modules -= 36;
  return Math.floor(modules / 8);
}

/** The codewords of the text, with padding; `null` if the version has too few. */
function dataWords(bytes, version) {
  const [each, blocks] = correction[version - 1];
  const count = capacity(version) - each * blocks;
  const lengthBits = version < 10 ? 8 : 16;
  if (4 + lengthBits + 8 * bytes.length > 8 * count) return null;
  const bits = [];
  const push = (value, length) => {
    for (let bit = length - 1; bit >= 0; bit -= 1) bits.push(value >> bit & 1);
  };
  push(0b0100, 4);
  push(bytes.length, lengthBits);
  bytes.forEach((byte) => push(byte, 8));
  push(0, Math.min(4, 8 * count - bits.length));
  push(0, (8 - bits.length % 8) % 8);
  const words = [];
  for (let start = 0; start < bits.length; start += 8) words.push(bits.slice(start, start + 8).reduce((sum, bit) => sum << 1 | bit, 0));
  for (let pad = 0xEC; words.length < count; pad ^= 0xEC ^ 0x11) words.push(pad);
  return words;
}

/** Divides the codewords into blocks, adds the error correction of each, and takes one word of each block in turn. */
function interleaved(words, version) {
  const [each, count] = correction[version - 1];
  const short = Math.floor(words.length / count);
  const firstLong = count - words.length % count;
  const generator = generatorOf(each);
  let start = 0;
  const blocks = Array.from({ length: count }, (_, index) => {
    const data = words.slice(start, start += short + (index >= firstLong ? 1 : 0));
    return { data, check: remainder(data, generator) };
  });
  const turn = (part, length) => Array.from({ length }, (_, index) => blocks.flatMap((block) => block[part].slice(index, index + 1))).flat();
  return [...turn('data', short + 1), ...turn('check', each)];
}

/** The product of two elements of GF(256) with the polynomial 0x11D. */
function product(left, right) {
  let result = 0;
  for (let bit = 7; bit >= 0; bit -= 1) result = result << 1 ^ (result >> 7) * 0x11D ^ (right >> bit & 1) * left;
  return result;
}

/** The coefficients of the Reed-Solomon generator polynomial of this degree, without the first, which is 1. */
function generatorOf(degree) {
  const factors = new Array(degree).fill(0);
  factors[degree - 1] = 1;
  let root = 1;
  for (let step = 0; step < degree; step += 1) {
    factors.forEach((factor, index) => { factors[index] = product(factor, root) ^ (factors[index + 1] ?? 0); });
    root = product(root, 2);
  }
  return factors;
}

function remainder(data, generator) {
  const rest = new Array(generator.length).fill(0);
  for (const word of data) {
    const factor = word ^ rest.shift();
    rest.push(0);
    generator.forEach((each, index) => { rest[index] ^= product(each, factor); });
  }
  return rest;
}

/** The modules of a code. Those with a function are fixed; the others contain data, and masks change them. */
class Grid {
  constructor(version) {
    this.version = version;
    this.size = 4 * version + 17;
    this.rows = Array.from({ length: this.size }, () => new Array(this.size).fill(false));
    this.fixed = Array.from({ length: this.size }, () => new Array(this.size).fill(false));
    this.#drawPatterns();
  }

  #fix(y, x, isDark) {
    this.rows[y][x] = isDark;
    this.fixed[y][x] = true;
  }

  #drawPatterns() {
    const { size, version } = this;
    for (let place = 0; place < size; place += 1) {
      this.#fix(6, place, place % 2 === 0);
      this.#fix(place, 6, place % 2 === 0);
    }
    for (const [y, x] of [[3, 3], [3, size - 4], [size - 4, 3]]) this.#drawSquare(y, x, 4);
    const marks = this.#marks();
    const last = marks.length - 1;
    marks.forEach((y, row) => marks.forEach((x, column) => {
      const isCorner = (row === 0 && (column === 0 || column === last)) || (row === last && column === 0);
      if (!isCorner) this.#drawSquare(y, x, 2);
    }));
    this.drawFormat(0);
    if (version < 7) return;
    const bits = version << 12 | this.#check(version, 12, 0x1F25);
    for (let bit = 0; bit < 18; bit += 1) {
      const [far, near] = [size - 11 + bit % 3, Math.floor(bit / 3)];
      this.#fix(far, near, (bits >> bit & 1) === 1);
      this.#fix(near, far, (bits >> bit & 1) === 1);
    }
  }

  /** Draws rings around a center: a finder pattern with its separator, or an alignment pattern. */
  #drawSquare(centerY, centerX, radius) {
    for (let y = centerY - radius; y <= centerY + radius; y += 1) {
      for (let x = centerX - radius; x <= centerX + radius; x += 1) {
        const distance = Math.max(Math.abs(y - centerY), Math.abs(x - centerX));
        if (this.rows[y]?.[x] !== undefined) this.#fix(y, x, radius === 2 ? distance !== 1 : distance !== 2 && distance !== 4);
      }
    }
  }

  /** The rows and columns of the alignment patterns. */
  #marks() {
    const { version, size } = this;
    if (version === 1) return [];
    const count = Math.floor(version / 7) + 2;
    const step = 2 * Math.ceil((size - 13) / (2 * count - 2));
    const marks = Array.from({ length: count - 1 }, (_, index) => size - 7 - index * step);
    return [6, ...marks.reverse()];
  }

  /** The remainder of a BCH code. */
  #check(value, degree, generator) {
    let rest = value;
    for (let step = 0; step < degree; step += 1) rest = rest << 1 ^ (rest >> degree - 1) * generator;
    return rest;
  }

  /** Draws the error correction level and the mask, twice. */
  drawFormat(mask) {
    const { size } = this;
    // Level L has the number 1.
    const value = 1 << 3 | mask;
    const bits = (value << 10 | this.#check(value, 10, 0x537)) ^ 0x5412;
    for (let bit = 0; bit < 15; bit += 1) {
      const isDark = (bits >> bit & 1) === 1;
      const near = bit < 6 ? bit : bit + 1;
      if (bit < 8) this.#fix(near, 8, isDark);
      else this.#fix(8, bit === 8 ? 7 : 14 - bit, isDark);
      if (bit < 8) this.#fix(8, size - 1 - bit, isDark);
      else this.#fix(size - 15 + bit, 8, isDark);
    }
    this.#fix(size - 8, 8, true);
  }

  /** Fills in the codewords, in columns of two from the right, upward and downward in turn. */
  fill(words) {
    let index = 0;
    for (let right = this.size - 1; right > 0; right -= 2) {
      if (right === 6) right = 5;
      const isUpward = (right + 1 & 2) === 0;
      for (let step = 0; step < this.size; step += 1) {
        const y = isUpward ? this.size - 1 - step : step;
        for (const x of [right, right - 1]) {
          if (this.fixed[y][x]) continue;
          this.rows[y][x] = ((words[index >> 3] ?? 0) >> 7 - (index & 7) & 1) === 1;
          index += 1;
        }
      }
    }
  }

  /** Inverts the data modules that a mask selects. A second call reverts the first. */
  mask(number) {
    this.rows.forEach((row, y) => row.forEach((isDark, x) => {
      if (!this.fixed[y][x] && masks[number](y, x)) row[x] = !isDark;
    }));
  }

  /** How much scanners may dislike the code (ISO/IEC 18004 §7.8.3.1). */
  get penalty() {
    const { rows, size } = this;
    const columns = rows.map((_, x) => rows.map((row) => row[x]));
    let sum = 0;
    for (const line of [...rows, ...columns]) {
      const text = line.map((isDark) => (isDark ? '1' : '0')).join('');
      for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2;
      for (const part of ['10111010000', '00001011101']) {
        for (let place = text.indexOf(part); place >= 0; place = text.indexOf(part, place + 1)) sum += 40;
      }
    }
    for (let y = 1; y < size; y += 1) {
      for (let x = 1; x < size; x += 1) {
        const isDark = rows[y][x];
        if (rows[y - 1][x] === isDark && rows[y][x - 1] === isDark && rows[y - 1][x - 1] === isDark) sum += 3;
      }
    }
    const dark = rows.flat().filter(Boolean).length;
    return sum + 10 * Math.floor(Math.abs(20 * dark - 10 * size * size) / (size * size));
  }
}

/** Tries all masks, and uses the one with the lowest penalty. */
function best(grid, words) {
  grid.fill(words);
  const penalties = masks.map((_, number) => {
    grid.mask(number);
    grid.drawFormat(number);
    const { penalty } = grid;
    grid.mask(number);
    return penalty;
  });
  const number = penalties.indexOf(Math.min(...penalties));
  grid.mask(number);
  grid.drawFormat(number);
  return grid.rows;
}
