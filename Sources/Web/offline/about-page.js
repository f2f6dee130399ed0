import { address } from '../app/api.js';
import { el, icon, root, style } from '../app/dom.js';
import { Page } from '../app/page.js';
import { to } from '../app/places.js';
import { store } from '../app/store.js';
import { counted } from '../app/words.js';
import { group } from '../elements/controls.js';
import { menu } from '../elements/menu.js';
import { notify } from '../elements/notice-bar.js';
import { backLink } from '../elements/tab-bar.js';
import { keptPictures } from './newest.js';
import { vault } from './vault.js';

await style('styles/cards.css', 'settings/settings.css', 'offline/offline.css');

/** The app on this device: its installation, its offline storage, and the features that need TLS. */
class AboutPage extends Page {
  #main = el('main', { class: 'column about' });
  #install = el('div');
  #kept = el('div');

  build() {
    this.classList.add('on-ground');
    this.append(el('header', { class: 'bar' }, backLink(to.you(), 'You'), el('h1', { tabindex: -1 }, 'About this app')), this.#main);
    this.#main.append(
      el('div', { class: 'about-head' }, el('img', { src: `${root.pathname}icons/app.svg`, alt: '', width: 72, height: 72 }),
        el('div', {}, el('p', { class: 'about-name' }, 'MemeMe'), el('p', { class: 'is-quiet' }, location.host))),
      ...(isSecureContext ? [this.#install, this.#kept, connection()] : [connection()]),
      group('For developers', menu({ name: 'The API', icon: 'list', href: address('/docs'), hint: 'API reference' })));
  }

  connected() {
    this.watch('installation', (offer) => this.#install.replaceChildren(installing(offer)));
    this.#showKept();
  }

  enter() {
    this.#showKept();
  }

  async #showKept() {
    if (!navigator.serviceWorker) return;
    const number = await keptPictures();
    this.#kept.replaceChildren(group('Offline use',
      el('div', { class: 'card text-card' },
        el('p', {}, number > 0
          ? `Offline, the app shows the newest memes and those you viewed: ${counted(number, 'picture')} on this device. Memes you make offline are sent later.`
          : 'Offline, the app shows the newest memes and those you viewed. Memes you make offline are sent later.'),
        number > 0 && el('button', { type: 'button', class: 'button', onclick: () => this.#forget() }, icon('delete'), 'Remove from this device'))));
  }

  async #forget() {
    await vault.empty();
    await this.#showKept();
    notify('Removed. Memes you view from now on are stored again.');
    this.heading.focus();
  }
}

const missing = [
  ['Camera', 'You can’t take photos, but you can choose pictures from this device.'],
  ['Installation and offline use', 'The app only works online.'],
  ['System share sheet and one-tap copying', 'You have to copy links by hand.'],
  ['Privacy', 'Others on the network could read passwords and take over your session.'],
];

/** Shows whether the connection is secure. If not, lists the features that browsers disable, and the remedy. */
function connection() {
  const isLocal = isSecureContext && location.protocol === 'http:';
  const state = (symbol, kind, ...words) => el('p', { class: `about-state ${kind}` }, icon(symbol), el('span', {}, ...words));
  if (isSecureContext && !isLocal) {
    return group('Connection', el('div', { class: 'card text-card' }, state('check', 'is-good', 'Encrypted (TLS)')));
  }
  return group('Connection', el('div', { class: 'card text-card' },
    ...(isLocal
      ? [state('check', 'is-good', 'On this device'),
        el('p', {}, 'On other devices, these need HTTPS:')]
      : [state('problem', 'is-bad', 'Not encrypted'),
        el('p', {}, 'This page isn’t secure (no HTTPS), so these don’t work:')]),
    el('dl', { class: 'about-missing' }, ...missing.flatMap(([name, text]) => [el('dt', {}, name), el('dd', {}, text)])),
    el('p', { class: 'is-quiet' }, 'The operator can add a certificate, or a proxy that has one: ',
      'see the README.')));
}

/** @param {{prompt: () => Promise<unknown>} | null} offer the browser's install prompt */
function installing(offer) {
  if (!isSecureContext) return el('div');
  if (matchMedia('(display-mode: standalone)').matches) {
    return group('Installing', el('div', { class: 'card text-card' }, el('p', {}, 'MemeMe is installed on this device.')));
  }
  if (offer) {
    const install = async () => {
      await offer.prompt();
      // An install prompt can be used only once.
      store.set('installation', null);
    };
    return group('Installing', el('div', { class: 'card text-card' },
      el('p', {}, 'You can install MemeMe as an app on this device.'),
      el('button', { type: 'button', class: 'button is-main', onclick: install }, icon('download'), 'Install MemeMe')));
  }
  return group('Installing', el('div', { class: 'card text-card' },
    el('p', {}, 'To install MemeMe as an app on an iPhone or iPad, tap “Share”, then “Add to Home Screen”; '
      + 'elsewhere, choose “Install” or “Add to Home Screen” in the browser’s menu.')));
}

customElements.define('about-page', AboutPage);
