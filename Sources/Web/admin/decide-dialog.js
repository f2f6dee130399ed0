import { el } from '../app/dom.js';

let made = 0;

/**
 * Asks an admin to confirm an action, and to add a text, which either only admins or also the affected person can see.
 *
 * @param {{title: string, text: string, action: string, field: string, isDanger?: boolean, input?: HTMLElement}} words
 *   field: the label of the text; input: where it is entered, if not in some lines
 * @returns {Promise<string | null>} the text, which may be empty; `null` if the admin cancels
 */
export function decide({
  title, text, action, field, isDanger = false, input = el('textarea', { class: 'field', rows: 2, maxlength: 1000, dir: 'auto' }),
}) {
  const id = `decide-${++made}`;
  const dialog = el('dialog', { 'aria-labelledby': `${id}-title`, 'aria-describedby': `${id}-text` },
    el('form', { method: 'dialog' },
      el('h2', { id: `${id}-title` }, title), el('p', { id: `${id}-text` }, text),
      el('label', { class: 'admin-field' }, el('span', {}, field), input),
      el('div', { class: 'dialog-buttons' },
        // Enter in the field presses the first button that submits the form.
        el('button', { type: 'button', class: 'button', onclick: () => dialog.close('') }, 'Cancel'),
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
