import { segments } from '../elements/controls.js';
import { FieldForm } from '../elements/field-form.js';
import { field } from '../elements/fields.js';
import { addresses } from './connection-words.js';
import { mappingFields } from './mapping-fields.js';

/**
 * The form that adds a connection.
 *
 * @param {{isAdmin: boolean, send: (terms: {name: string, url: string, scope: string}, mapping: object) => Promise<void>}} facts
 *   isAdmin: whether the user can choose the scope
 */
export function connectionForm({ isAdmin, send }) {
  const [name, url] = placeFields();
  let chosen = 'own';
  const mapping = mappingFields({
    isAll: false, formatChanged: (value) => {
      url.element.querySelector('.field-hint').textContent = addresses[value];
    },
  });
  const scope = isAdmin && segments({
    name: 'Events of', value: chosen, options: [['own', 'My memes'], ['all', 'All public memes']],
    change: (value) => {
      chosen = value;
      mapping.offer(value === 'all');
    },
  });
  // It stands before the events, because it decides which events there are.
  if (scope) mapping.fields[0].element.prepend(scope);
  return new FieldForm({
    fields: [name, url, ...mapping.fields], action: 'Add connection',
    send: (values) => send({ name: values.name.trim(), url: values.url.trim(), scope: chosen }, mapping.terms()),
  });
}

/**
 * The fields for the name and the URL.
 *
 * @param {{name?: string, url?: string, format?: string}} [connection] format: of its events, which decides where the URL is found
 */
export const placeFields = ({ name = '', url = '', format = 'json' } = {}) => [
  field({ name: 'name', label: 'Name', hint: 'What it is for.', value: name, maxlength: 100, required: true, autocomplete: 'off' }),
  field({
    name: 'url', label: 'URL', hint: addresses[format], value: url, maxlength: 2048, required: true, inputmode: 'url', autocomplete: 'off',
    autocapitalize: 'none', autocorrect: 'off', spellcheck: 'false', dir: 'ltr',
  }),
];
