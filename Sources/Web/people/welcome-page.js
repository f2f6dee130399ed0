import { el, icon, root, style } from '../app/dom.js';
import { Page } from '../app/page.js';
import { isForAnybody, registration, to } from '../app/places.js';
import { guestLink } from './guest-links.js';

await style('styles/forms.css', 'people/guests.css');

/** Introduces MemeMe and links to registration and sign-in. It is the first page if the server requires an account. */
class WelcomePage extends Page {
  build() {
    const promises = [
      ['camera', 'A meme is a picture and two lines of text.'],
      ['friends', 'Share some memes only with friends.'],
      ['download', 'Export or delete your data anytime.'],
    ];
    this.append(el('main', { class: 'welcome' },
      el('div', { class: 'welcome-head' },
        el('img', { src: `${root.pathname}icons/app.svg`, alt: '', width: 96, height: 96 }),
        el('h1', { tabindex: -1 }, 'MemeMe'),
        el('p', {}, 'Make, keep and share memes.')),
      el('ul', { class: 'welcome-promises' },
        ...promises.map(([symbol, text]) => el('li', {}, icon(symbol), el('span', {}, text)))),
      el('div', { class: 'welcome-ways' },
        registration !== 'closed' && guestLink(to.register(), 'Create an account', 'button is-main is-wide'),
        guestLink(to.signIn(), 'Sign in', 'button is-wide'),
        isForAnybody && el('a', { href: to.table(), class: 'plain-link', 'data-goes': 'back' }, 'Browse without an account'),
        el('a', { href: to.settings(), class: 'plain-link' }, 'Accessibility'))));
  }
}

customElements.define('welcome-page', WelcomePage);
