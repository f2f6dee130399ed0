import { api, newKey } from '../app/api.js';
import { el, style } from '../app/dom.js';
import { notify } from '../elements/notice-bar.js';
import { FieldForm } from '../elements/field-form.js';
import { field } from '../elements/fields.js';

await style('styles/forms.css');

/** The most frequent reasons. The user can edit each text. */
const reasons = ['Spam or advertising', 'Hate or harassment', 'Violence or nudity', 'Shows me or someone else without consent'];

/**
 * Asks the user for a reason, and reports something to the admins.
 *
 * @param {string} path the path of the subject's reports, such as `/users/eve/reports`
 * @param {string} title such as "Report this meme"
 */
export function report(path, title) {
  const reason = field({ name: 'reason', label: 'Why?', rows: 3, maxlength: 1000, required: true, hint: 'Only admins can see it.' });
  // All attempts to send the same text have the same key.
  let tried = {};
  let chosen = '';
  let isSent = false;
  const form = new FieldForm({
    fields: [reason], action: 'Report', isDangerous: true,
    more: [el('button', { type: 'button', class: 'button is-wide', onclick: () => dialog.close() }, 'Cancel')],
    send: async (values) => {
      const text = values.reason.trim();
      if (tried.text !== text) tried = { text, key: newKey() };
      await api.post(path, { json: { reason: text }, key: tried.key });
      isSent = true;
      dialog.close();
    },
  });
  const dialog = el('dialog', { class: 'report', 'aria-labelledby': 'report-title' },
    el('h2', { id: 'report-title' }, title),
    el('div', { class: 'choices' }, ...reasons.map((text) => el('button', {
      type: 'button', class: 'choice', onclick: () => {
        // Another choice replaces the one before, and keeps what the user wrote.
        const { value } = reason.input;
        const own = (value.startsWith(chosen) ? value.slice(chosen.length) : value).replace(/^[:\s]+/u, '');
        chosen = text;
        reason.input.value = own ? `${text}: ${own}` : text;
        reason.tell('');
        reason.input.focus();
      },
    }, text))),
    form);
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (isSent) notify('Thank you. The admins will review it.');
  });
  document.body.append(dialog);
  dialog.showModal();
}
