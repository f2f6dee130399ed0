import { el } from '../app/dom.js';
import { exactly } from './amounts.js';

/**
 * Asks for confirmation before many memes are deleted: the admin must type their number.
 *
 * @param {number} count
 * @returns {Promise<boolean>}
 */
export function confirmCount(count) {
  const action = el('button', { class: 'button is-danger', value: 'yes', disabled: true }, 'Delete');
  const field = el('input', {
    class: 'field', inputmode: 'numeric', autocomplete: 'off', id: 'confirm-count',
    oninput: () => { action.disabled = field.value.replace(/\D/g, '') !== String(count); },
  });
  const dialog = el('dialog', { 'aria-labelledby': 'confirm-title', 'aria-describedby': 'confirm-text' },
    el('form', { method: 'dialog' },
      el('h2', { id: 'confirm-title' }, `Delete ${count === 1 ? '1 meme' : `${exactly(count)} memes`}?`),
      el('p', { id: 'confirm-text' }, 'They are hidden from everyone immediately.'),
      el('label', { class: 'admin-field' }, el('span', {}, `Type ${count} to delete them`), field),
      el('div', { class: 'dialog-buttons' }, el('button', { class: 'button', value: '', type: 'button', onclick: () => dialog.close('') }, 'Cancel'), action)));
  document.body.append(dialog);
  dialog.showModal();
  field.focus();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
  });
}
