import { el, icon } from '../app/dom.js';

let made = 0;

/**
 * A labeled switch that takes effect immediately.
 *
 * @param {{name: string, icon?: string, hint?: string, isOn: boolean, change: (isOn: boolean) => void}} facts
 */
export function toggle({ name, icon: symbol, hint, isOn, change }) {
  const id = `switch-${++made}`;
  const input = el('input', {
    type: 'checkbox', role: 'switch', class: 'switch', id, checked: isOn, 'aria-describedby': hint ? `${id}-hint` : null,
    onchange: () => change(input.checked),
  });
  return el('div', { class: 'menu-row control' },
    symbol && icon(symbol),
    el('span', { class: 'menu-words' },
      el('label', { for: id }, name), hint && el('span', { class: 'menu-hint', id: `${id}-hint` }, hint)),
    input);
}

/**
 * A choice of one option, shown side by side.
 *
 * @param {{name: string, icon?: string, value: string, options: [string, string][],
 *   change: (value: string) => void}} facts
 *   options: pairs of value and label
 */
export function segments({ name, icon: symbol, value, options, change }) {
  const group = `segments-${++made}`;
  return el('fieldset', { class: 'control segments-control' },
    el('legend', {}, symbol && icon(symbol), name),
    el('div', { class: 'segments' }, ...options.map(([each, label]) => el('label', { class: 'segment' },
      el('input', {
        type: 'radio', name: group, value: each, checked: each === value, onchange: () => change(each),
      }), el('span', {}, label)))));
}

/**
 * A number within a range. Calls `input` while the user drags, and `change` on release.
 *
 * @param {{name: string, icon?: string, value: number, min: number, max: number, step: number,
 *   say: (value: number) => string, change: (value: number) => void, input?: (value: number) => void}} facts
 *   say: formats the value
 */
export function slider({ name, icon: symbol, value, min, max, step, say, change, input = () => {} }) {
  const id = `slider-${++made}`;
  const shown = el('span', { class: 'menu-value', 'aria-hidden': 'true' });
  const field = el('input', { type: 'range', class: 'slider', id, min, max, step, value });
  const tell = () => {
    shown.textContent = say(field.valueAsNumber);
    field.setAttribute('aria-valuetext', say(field.valueAsNumber));
  };
  field.addEventListener('input', () => {
    tell();
    input(field.valueAsNumber);
  });
  field.addEventListener('change', () => change(field.valueAsNumber));
  field.valueAsNumber = value;
  tell();
  return el('div', { class: 'control slider-control' },
    el('div', { class: 'slider-head' }, el('label', { for: id }, symbol && icon(symbol), name), shown), field);
}

/** Replaces the controls in a container and keeps the focus on the input at the same position. */
export function redraw(place, ...children) {
  const focused = [...place.querySelectorAll('input')].indexOf(document.activeElement);
  place.replaceChildren(...children);
  place.querySelectorAll('input')[focused]?.focus({ preventScroll: true });
}

/** A group of controls under a heading. */
export function group(title, ...children) {
  const id = `group-${++made}`;
  return el('section', { class: 'group', 'aria-labelledby': title ? id : null },
    title && el('h2', { class: 'group-title', id }, title), ...children);
}
