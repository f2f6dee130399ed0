import { api } from '../app/api.js';
import { tellProblem } from '../app/memes.js';
import { el } from '../app/dom.js';
import { notify } from '../elements/notice-bar.js';

/**
 * Passes a meme's public page on: by the system's own sheet where there is one, else the link is copied, or shown where the
 * browser lets no page copy.
 */
export async function share(id) {
  try {
    const { url, title, text } = await api.get(`/memes/${id}/share`);
    if (navigator.share) {
      await navigator.share({ url, title, text });
      await record(id, 'other');
    } else if (navigator.clipboard) {
      await navigator.clipboard.writeText(url);
      notify('The link is copied.');
      await record(id, 'link');
    } else {
      showLink(url);
    }
  } catch (error) {
    // Somebody closed the sheet.
    if (error.name === 'AbortError') return;
    if (error.name === 'NotAllowedError') notify('The browser did not let the page share this.');
    else tellProblem(error);
  }
}

/** That a share is not counted must not bother who shared. */
const record = (id, channel) => api.post(`/memes/${id}/shares`, { json: { channel } }).catch(() => {});

function showLink(url) {
  const field = el('input', { class: 'field', readonly: true, value: url, 'aria-label': 'Link to the meme' });
  const dialog = el('dialog', { 'aria-labelledby': 'link-title' },
    el('form', { method: 'dialog' }, el('h2', { id: 'link-title' }, 'Copy this link'), field,
      el('div', { class: 'dialog-buttons' }, el('button', { class: 'button' }, 'Done'))));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  field.select();
}
