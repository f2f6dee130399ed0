import { el, icon } from '../app/dom.js';

/**
 * A menu of further actions: a sheet at the bottom of a narrow window, or a centered dialog in a wide one.
 *
 * @param {string} title names the subject of the actions
 * @param {{name: string, icon: string, run: () => void, isDangerous?: boolean}[]} items
 */
export function menuSheet(title, items) {
  const dialog = el('dialog', { class: 'sheet', 'aria-label': title },
    el('h2', { class: 'sheet-title', dir: 'auto' }, title),
    el('ul', { class: 'sheet-items' }, ...items.map((item) => el('li', {},
      el('button', {
        type: 'button', class: item.isDangerous ? 'sheet-item is-danger' : 'sheet-item', onclick: () => {
          // Close first: that restores the focus before the action opens a dialog or moves the focus.
          dialog.close();
          item.run();
        },
      }, icon(item.icon), item.name)))),
    el('form', { method: 'dialog' }, el('button', { class: 'button is-wide' }, 'Cancel')));
  dialog.addEventListener('close', () => dialog.remove());
  // A click whose target is the dialog itself hit the backdrop.
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}
