import { api, newKey } from '../app/api.js';
import { el, style } from '../app/dom.js';
import { title } from '../app/words.js';
import { FieldForm } from '../elements/field-form.js';
import { field } from '../elements/fields.js';
import { notify } from '../elements/notice-bar.js';

await style('styles/forms.css');

/** Asks for a name, and saves the picture of a meme as a template. Captions in boxes become its boxes. */
export function saveTemplate(meme) {
  const name = field({
    name: 'name', label: 'Name', maxlength: 100, required: true, value: [...title(meme)].slice(0, 100).join(''),
    hint: 'Everyone can see templates, and make memes from them.',
  });
  // All attempts to send the same name have the same key.
  let tried = {};
  let isSent = false;
  const form = new FieldForm({
    fields: [name], action: 'Save template',
    more: [el('button', { type: 'button', class: 'button is-wide', onclick: () => dialog.close() }, 'Cancel')],
    send: async (values) => {
      const text = values.name.trim();
      if (tried.text !== text) tried = { text, key: newKey() };
      const fields = new FormData();
      fields.append('remix', meme.id);
      fields.append('name', text);
      await api.post('/templates', { body: fields, key: tried.key });
      isSent = true;
      dialog.close();
    },
  });
  const dialog = el('dialog', { 'aria-labelledby': 'save-template-title' }, el('h2', { id: 'save-template-title' }, 'Save as template'), form);
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (isSent) notify('Template saved.');
  });
  document.body.append(dialog);
  dialog.showModal();
}
