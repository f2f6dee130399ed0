import { el } from '../app/dom.js';

let numbered = 0;
const newID = (name) => `${name}-${++numbered}`;

/**
 * A choice of one option, shown side by side.
 *
 * @param {string} legend
 * @param {{value: string, name: string, picture?: Node, isDisabled?: boolean}[]} options
 * @param {string} chosen
 * @param {(value: string) => void} choose
 */
export function segments(legend, options, chosen, choose, kind = 'segments') {
  const group = newID(kind);
  return el('fieldset', { class: `control ${kind}` }, el('legend', {}, legend),
    el('div', { class: `${kind}-options` }, ...options.map(({ value, name, picture, isDisabled }) => el('label', {},
      el('input', {
        type: 'radio', name: group, value, checked: value === chosen, disabled: isDisabled, class: 'only-read',
        onchange: () => choose(value),
      }),
      picture ?? el('span', {}, name)))));
}

/**
 * A number within a range.
 *
 * @param {{min: number, max: number, step: number}} range
 * @param {(value: number) => string} written formats the value
 */
export function slider(label, range, value, written, choose) {
  const id = newID('slider');
  const output = el('output', { for: id }, written(value));
  const input = el('input', {
    id, type: 'range', ...range, value, 'aria-valuetext': written(value),
    oninput: () => {
      output.textContent = written(Number(input.value));
      input.setAttribute('aria-valuetext', output.textContent);
      choose(Number(input.value));
    },
  });
  return el('div', { class: 'control slider' }, el('label', { for: id }, label), output, input);
}

const palette = [
  ['#ffffff', 'White'], ['#000000', 'Black'], ['#ffe500', 'Yellow'], ['#ff3b30', 'Red'], ['#34c759', 'Green'],
  ['#0a84ff', 'Blue'], ['#ff2d92', 'Pink'],
];

/** A color from the palette, or any other from the browser's color picker. */
export function colours(legend, value, choose) {
  const group = newID('colour');
  const isKnown = palette.some(([colour]) => colour === value);
  const own = el('input', {
    type: 'color', value, class: 'swatch', 'aria-label': `${legend}, another color`, oninput: () => {
      for (const radio of fieldset.querySelectorAll('input[type=radio]')) radio.checked = false;
      own.classList.add('is-chosen');
      choose(own.value);
    },
  });
  own.classList.toggle('is-chosen', !isKnown);
  const swatch = ([colour, name]) => {
    const dot = el('span', { class: 'swatch' });
    dot.style.setProperty('--colour', colour);
    return el('label', { title: name },
      el('input', {
        type: 'radio', name: group, value: colour, checked: colour === value, 'aria-label': name, class: 'only-read',
        onchange: () => {
          own.classList.remove('is-chosen');
          choose(colour);
        },
      }), dot);
  };
  const fieldset = el('fieldset', { class: 'control colours' }, el('legend', {}, legend),
    el('div', { class: 'colours-options' }, ...palette.map(swatch), own));
  return fieldset;
}

/** A number field for integers. @param {() => number} read returns the current value */
export function number(label, { min, max, unit }, read, choose) {
  const id = newID('number');
  return el('div', { class: 'control number' }, el('label', { for: id }, label),
    el('div', { class: 'number-field' },
      el('input', {
        id, type: 'number', class: 'field', min, max, step: 1, value: Math.round(read()), inputmode: 'numeric',
        onchange: (event) => {
          // NaN if the field is empty or has no number.
          const given = event.target.valueAsNumber;
          const isNumber = Number.isFinite(given);
          const taken = isNumber ? Math.min(Math.max(Math.round(given), min), max) : Math.round(read());
          event.target.value = String(taken);
          if (isNumber) choose(taken);
        },
      }), el('span', { 'aria-hidden': 'true' }, unit)));
}
