import { el } from '../app/dom.js';
import { segments } from '../elements/controls.js';
import { field } from '../elements/fields.js';
import { events, formats, visibilities } from './connection-words.js';

let made = 0;

/**
 * The fields of a mapping: which events, of which memes, and how they are sent.
 *
 * @param {object} facts
 * @param {boolean} facts.isAll whether the connection has the scope `all`
 * @param {object} [facts.mapping] the mapping to change
 * @param {(format: string) => void} [facts.formatChanged]
 */
export function mappingFields({ isAll, mapping, formatChanged = () => {} }) {
  const chosen = { format: mapping?.format ?? 'json', visibility: mapping?.filter.visibility ?? 'all' };
  const choice = eventsField(mapping?.events);
  const author = field({
    name: 'filter.author', label: 'Author', hint: 'A username. Leave it empty for the memes of all users.', maxlength: 30,
    value: mapping?.filter.author ?? '', autocomplete: 'off', autocapitalize: 'none', autocorrect: 'off', spellcheck: 'false', dir: 'ltr',
  });
  const tag = field({
    name: 'filter.tag', label: 'Tag', hint: 'Leave it empty for memes with any tags or none.', maxlength: 64,
    value: mapping?.filter.tag ?? '', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false',
  });
  const visibility = segments({
    name: 'Visibility', value: chosen.visibility, options: visibilities, change: (value) => {
      chosen.visibility = value;
    },
  });
  const format = segments({
    name: 'Send as', value: chosen.format, options: formats, change: (value) => {
      chosen.format = value;
      formatChanged(value);
    },
  });
  choice.element.prepend(format);
  choice.element.append(visibility);
  let isForAll = isAll;
  /** Offers what the scope permits. */
  const offer = (value) => {
    isForAll = value;
    choice.offer(isForAll);
    visibility.hidden = isForAll;
    author.element.hidden = !isForAll;
  };
  offer(isAll);
  return {
    fields: [choice, author, tag], offer,
    terms: () => ({
      events: choice.types(), format: chosen.format,
      filter: {
        visibility: isForAll || chosen.visibility === 'all' ? null : chosen.visibility,
        author: (isForAll && author.input.value.trim()) || null,
        tag: tag.input.value.trim() || null,
      },
      // Only programs get parts of memes. The page does not change which.
      fields: chosen.format === 'json' ? mapping?.fields ?? null : null,
    }),
  };
}

/** A field with a checkbox for each event. At least one must be checked. */
function eventsField(types = [events[0].type]) {
  const id = `events-${++made}`;
  const told = el('p', { class: 'field-problem', id: `${id}-told` });
  const boxes = events.map(({ type, isForAll }, index) => el('input', {
    type: 'checkbox', class: 'connection-box', value: type, checked: types.includes(type), 'data-all': Boolean(isForAll),
    'aria-describedby': index === 0 ? `${id}-told` : null,
    onchange: () => {
      tell('');
      check();
    },
  }));
  const labels = boxes.map((box, index) => el('label', { class: 'connection-choice', hidden: 'all' in box.dataset }, box, events[index].name));
  const checked = () => boxes.filter((box, index) => box.checked && !labels[index].hidden).map((box) => box.value);
  const [first] = boxes;
  const check = () => first.setCustomValidity(checked().length > 0 ? '' : 'Choose at least one.');
  const tell = (message) => {
    told.textContent = message;
    if (message) first.setAttribute('aria-invalid', 'true');
    else first.removeAttribute('aria-invalid');
  };
  return {
    name: 'events', input: first, tell, types: checked,
    /** Offers the events of the scope `all`, or not. */
    offer: (isAll) => {
      for (const [index, box] of boxes.entries()) labels[index].hidden = 'all' in box.dataset && !isAll;
      check();
    },
    element: el('div', { class: 'form connection-options' }, el('fieldset', { class: 'connection-events' },
      el('legend', {}, 'Events'), ...labels, told)),
  };
}
