import { el, icon } from '../app/dom.js';

let made = 0;

/**
 * A field with its name above it, and below it what is to be known and what is wrong, both of which readers say with the field.
 *
 * @typedef {object} Field
 * @property {string} name the member of the request, and of what the server says is wrong
 * @property {HTMLElement} element
 * @property {HTMLInputElement | HTMLTextAreaElement} input
 * @property {(message: string) => void} tell says what is wrong with it; an empty message takes that back
 *
 * @param {{name: string, label: string, hint?: string, type?: string, rows?: number, value?: string} & Record<string, unknown>} facts
 *   what is not named here is an attribute of the field
 * @returns {Field}
 */
export function field({ name, label, hint = '', type = 'text', rows, value = '', ...attributes }) {
  const id = `field-${++made}`;
  const hinted = hint && el('p', { class: 'field-hint', id: `${id}-hint` }, hint);
  const told = el('p', { class: 'field-problem', id: `${id}-told` });
  const input = el(rows ? 'textarea' : 'input', {
    class: 'field', id, name, type: rows ? null : type, rows: rows ?? null, dir: 'auto',
    'aria-describedby': [hinted && `${id}-hint`, `${id}-told`].filter(Boolean).join(' '), ...attributes,
  });
  input.value = value;
  const tell = (message) => {
    told.textContent = message;
    if (message) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  };
  // What somebody mends is not wrong any more, as far as anybody knows.
  input.addEventListener('input', () => tell(''));
  return {
    name, input, tell,
    element: el('div', { class: 'form-field' }, el('label', { for: id }, label), place(input, type), hinted, told),
  };
}

/** A password can be looked at: people who see what they type choose longer ones. */
function place(input, type) {
  if (type !== 'password') return input;
  const button = el('button', {
    type: 'button', class: 'icon-button field-show', 'aria-label': 'Show the password', 'aria-pressed': 'false', onclick: () => {
      const isShown = input.type === 'password';
      input.type = isShown ? 'text' : 'password';
      button.setAttribute('aria-pressed', String(isShown));
      button.replaceChildren(icon(isShown ? 'eye-off' : 'eye'));
    },
  }, icon('eye'));
  return el('div', { class: 'field-place' }, input, button);
}

/** What of an account is the same wherever it is asked for, as password managers know it. */
export const usernameField = (more = {}) => field({
  name: 'username', label: 'Username', autocomplete: 'username', autocapitalize: 'none', autocorrect: 'off', spellcheck: 'false',
  dir: 'ltr', maxlength: 254, required: true, ...more,
});
export const emailField = (more = {}) => field({
  name: 'email', label: 'Email', type: 'email', autocomplete: 'email', dir: 'ltr', maxlength: 254, required: true, ...more,
});
export const passwordField = (more = {}) => field({
  name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', dir: 'ltr', maxlength: 1024, required: true, ...more,
});
export const newPasswordField = (more = {}) => passwordField({
  autocomplete: 'new-password', minlength: 8, hint: '8 characters or more, of any kind.', ...more,
});
