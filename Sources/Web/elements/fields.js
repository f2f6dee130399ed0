import { el, icon } from '../app/dom.js';

let made = 0;

/**
 * A field with its label above, and its hint and error below. Screen readers announce both with the field.
 *
 * @typedef {object} Field
 * @property {string} name the name in requests and in the server's errors
 * @property {HTMLElement} element
 * @property {HTMLInputElement | HTMLTextAreaElement} input
 * @property {(message: string) => void} tell shows an error at the field; an empty message removes it
 *
 * @param {{name: string, label: string, hint?: string, type?: string, rows?: number, value?: string}
 *   & Record<string, unknown>} facts other properties become attributes of the input
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
  // Remove the error as soon as the user edits the field.
  input.addEventListener('input', () => tell(''));
  return {
    name, input, tell,
    element: el('div', { class: 'form-field' }, el('label', { for: id }, label), place(input, type), hinted, told),
  };
}

/** Lets the user show a password: people who see what they type choose longer passwords. */
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

/** The account fields, with the attributes that password managers expect. */
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
export const codeField = (more = {}) => field({
  name: 'code', label: 'Code', hint: 'The 6 digits from your authenticator app, or a recovery code.', autocomplete: 'one-time-code',
  autocapitalize: 'none', autocorrect: 'off', spellcheck: 'false', dir: 'ltr', maxlength: 64, required: true, ...more,
});
export const newPasswordField = (more = {}) => passwordField({
  autocomplete: 'new-password', minlength: 8, hint: 'At least 8 characters.', ...more,
});
