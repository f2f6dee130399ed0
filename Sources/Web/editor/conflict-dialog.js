import { el } from '../app/dom.js';

const audiences = { public: 'Everybody', friends: 'Friends', private: 'Only me' };

/** The rows of the table in display order: field, label, and a function that formats the value. */
const told = [
  ['top', 'Top text', (value) => value || 'none'],
  ['bottom', 'Bottom text', (value) => value || 'none'],
  ['captions', 'Texts in boxes', (value) => value?.map(({ text }) => text).join(' – ') || 'none'],
  ['layout', 'Where', (value) => (value === 'bar' ? 'in white bars' : 'on the picture')],
  ['font', 'Font', (value) => value ?? 'impact'],
  ['fill', 'Letters', (value) => value ?? 'as usual'],
  ['outline', 'Outline', (value) => value ?? 'as usual'],
  ['outlineWidth', 'Outline width', (value) => (value === null ? 'as usual' : `${Math.round(value * 100)} %`)],
  ['size', 'Largest size', (value) => (value === null ? 'as usual' : `${Math.round(value * 100)} %`)],
  ['case', 'Capitals', (value) => (value === 'typed' ? 'as typed' : 'all')],
  ['align', 'Lines', (value) => value ?? 'center'],
  ['crop', 'Crop', (value) => (value ? `${value.width} × ${value.height}` : 'all of it')],
  ['altText', 'What it shows', (value) => value || 'as the captions say'],
  ['visibility', 'Who may see it', (value) => audiences[value] ?? value],
];

const isSame = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/**
 * Asks which version to keep after the meme was changed elsewhere during editing. Shows the differences.
 *
 * @param {{before: object, theirs: object, mine: object, picture: string}} versions fields of drafts;
 *   picture: the URL of the current image
 * @returns {Promise<'mine' | 'theirs' | null>} the version to keep; `null` to continue editing without a decision
 */
export function askWhose({ before, theirs, mine, picture }) {
  const rows = told.filter(([name]) => !isSame(before[name], theirs[name]) || !isSame(theirs[name], mine[name]))
    .map(([name, label, say]) => {
      const isBoth = !isSame(before[name], theirs[name]) && !isSame(before[name], mine[name]) && !isSame(theirs[name], mine[name]);
      return el('tr', { class: isBoth && 'is-both' }, el('th', { scope: 'row' }, label),
        el('td', { dir: 'auto' }, say(theirs[name] ?? null)), el('td', { dir: 'auto' }, isSame(before[name], mine[name]) ? 'as before' : say(mine[name] ?? null)));
    });
  const dialog = el('dialog', { class: 'wide', 'aria-labelledby': 'conflict-title', 'aria-describedby': 'conflict-text' },
    el('form', { method: 'dialog' },
      el('h2', { id: 'conflict-title' }, 'This meme was changed elsewhere'),
      el('p', { id: 'conflict-text' }, 'Somebody, perhaps you on another device, edited it after you began. This is how it is now:'),
      el('img', { class: 'conflict-picture', src: picture, alt: 'The meme as it is now' }),
      el('table', { class: 'conflict' },
        el('thead', {}, el('tr', {}, el('td'), el('th', { scope: 'col' }, 'There now'), el('th', { scope: 'col' }, 'Yours'))),
        el('tbody', {}, ...rows)),
      el('div', { class: 'dialog-buttons' },
        el('button', { class: 'button', value: '' }, 'Go on editing'),
        el('button', { class: 'button', value: 'theirs' }, 'Take theirs'),
        el('button', { class: 'button is-main', value: 'mine' }, 'Keep mine'))));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue || null);
    });
  });
}
