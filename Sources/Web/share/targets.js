import { api } from '../app/api.js';
import { el } from '../app/dom.js';
import { store } from '../app/store.js';

/**
 * @typedef {object} Target a way to pass a meme on
 * @property {string} channel what it is called where shares are counted
 * @property {string} name
 * @property {string} icon
 */

/** Those that need a page of somebody else's, which a click alone may open. */
export const opening = ['facebook', 'x', 'whatsapp'];

/** @type {Target[]} */
export const targets = [
  { channel: 'facebook', name: 'Facebook', icon: 'facebook' },
  { channel: 'x', name: 'X', icon: 'x' },
  { channel: 'whatsapp', name: 'WhatsApp', icon: 'whatsapp' },
  { channel: 'sms', name: 'SMS', icon: 'comment' },
  { channel: 'email', name: 'Email', icon: 'mail' },
  { channel: 'link', name: 'Copy link', icon: 'link' },
  { channel: 'image', name: 'Save image', icon: 'download' },
];

/** The links of a meme that is saved. @returns {Promise<{url: string, targets: Record<string, string>}>} */
export const linksOf = (meme) => api.get(`/memes/${meme.id}/share`);

/**
 * Copies text that is yet to come: browsers want to be asked while the click is fresh.
 *
 * @param {Promise<string>} text
 * @returns {Promise<boolean>} whether it is copied
 */
export async function copy(text) {
  if (!navigator.clipboard) return false;
  try {
    const blob = text.then((words) => new Blob([words], { type: 'text/plain' }));
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    return true;
  } catch {
    // Either it may not, or it was not given in time.
    return text.then((words) => navigator.clipboard.writeText(words)).then(() => true, () => false);
  }
}

/** Counts a share. That it is not counted must not bother who shared. */
export async function record({ id, counts }, channel) {
  await api.post(`/memes/${id}/shares`, { json: { channel } }).then(
    () => store.tell({ kind: 'counts', id, counts: { ...counts, shares: counts.shares + 1 } }), () => {});
}

/** Shows the link where the browser lets no page copy. */
export function showLink(url) {
  const field = el('input', { class: 'field', readonly: true, value: url, 'aria-label': 'Link to the meme' });
  const dialog = el('dialog', { 'aria-labelledby': 'link-title' },
    el('form', { method: 'dialog' }, el('h2', { id: 'link-title' }, 'Copy this link'), field,
      el('div', { class: 'dialog-buttons' }, el('button', { class: 'button' }, 'Done'))));
  document.body.append(dialog);
  dialog.showModal();
  field.select();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve();
    });
  });
}
