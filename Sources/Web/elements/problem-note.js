import { el, icon } from '../app/dom.js';
import { Problem } from '../app/problem.js';

/**
 * Shows an error in place of content: a sentence, a retry button if a retry may help, and in small print the request
 * ID. The server's log has the cause under that ID.
 *
 * @param {unknown} error
 * @param {(() => void) | null} [retry]
 */
export function problemNote(error, retry = null) {
  if (!(error instanceof Problem)) throw error;
  return el('div', { class: 'note', role: 'alert' },
    icon(error.isUnanswered ? 'offline' : 'problem'),
    el('p', { class: 'note-title' }, error.sentence),
    retry && error.isPassing && el('button', { type: 'button', class: 'button', onclick: retry }, 'Try again'),
    error.requestID && el('p', { class: 'note-small' }, 'Request ', el('code', {}, error.requestID)));
}

/** Shows that a list is empty. @param {...(Node | null | false)} more */
export const emptyNote = (title, text, ...more) => note('meme', title, text, ...more);

/** The same with another icon. */
export function note(symbol, title, text, ...more) {
  return el('div', { class: 'note' }, icon(symbol), el('h2', { class: 'note-title' }, title), el('p', {}, text), ...more);
}
