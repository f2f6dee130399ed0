import { api } from '../app/api.js';
import { el, icon, style } from '../app/dom.js';
import { tellProblem } from '../app/memes.js';
import { Page } from '../app/page.js';
import { confirmsEmails, registration, to } from '../app/places.js';
import { session } from '../app/session.js';
import { store } from '../app/store.js';
import { called, counted } from '../app/words.js';
import { menu } from '../elements/menu.js';
import { notify } from '../elements/notice-bar.js';
import { backLink } from '../elements/tab-bar.js';
import { claimable, claimAll } from './claims.js';

await style('styles/cards.css', 'people/people.css');

/** Links to all pages of the user. Signed-out users get links to registration and sign-in. */
class YouPage extends Page {
  #main = el('main', { class: 'column' });
  /** What the page shows, as JSON. */
  #shown = '';

  build() {
    this.classList.add('on-ground');
    this.append(el('header', { class: 'bar' }, backLink(to.table(), 'Sent Memes'), el('h1', { tabindex: -1 }, 'You')), this.#main);
  }

  connected() {
    this.watch('person', () => this.#show());
    this.listen(store, 'unread', () => this.#show());
    // Memes that were made or claimed since change the number of claimable memes.
    this.listen(store, 'meme', ({ detail }) => detail.kind === 'upsert' && this.#show());
  }

  returned(focused) {
    const href = focused?.getAttribute?.('href');
    this.#show();
    super.returned(href ? this.querySelector(`a[href="${CSS.escape(href)}"]`) : focused);
  }

  #show() {
    const [person, unread] = [store.get('person'), store.get('unread') ?? 0];
    // Replacing an element loses its focus, and a click that has begun on it.
    const shown = JSON.stringify([person, unread, claimable()]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#main.replaceChildren(...(person ? this.#ofPerson(person, unread) : this.#ofGuest()));
  }

  #ofPerson(person, unread) {
    return [
      el('a', { class: 'card you-card', href: to.user(person.username) },
        el('img', { class: 'avatar', src: person.avatarUrl, alt: '', width: 64, height: 64 }),
        el('span', { class: 'you-names' },
          el('span', { class: 'you-name' }, el('bdi', {}, called(person))), el('span', { class: 'is-quiet', dir: 'ltr' }, `@${person.username}`)),
        icon('forward')),
      this.#claims(),
      confirmsEmails && person.emailConfirmed === false && this.#confirmation(),
      menu(
        { name: 'Feed', icon: 'feed', href: to.feed() },
        {
          name: 'Notifications', icon: 'bell', href: to.notifications(),
          badge: unread > 0 && { text: unread >= 100 ? '99+' : String(unread), label: `${unread} new` },
        },
        { name: 'Favorites', icon: 'favorite', href: to.favorites() }),
      menu(
        { name: 'Find people', icon: 'search', href: to.people() },
        { name: 'Friends', icon: 'friends', href: to.friends() }),
      menu({ name: 'Settings', icon: 'settings', href: to.settings() }, about()),
      person.role === 'admin' && menu({ name: 'Admin', icon: 'admin', href: to.admin(), hint: 'Stats, reports and audit log' }),
      menu({ name: 'Sign out', icon: 'sign-out', run: () => this.#signOut() }),
    ].filter(Boolean);
  }

  #confirmation() {
    return el('div', { class: 'card you-confirm' },
      el('h2', {}, 'Confirm your email'),
      el('p', { class: 'is-quiet' }, 'We sent you a link. Until you open it, you can’t send memes by mail.'),
      el('button', { type: 'button', class: 'button', onclick: () => this.#sendLink() }, 'Send the link again'));
  }

  async #sendLink() {
    try {
      await api.post('/users/me/email-confirmation', {});
      // The link may have been opened on another device.
      await session.refresh();
      if (!store.get('person')?.emailConfirmed) notify('We sent the link. Look at your mail.');
    } catch (error) {
      tellProblem(error);
    }
  }

  #ofGuest() {
    return [
      el('div', { class: 'card you-guest' },
        el('h2', {}, 'Make it yours'),
        el('p', { class: 'is-quiet' }, 'With an account, you can like, comment, follow, save favorites and see your memes on all your devices.'),
        registration !== 'closed' && el('a', { class: 'button is-main is-wide', href: to.register() }, 'Create an account'),
        el('a', { class: 'button is-wide', href: to.signIn() }, 'Sign in')),
      menu({ name: 'Find people', icon: 'search', href: to.people() }),
      menu({ name: 'Settings', icon: 'settings', href: to.settings() }, about()),
    ];
  }

  #claims() {
    const number = claimable();
    return number > 0 && el('div', { class: 'card you-claims' },
      el('p', {}, `${counted(number, 'meme')} ${number === 1 ? 'was' : 'were'} made here without an account.`),
      el('button', { type: 'button', class: 'button', onclick: () => claimAll().then(() => this.#show()) },
        number === 1 ? 'Make it mine' : 'Make them mine'));
  }

  async #signOut() {
    try {
      if (!await session.signOut()) return;
    } catch (error) {
      return tellProblem(error);
    }
    notify('You’re signed out.');
    this.heading.focus();
  }
}

const about = () => ({ name: 'About this app', icon: 'info', href: to.about(), hint: 'Installation and offline use' });

customElements.define('you-page', YouPage);
