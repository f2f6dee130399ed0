import { el } from '../app/dom.js';

const audiences = { public: 'Everyone', friends: 'Friends', private: 'Only me' };

/** The rows of the table in display order: field, label, and a function that formats the value. */
const told = [
  ['top', 'Top text', (value) => value || 'none'],
  ['bottom', 'Bottom text', (value) => value || 'none'],
  ['captions', 'Text boxes', (value) => value?.map(({ text }) => text).join(' – ') || 'none'],
  ['layout', 'Layout', (value) => (value === 'bar' ? 'in white bars' : 'on the picture')],
  ['font', 'Font', (value) => value ?? 'default'],
  ['fill', 'Text color', (value) => value ?? 'default'],
  ['outline', 'Outline', (value) => value ?? 'default'],
  ['outlineWidth', 'Outline width', (value) => (value === null ? 'default' : `${Math.round(value * 100)} %`)],
  ['size', 'Max size', (value) => (value === null ? 'default' : `${Math.round(value * 100)} %`)],
  ['case', 'Case', (value) => ({ upper: 'uppercase', typed: 'as typed' })[value] ?? 'default'],
  ['align', 'Align', (value) => value ?? 'default'],
  ['sameSize', 'Text size', (value) => (value ? 'same for all' : 'as large as fits')],
  ['crop', 'Crop', (value) => (value ? `${value.width} × ${value.height}` : 'none')],
  ['altText', 'Alt text', (value) => value || 'same as the captions'],
  ['tags', 'Tags', (value) => value?.join(', ') || 'none'],
  ['visibility', 'Who can see it', (value) => audiences[value] ?? value],
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
        el('td', { dir: 'auto' }, say(theirs[name] ?? null)), el('td', { dir: 'auto' }, isSame(before[name], mine[name]) ? 'unchanged' : say(mine[name] ?? null)));
    });
  const dialog = el('dialog', { class: 'wide', 'aria-labelledby': 'conflict-title', 'aria-describedby': 'conflict-text' },
    el('form', { method: 'dialog' },
      el('h2', { id: 'conflict-title' }, 'This meme was changed elsewhere'),
      el('p', { id: 'conflict-text' }, 'It was edited after you started, maybe by you on another device. This is the current version:'),
      el('img', { class: 'conflict-picture', src: picture, alt: 'Current version of the meme' }),
      el('table', { class: 'conflict' },
        el('thead', {}, el('tr', {}, el('td'), el('th', { scope: 'col' }, 'Current'), el('th', { scope: 'col' }, 'Yours'))),
        el('tbody', {}, ...rows)),
      el('div', { class: 'dialog-buttons' },
        el('button', { class: 'button', value: '' }, 'Continue editing'),
        el('button', { class: 'button', value: 'theirs' }, 'Use current'),
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
