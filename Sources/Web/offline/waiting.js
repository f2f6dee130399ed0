import { el, icon } from '../app/dom.js';
import { to } from '../app/places.js';
import { title } from '../app/words.js';
import { notify } from '../elements/notice-bar.js';
import { outbox } from './outbox.js';

/**
 * The list item of an upload that is not on the server yet.
 *
 * @param {import('./queue.js').Entry} entry
 */
export const waitingItem = (entry) => ({ id: entry.key, entry, part: outbox.partSent(entry.key) });

/**
 * Extends a view of a list, so that it also shows waiting uploads.
 *
 * @param {{make: Function, update: Function}} view
 * @param {'table' | 'grid'} kind
 */
export function withWaiting({ make, update, ...view }, kind) {
  const { name, show } = shown[kind];
  return {
    ...view,
    make: (item) => {
      if (!item.entry) return make(item);
      const element = el('li', { class: `${name} is-waiting` });
      show(element, item);
      return element;
    },
    update: (element, item) => (item.entry ? show : update)(element, item),
  };
}

function showRow(row, { entry, part }) {
  const { top, bottom } = entry.preview;
  const lines = [top, bottom].filter((text) => text.trim());
  row.classList.toggle('is-failed', entry.state === 'failed');
  // The progress redraws the row many times a second. Its link and its button stay, so that they keep the focus.
  if (!row.firstChild) {
    row.append(el('a', { class: 'row-link', href: to.waiting(entry.key) }), el('button', {
      type: 'button', class: 'icon-button row-cancel', onclick: () => takeBack(entry),
    }, icon('close')));
  }
  row.querySelector('a').replaceChildren(picture(entry, ''),
    el('span', { class: 'row-words' },
      ...(lines.length > 0 ? lines : ['Untitled meme']).map((text) => el('span', { class: 'row-caption', dir: 'auto' }, text)),
      el('span', { class: 'row-facts' }, stateMark(entry, part))));
  row.querySelector('button').setAttribute('aria-label', `Don’t send ${title(entry.preview)}`);
}

function showCell(cell, { entry, part }) {
  if (!cell.firstChild) cell.append(el('a', { href: to.waiting(entry.key) }));
  cell.querySelector('a').replaceChildren(picture(entry, entry.preview.altText || title(entry.preview)),
    el('span', { class: 'cell-state' }, stateMark(entry, part)));
}

const shown = { table: { name: 'row', show: showRow }, grid: { name: 'cell', show: showCell } };

/** The state of an upload in a few words. */
export function stateMark({ state }, part) {
  if (state === 'failed') return el('span', { class: 'is-problem' }, icon('problem'), 'Couldn’t be sent');
  const words = part === undefined ? 'Waiting to be sent' : part > 0 && part < 1 ? `Sending ${Math.round(part * 100)} %` : 'Sending';
  return el('span', {}, icon('waiting'), words);
}

/** What an upload waits for. */
export function waitsFor({ person, problem }) {
  if (problem?.code === 'unauthorized' && person !== null) return 'Sign in to send it.';
  return problem && problem.status !== 0
    ? `${problem.sentence} It will be retried automatically.` : 'Will be sent when you’re back online.';
}

/** A small picture of an upload. */
export function picture({ preview: { thumbnail }, picture }, alt) {
  const blob = thumbnail ?? picture;
  if (!blob) return el('span', { class: 'no-picture', role: alt && 'img', 'aria-label': alt || null }, icon('meme'));
  const url = URL.createObjectURL(blob);
  const free = () => URL.revokeObjectURL(url);
  return el('img', { src: url, alt, draggable: 'false', onload: free, onerror: free });
}

/** Discards an upload, and offers to undo that. */
export async function takeBack({ key }) {
  const entry = await outbox.entry(key);
  await outbox.discard(key);
  if (entry) notify('It won’t be sent.', { action: 'Undo', run: () => outbox.keep(entry), undoes: true });
}
