import { el } from '../app/dom.js';

/**
 * Asks for confirmation before an action that cannot be undone.
 *
 * @param {{title: string, text: string, action: string}} words
 * @returns {Promise<boolean>}
 */
export function ask({ title, text, action }) {
  const dialog = el('dialog', { 'aria-labelledby': 'ask-title', 'aria-describedby': 'ask-text' },
    el('form', { method: 'dialog' },
      el('h2', { id: 'ask-title' }, title),
      el('p', { id: 'ask-text' }, text),
      el('div', { class: 'dialog-buttons' },
        el('button', { class: 'button', value: '' }, 'Cancel'),
        el('button', { class: 'button is-danger', value: 'yes' }, action))));
  document.body.append(dialog);
  // The browser keeps the focus in the dialog and restores it afterward.
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
  });
}
