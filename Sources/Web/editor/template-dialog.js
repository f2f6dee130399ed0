import { api } from '../app/api.js';
import { el } from '../app/dom.js';
import { problemNote } from '../elements/problem-note.js';

/**
 * Opens a dialog to choose one of the server's templates.
 *
 * @returns {Promise<object | null>} a template; `null` if none was chosen
 */
export function chooseTemplate() {
  let chosen = null;
  let cursor = null;
  const list = el('ul', { class: 'templates' });
  const note = el('div');
  const more = el('button', { type: 'button', class: 'button', hidden: true, onclick: () => load() }, 'More templates');
  const dialog = el('dialog', { class: 'wide', 'aria-labelledby': 'templates-title' },
    el('h2', { id: 'templates-title' }, 'Templates'), list, note,
    el('div', { class: 'dialog-buttons' }, more,
      el('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, 'Cancel')));

  const item = (template) => el('li', {},
    el('button', {
      type: 'button', class: 'template', onclick: () => {
        chosen = template;
        dialog.close();
      },
    },
    el('img', {
      src: template.thumbnail.url, width: template.thumbnail.width, height: template.thumbnail.height,
      alt: template.altText === template.name ? '' : template.altText, loading: 'lazy',
    }), el('span', { dir: 'auto' }, template.name)));

  async function load() {
    note.replaceChildren();
    try {
      const page = await api.get('/templates', { query: { limit: 30, cursor } });
      list.append(...page.items.map(item));
      cursor = page.nextCursor;
      more.hidden = cursor === null;
      if (list.children.length === 0) note.replaceChildren(el('p', { class: 'hint' }, 'No templates yet. Save one from the editor.'));
    } catch (error) {
      note.replaceChildren(problemNote(error, load));
    }
  }

  document.body.append(dialog);
  dialog.showModal();
  load();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(chosen);
    });
  });
}
