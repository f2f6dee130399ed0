import { el, icon } from '../app/dom.js';

/**
 * What else can be done with something: a sheet from below, or on wide windows in the middle.
 *
 * @param {string} title what it is about
 * @param {{name: string, icon: string, run: () => void, isDangerous?: boolean}[]} items
 */
export function menuSheet(title, items) {
  const dialog = el('dialog', { class: 'sheet', 'aria-label': title },
    el('h2', { class: 'sheet-title', dir: 'auto' }, title),
    el('ul', { class: 'sheet-items' }, ...items.map((item) => el('li', {},
      el('button', {
        type: 'button', class: item.isDangerous ? 'sheet-item is-danger' : 'sheet-item', onclick: () => {
          // The focus is where it was before what is done asks something, or moves it.
          dialog.close();
          item.run();
        },
      }, icon(item.icon), item.name)))),
    el('form', { method: 'dialog' }, el('button', { class: 'button is-wide' }, 'Cancel')));
  dialog.addEventListener('close', () => dialog.remove());
  // Beside it is outside: a dialog that is clicked itself was hit at its backdrop.
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}
