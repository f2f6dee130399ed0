import { el, icon } from '../app/dom.js';
import { Problem } from '../app/problem.js';

/**
 * What stands where something could not be shown: a sentence, what can be done, and small the request's id, by which the
 * server's log has the cause.
 *
 * @param {unknown} error
 * @param {(() => void) | null} [retry]
 */
export function problemNote(error, retry = null) {
  if (!(error instanceof Problem)) throw error;
  return el('div', { class: 'note', role: 'alert' },
    icon(error.status === 0 ? 'offline' : 'problem'),
    el('p', { class: 'note-title' }, error.sentence),
    retry && error.isPassing && el('button', { type: 'button', class: 'button', onclick: retry }, 'Try again'),
    error.requestID && el('p', { class: 'note-small' }, 'Request ', el('code', {}, error.requestID)));
}

/** What stands where there is nothing yet. @param {...(Node | null | false)} more */
export const emptyNote = (title, text, ...more) => note('meme', title, text, ...more);

/** The same under another picture. */
export function note(symbol, title, text, ...more) {
  return el('div', { class: 'note' }, icon(symbol), el('h2', { class: 'note-title' }, title), el('p', {}, text), ...more);
}
