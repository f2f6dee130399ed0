import { el } from '../app/dom.js';
import { segments } from '../elements/controls.js';
import { FieldForm } from '../elements/field-form.js';
import { field } from '../elements/fields.js';
import { addresses, events, formats } from './connection-words.js';

let made = 0;

/**
 * The form that adds a connection.
 *
 * @param {{isAdmin: boolean, send: (terms: {name: string, url: string, scope: string, format: string,
 *   events: string[]}) => Promise<void>}} facts isAdmin: whether the user can choose the scope
 */
export function connectionForm({ isAdmin, send }) {
  const chosen = { scope: 'own', format: 'json' };
  const url = field({
    name: 'url', label: 'URL', hint: addresses.json, maxlength: 2048, required: true, inputmode: 'url', autocomplete: 'off',
    autocapitalize: 'none', autocorrect: 'off', spellcheck: 'false', dir: 'ltr',
  });
  const choice = eventsField();
  const scope = isAdmin && segments({
    name: 'Events of', value: chosen.scope, options: [['own', 'My memes'], ['all', 'All public memes']],
    change: (value) => {
      chosen.scope = value;
      choice.offer(value === 'all');
    },
  });
  const format = segments({
    name: 'Send as', value: chosen.format, options: formats,
    change: (value) => {
      chosen.format = value;
      url.element.querySelector('.field-hint').textContent = addresses[value];
    },
  });
  // The two choices stand before the events, because the first one decides which events there are.
  choice.element.prepend(...[scope, format].filter(Boolean));
  return new FieldForm({
    fields: [
      field({ name: 'name', label: 'Name', hint: 'What it is for.', maxlength: 100, required: true, autocomplete: 'off' }), url, choice,
    ],
    action: 'Add connection',
    send: (values) => send({ name: values.name.trim(), url: values.url.trim(), ...chosen, events: choice.types() }),
  });
}

/** A field with a checkbox for each event. At least one must be checked. */
function eventsField() {
  const id = `events-${++made}`;
  const told = el('p', { class: 'field-problem', id: `${id}-told` });
  const boxes = events.map(({ type, isForAll }, index) => el('input', {
    type: 'checkbox', class: 'connection-box', value: type, checked: index === 0, 'data-all': Boolean(isForAll),
    'aria-describedby': index === 0 ? `${id}-told` : null,
    onchange: () => {
      tell('');
      check();
    },
  }));
  const labels = boxes.map((box, index) => el('label', { class: 'connection-choice', hidden: 'all' in box.dataset }, box, events[index].name));
  const types = () => boxes.filter((box, index) => box.checked && !labels[index].hidden).map((box) => box.value);
  const [first] = boxes;
  const check = () => first.setCustomValidity(types().length > 0 ? '' : 'Choose at least one.');
  const tell = (message) => {
    told.textContent = message;
    if (message) first.setAttribute('aria-invalid', 'true');
    else first.removeAttribute('aria-invalid');
  };
  return {
    name: 'events', input: first, tell, types,
    /** Offers the events of the scope `all`, or not. */
    offer: (isAll) => {
      for (const [index, box] of boxes.entries()) labels[index].hidden = 'all' in box.dataset && !isAll;
      check();
    },
    element: el('div', { class: 'form connection-options' }, el('fieldset', { class: 'connection-events' },
      el('legend', {}, 'Events'), ...labels, told)),
  };
}
