import { api, newKey } from '../app/api.js';
import { el, style } from '../app/dom.js';
import { title } from '../app/words.js';
import { FieldForm } from '../elements/field-form.js';
import { field } from '../elements/fields.js';
import { notify } from '../elements/notice-bar.js';

await style('styles/forms.css');

/** Saves the picture of a meme as a template. Captions in boxes become its boxes. */
export const saveMeme = (meme) => saveTemplate(title(meme), async () => ({ remix: meme.id }));

/**
 * Asks for a name, and saves a template.
 *
 * @param {string} proposed the name that is proposed
 * @param {() => Promise<Record<string, string>>} fields returns the other fields of the API
 */
export function saveTemplate(proposed, fields) {
  const name = field({
    name: 'name', label: 'Name', maxlength: 100, required: true, value: [...proposed].slice(0, 100).join(''),
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
      const body = new FormData();
      for (const [key, value] of Object.entries({ ...await fields(), name: text })) body.append(key, value);
      await api.post('/templates', { body, key: tried.key });
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
