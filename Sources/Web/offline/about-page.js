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
      group('For programs', menu({ name: 'The API', icon: 'list', href: address('/docs'), hint: 'All that the app does, and how' })));
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
    this.#kept.replaceChildren(group('Without a network',
      el('div', { class: 'card text-card' },
        el('p', {}, number > 0
          ? `The app opens and shows the newest memes, and those that you looked at: ${counted(number, 'picture')} on this device. Memes that you make wait here until they can be sent.`
          : 'The app opens, and shows the newest memes and those that you looked at. Memes that you make wait here until they can be sent.'),
        number > 0 && el('button', { type: 'button', class: 'button', onclick: () => this.#forget() }, icon('delete'), 'Remove them from this device'))));
  }

  async #forget() {
    await vault.empty();
    await this.#showKept();
    notify('Nothing is kept on this device until memes are looked at again.');
    this.heading.focus();
  }
}

const missing = [
  ['Camera', 'Taking a picture. Choosing one from the device works.'],
  ['Installing, and use without a network', 'The app opens only where the server is reached.'],
  ['The system’s sheet to share by, and copying with one tap', 'Links are shown to be copied by hand.'],
  ['Privacy', 'Whoever is on the way can read passwords, and take over a session; another host of the same domain can set its cookie.'],
];

/** Shows whether the connection is secure. If not, lists the features that browsers disable, and the remedy. */
function connection() {
  const isLocal = isSecureContext && location.protocol === 'http:';
  const state = (symbol, kind, ...words) => el('p', { class: `about-state ${kind}` }, icon(symbol), el('span', {}, ...words));
  if (isSecureContext && !isLocal) {
    return group('Connection', el('div', { class: 'card text-card' }, state('check', 'is-good', 'Encrypted, by TLS')));
  }
  return group('Connection', el('div', { class: 'card text-card' },
    ...(isLocal
      ? [state('check', 'is-good', 'On this device'),
        el('p', {}, 'Browsers trust the device that they are on. From other devices, these need an address that begins with https:')]
      : [state('problem', 'is-bad', 'Not encrypted'),
        el('p', {}, 'This page came without TLS, so browsers keep from it what these need:')]),
    el('dl', { class: 'about-missing' }, ...missing.flatMap(([name, text]) => [el('dt', {}, name), el('dd', {}, text)])),
    el('p', { class: 'is-quiet' }, 'Who runs the server can give it a certificate, or put a proxy before it that has one: ',
      'its README says how.')));
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
      el('p', {}, 'MemeMe can be an app of its own on this device, with an icon and a window.'),
      el('button', { type: 'button', class: 'button is-main', onclick: install }, icon('download'), 'Install MemeMe')));
  }
  return group('Installing', el('div', { class: 'card text-card' },
    el('p', {}, 'MemeMe can be an app of its own on this device: on iPhones and iPads by “Share”, then “Add to Home Screen”; '
      + 'elsewhere by “Install” or “Add to Home Screen” in the browser’s menu.')));
}

customElements.define('about-page', AboutPage);
