import { api } from '../app/api.js';
import { el } from '../app/dom.js';
import { store } from '../app/store.js';

/**
 * @typedef {object} Target a way to share a meme
 * @property {string} channel the name under which the server counts shares
 * @property {string} name
 * @property {string} icon
 */

/** The targets that open a page of another site, which browsers allow only during a click. */
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

/** Fetches the links of a saved meme. @returns {Promise<{url: string, targets: Record<string, string>}>} */
export const linksOf = (meme) => api.get(`/memes/${meme.id}/share`);

/**
 * Copies text that is not available yet. Browsers require the call during the click.
 *
 * @param {Promise<string>} text
 * @returns {Promise<boolean>} whether the text is copied
 */
export async function copy(text) {
  if (!navigator.clipboard) return false;
  try {
    const blob = text.then((words) => new Blob([words], { type: 'text/plain' }));
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    return true;
  } catch {
    // Either the browser denied this, or the text came too late.
    return text.then((words) => navigator.clipboard.writeText(words)).then(() => true, () => false);
  }
}

/** Counts a share. A failure is ignored, because it does not concern the user. */
export async function record({ id, counts }, channel) {
  await api.post(`/memes/${id}/shares`, { json: { channel } }).then(
    () => store.tell({ kind: 'counts', id, counts: { ...counts, shares: counts.shares + 1 } }), () => {});
}

/** Shows the link. For browsers that do not allow pages to copy. */
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
