import { el } from '../app/dom.js';

let made = 0;

/**
 * Asks before an admin does something, and for words about it that only admins see, or that the person is told.
 *
 * @param {{title: string, text: string, action: string, field: string, isDanger?: boolean}} words field: what the words are
 * @returns {Promise<string | null>} the words, perhaps none; `null` where it is not to be done
 */
export function decide({ title, text, action, field, isDanger = false }) {
  const id = `decide-${++made}`;
  const input = el('textarea', { class: 'field', id: `${id}-field`, rows: 2, maxlength: 1000, dir: 'auto' });
  const dialog = el('dialog', { 'aria-labelledby': `${id}-title`, 'aria-describedby': `${id}-text` },
    el('form', { method: 'dialog' },
      el('h2', { id: `${id}-title` }, title), el('p', { id: `${id}-text` }, text),
      el('label', { class: 'admin-field' }, el('span', {}, field), input),
      el('div', { class: 'dialog-buttons' },
        el('button', { class: 'button', value: '' }, 'Cancel'),
        el('button', { class: isDanger ? 'button is-danger' : 'button is-main', value: 'yes' }, action))));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes' ? input.value.trim() : null);
    });
  });
}
