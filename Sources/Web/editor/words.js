/** What stands between letters, in scripts of separate letters: Latin, Greek, Cyrillic (the server's `Spacing`). */
const separate = /^[\u0000-\u052f\u1e00-\u1fff\u2010-\u206f]/u;
const coloured = /\p{Extended_Pictographic}|\u20e3/u;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;
/** Scripts without blanks between words, in which a line may begin with any letter. */
const dense = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]/u;

const segmenter = Intl.Segmenter ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : null;

/** The letters of a text as people count them. */
export const letters = (text) => (segmenter ? [...segmenter.segment(text)].map(({ segment }) => segment) : [...text]);

export const isColoured = (letter) => coloured.test(letter) && !/^[\u0000-\u00ff]$/u.test(letter);
/** Whether a letter is spaced, stretched and fattened as the face says. */
export const isOwn = (letter) => separate.test(letter) && !isColoured(letter);
export const isRightToLeft = (text) => rightToLeft.test(text);

/** What is drawn of what was typed (the server's `CaptionWords`). */
export function prepare(typed, letterCase) {
  const text = typed.normalize('NFC').replace(/\r\n?/g, '\n').replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ');
  return (letterCase === 'upper' ? capitals(text) : text).trim();
}

/** Greek capitals have no accents. */
const capitals = (text) => (/[\u0370-\u03ff\u1f00-\u1fff]/.test(text) ? text.toLocaleUpperCase('el') : text.toUpperCase());

/**
 * What is between two places where a line may begin.
 *
 * @param {string} text
 * @param {{isBroken?: boolean}} [how] isBroken: words may be broken anywhere
 * @returns {{text: string, blanks: number, endsLine: boolean}[]} blanks: those behind it
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

/** A word may be broken behind a hyphen, and beside letters of dense scripts. */
function wordParts(word) {
  if (!dense.test(word) && !/[-\u2010\u2013\u2014]./u.test(word)) return [word];
  const parts = [''];
  for (const letter of letters(word)) {
    const last = parts.at(-1);
    if (last !== '' && (dense.test(letter) || dense.test(last.at(-1)) || /[-\u2010\u2013\u2014]$/u.test(last))) parts.push(letter);
    else parts[parts.length - 1] += letter;
  }
  return parts;
}
