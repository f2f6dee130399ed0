import { api } from '../app/api.js';
import { el } from '../app/dom.js';
import { problemNote } from '../elements/problem-note.js';

const none = 'No template has these words.';
const nothing = 'No templates yet. The menu of a meme can save it as one.';

/**
 * Opens a dialog to choose one of the server's templates.
 *
 * @returns {Promise<object | null>} a template; `null` if none was chosen
 */
export function chooseTemplate() {
  let chosen = null;
  let cursor = null;
  /** Increases with each request, so that the response of an earlier one is ignored. */
  let request = 0;
  const words = el('input', {
    class: 'field', type: 'search', maxlength: 100, 'aria-label': 'Search templates', placeholder: 'Search', autocomplete: 'off',
    oninput: () => {
      clearTimeout(pause);
      pause = setTimeout(start, 250);
    },
  });
  let pause = 0;
  const list = el('ul', { class: 'templates' });
  const note = el('div');
  const more = el('button', { type: 'button', class: 'button', hidden: true, onclick: () => load() }, 'More templates');
  const dialog = el('dialog', { class: 'wide', 'aria-labelledby': 'templates-title' },
    el('h2', { id: 'templates-title' }, 'Templates'), words, list, note,
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

  function start() {
    cursor = null;
    load();
  }

  async function load() {
    const mine = ++request;
    const isFirst = cursor === null;
    const q = words.value.trim() || null;
    note.replaceChildren();
    try {
      const page = await api.get('/templates', { query: { q, sort: 'popular', limit: 30, cursor } });
      if (mine !== request) return;
      const items = page.items.map(item);
      if (isFirst) list.replaceChildren(...items);
      else list.append(...items);
      cursor = page.nextCursor;
      more.hidden = cursor === null;
      if (list.children.length === 0) note.replaceChildren(el('p', { class: 'hint' }, q ? none : nothing));
    } catch (error) {
      if (mine !== request) return;
      // The server refuses words without a letter or digit.
      if (q && error.status === 422) list.replaceChildren();
      note.replaceChildren(q && error.status === 422 ? el('p', { class: 'hint' }, none) : problemNote(error, load));
    }
  }

  document.body.append(dialog);
  dialog.showModal();
  load();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      clearTimeout(pause);
      dialog.remove();
      resolve(chosen);
    });
  });
}
