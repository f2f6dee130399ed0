/** Characters with individual letter spacing: Latin, Greek, Cyrillic, punctuation (the server's `Spacing`). */
const separate = /^[\u0000-\u052f\u1e00-\u1fff\u2010-\u206f]/u;
const coloured = /\p{Extended_Pictographic}|\u20e3/u;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;
/** Scripts without spaces between words. A line may break before any letter. */
const dense = /[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]/u;

/** Brackets and marks that do not begin or end a line (UAX #14), among them the small kana. */
const neverFirst = /^[\p{Pe}\p{Pf}\p{Po}\p{Lm}〜ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ]/u;
const neverLast = /[\p{Ps}\p{Pi}]$/u;

const segmenter = Intl.Segmenter ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : null;

/** The letters (grapheme clusters) of a text. */
export const letters = (text) => (segmenter ? [...segmenter.segment(text)].map(({ segment }) => segment) : [...text]);

export const isColoured = (letter) => coloured.test(letter) && !/^[\u0000-\u00ff]$/u.test(letter);
/** Whether the font's own spacing, stretching and fattening apply to a letter. */
export const isOwn = (letter) => separate.test(letter) && !isColoured(letter);
export const isRightToLeft = (text) => rightToLeft.test(text);

/** Normalizes typed text for drawing (the server's `CaptionWords`). */
export function prepare(typed, letterCase) {
  const text = typed.normalize('NFC').replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ');
  return (letterCase === 'upper' ? capitals(text) : text).trim();
}

/** Greek capitals have no accents. */
const capitals = (text) => (/[\u0370-\u03ff\u1f00-\u1fff]/.test(text) ? text.toLocaleUpperCase('el') : text.toUpperCase());

/**
 * Splits text into chunks, between which a line may break.
 *
 * @param {string} text
 * @param {{isBroken?: boolean}} [how] isBroken: words may break anywhere
 * @returns {{text: string, blanks: number, endsLine: boolean}[]} blanks: the number of spaces after the chunk
 */
export function chunks(text, { isBroken = false } = {}) {
  const found = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    for (const [, word, space] of line.matchAll(/(\S+)(\s*)|(?:^\s+)/g)) {
      if (word === undefined) continue;
      const parts = isBroken ? letters(word) : wordParts(word);
      for (const [place, part] of parts.entries()) {
        found.push({ text: part, blanks: place === parts.length - 1 ? space.length : 0, endsLine: false });
      }
    }
    if (index === lines.length - 1) continue;
    if (found.length === 0 || found.at(-1).endsLine) found.push({ text: '', blanks: 0, endsLine: true });
    else found.at(-1).endsLine = true;
  }
  return found;
}

/** Splits a word after hyphens and next to letters of dense scripts. */
function wordParts(word) {
  if (!dense.test(word) && !/[-\u2010\u2013\u2014]./u.test(word)) return [word];
  const parts = [''];
  for (const letter of letters(word)) {
    const last = parts.at(-1);
    const mayBreak = dense.test(letter) || dense.test(last.at(-1)) || /[-\u2010\u2013\u2014]$/u.test(last);
    if (last !== '' && mayBreak && !neverFirst.test(letter) && !neverLast.test(last)) parts.push(letter);
    else parts[parts.length - 1] += letter;
  }
  return parts;
}
