import { el, icon } from '../app/dom.js';
import { countsInWords, deleteMeme, mayDelete } from '../app/memes.js';
import { to } from '../app/places.js';
import { ago, called, moment, title } from '../app/words.js';
import { swipe } from './swipe.js';

/**
 * A row of the table: the picture, the captions, the author and the time.
 *
 * @param {import('../app/meme-list.js').Item} item
 */
export function memeRow(item) {
  const row = el('li', { class: 'row' });
  showRow(row, item);
  return row;
}

/**
 * Updates a row with new data of the same meme. The link and the button stay in the document, so that a change from
 * elsewhere neither moves the focus nor ends a swipe.
 */
export function showRow(row, item) {
  if (!row.firstChild || Boolean(row.querySelector('button')) !== mayDelete(item)) build(row, item);
  const { url, width, height } = item.thumbnail;
  row.querySelector('a').replaceChildren(
    el('img', { src: url, width, height, alt: '', decoding: 'async', draggable: 'false' }),
    el('span', { class: 'row-words' }, ...captions(item), facts(item)));
  row.querySelector('button')?.setAttribute('aria-label', `Delete ${title(item)}`);
}

function build(row, item) {
  const hadFocus = row.contains(document.activeElement);
  const link = el('a', { class: 'row-link', href: to.meme(item.id) });
  row.classList.remove('is-open', 'is-far', 'is-pulled');
  row.style.removeProperty('--pulled');
  row.replaceChildren(link);
  if (mayDelete(item)) {
    const remove = () => deleteMeme(item.id);
    row.append(el('button', { type: 'button', class: 'row-delete', onclick: remove },
      icon('delete'), el('span', { 'aria-hidden': 'true' }, 'Delete')));
    swipe(row, link, remove);
  }
  if (hadFocus) link.focus({ preventScroll: true });
}

function captions({ top, bottom, title: first, altText }) {
  const lines = [top, bottom].filter((text) => text.trim());
  if (lines.length === 0 && first) lines.push(first);
  if (lines.length === 0) return [el('span', { class: 'row-caption is-quiet', dir: 'auto' }, altText || 'Untitled meme')];
  return lines.map((text) => el('span', { class: 'row-caption', dir: 'auto' }, text));
}

function facts({ author, createdAt, counts }) {
  const time = el('time', { datetime: createdAt, title: moment(createdAt) }, ago(createdAt));
  const more = countsInWords(counts);
  return el('span', { class: 'row-facts' },
    author && el('span', { class: 'row-author' }, el('span', { dir: 'auto' }, called(author))), time, more && el('span', {}, more));
}
