import { api } from '../app/api.js';
import { el, icon } from '../app/dom.js';
import { session } from '../app/session.js';
import { store } from '../app/store.js';
import { counted, moment } from '../app/words.js';
import { group } from '../elements/controls.js';
import { FieldForm } from '../elements/field-form.js';
import { codeField, passwordField } from '../elements/fields.js';
import { notify } from '../elements/notice-bar.js';
import { problemNote } from '../elements/problem-note.js';
import { copy } from '../share/targets.js';
import { qrCode } from './qr-code.js';
import { save } from './save-file.js';
import { SectionPage } from './section-page.js';
import { SignOnLinks } from './sign-on-links.js';

/** The light margin around a QR code, in modules. Scanners need it. */
const margin = 4;
const modulePixels = 4;

/** Draws a QR code. It stays dark on light in every theme. */
function picture(rows) {
  const size = (rows.length + 2 * margin) * modulePixels;
  const canvas = el('canvas', { class: 'qr-code', width: size, height: size, role: 'img', 'aria-label': 'QR code for your authenticator app' });
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, size, size);
  context.fillStyle = '#000';
  rows.forEach((row, y) => row.forEach((isDark, x) => {
    if (isDark) context.fillRect((x + margin) * modulePixels, (y + margin) * modulePixels, modulePixels, modulePixels);
  }));
  return canvas;
}

const card = (...children) => el('div', { class: 'card form-card form' }, ...children);

/** Turns the second factor on and off, and shows the recovery codes once. Also links single sign-ons. */
class SecurityPage extends SectionPage {
  #factor = el('div', { class: 'groups' });
  #links = new SignOnLinks();

  build() {
    this.section('Security', this.#factor, this.#links);
    this.#load();
  }

  enter(_, query) {
    this.#links.showError(query.get('error'));
  }

  async #load() {
    this.main.setAttribute('aria-busy', 'true');
    try {
      const { secondFactor } = await session.refresh();
      this.#links.load(Boolean(secondFactor));
      if (secondFactor) this.#showOn(secondFactor);
      else this.#showOff();
    } catch (error) {
      this.#factor.replaceChildren(problemNote(error, () => this.#load()));
    }
    this.main.removeAttribute('aria-busy');
  }

  #showOff() {
    this.#factor.replaceChildren(
      el('p', { class: 'group-note' }, 'With a second factor, a stolen password is not enough to sign in. You also enter a code from '
        + 'an authenticator app on your phone.'),
      group('Second factor', card(new FieldForm({
        fields: [passwordField({ hint: 'We ask so that a person with your device cannot do this.' })],
        action: 'Set up',
        send: async ({ password }) => this.#showSecret(await api.post('/users/me/totp', { json: { password } }), password),
      }))));
  }

  /** Shows the secret, and asks for a code that shows that the app has it. */
  #showSecret({ secret, otpauthUrl }, password) {
    const rows = qrCode(otpauthUrl);
    const step = el('p', { tabindex: -1 }, 'Scan this with your authenticator app, or type the key into it.');
    const code = codeField({ hint: 'The 6 digits that the app shows now.', inputmode: 'numeric' });
    this.#factor.replaceChildren(group('Add to your app', card(step, rows && picture(rows),
      el('p', { class: 'secret-key', dir: 'ltr' }, secret.match(/.{1,4}/g).join(' ')),
      el('p', {}, el('a', { href: otpauthUrl, class: 'plain-link' }, 'Open the app on this device')),
      new FieldForm({
        fields: [code],
        codes: { 'not-found': 'code' },
        action: 'Turn on',
        send: async (values) => {
          const { recoveryCodes } = await api.put('/users/me/totp', { json: { code: values.code, password } });
          notify('Second factor turned on.');
          this.#showCodes(recoveryCodes);
        },
      }))));
    step.focus();
  }

  #showCodes(codes) {
    const text = `${codes.join('\n')}\n`;
    const list = el('ul', { class: 'recovery-codes', role: 'list', tabindex: -1, 'aria-label': 'Recovery codes', dir: 'ltr' },
      ...codes.map((each) => el('li', {}, each)));
    const person = store.get('person')?.username;
    this.#factor.replaceChildren(group('Recovery codes', card(
      el('p', {}, 'Save these codes now. They are shown only once. If you lose your phone, each of them signs you in once.'), list,
      el('div', { class: 'picture-buttons' },
        el('button', { type: 'button', class: 'button', onclick: () => this.#copy(list, text) }, icon('link'), 'Copy'),
        el('button', {
          type: 'button', class: 'button',
          onclick: () => save(new Blob([text], { type: 'text/plain' }), `mememe-recovery-codes-${person}.txt`),
        }, icon('download'), 'Download')),
      el('button', { type: 'button', class: 'button is-main is-wide', onclick: () => this.#load() }, 'Done'))));
    list.focus();
  }

  async #copy(list, text) {
    if (await copy(Promise.resolve(text))) return notify('Recovery codes copied.');
    // Pages without HTTPS have no clipboard: the user copies the selected text.
    getSelection().selectAllChildren(list);
    return notify('Press Ctrl+C or ⌘C to copy.');
  }

  #showOn({ enabledAt, recoveryCodes }) {
    this.#factor.replaceChildren(
      el('p', { class: 'group-note' }, `The second factor is on since ${moment(enabledAt)}. `
        + `You have ${counted(recoveryCodes, 'recovery code')} left.`),
      group('New recovery codes', card(
        el('p', {}, 'Makes ten new codes. The old ones stop working.'),
        new FieldForm({
          fields: [passwordField(), codeField()],
          action: 'Make new codes',
          send: async ({ password, code }) => {
            const made = await api.post('/users/me/totp/recovery-codes', { json: { password, code } });
            this.#showCodes(made.recoveryCodes);
          },
        }))),
      group('Turn off', card(
        el('p', {}, 'To use another phone, turn it off and on again.'),
        new FieldForm({
          fields: [passwordField(), codeField()],
          action: 'Turn off', isDangerous: true,
          send: async ({ password, code }) => {
            await api.delete('/users/me/totp', { json: { password, code } });
            notify('Second factor turned off.');
            this.#showOff();
            this.querySelector('input')?.focus();
          },
        }))));
  }
}

customElements.define('security-page', SecurityPage);
