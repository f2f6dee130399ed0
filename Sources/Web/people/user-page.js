import { api } from '../app/api.js';
import { el, icon, style } from '../app/dom.js';
import { Page } from '../app/page.js';
import { to } from '../app/places.js';
import { store } from '../app/store.js';
import { called, count } from '../app/words.js';
import { menuSheet } from '../elements/menu-sheet.js';
import { note, problemNote } from '../elements/problem-note.js';
import { backLink } from '../elements/tab-bar.js';
import { FollowButton } from './follow-button.js';
import { MemeShelf } from './meme-shelf.js';
import { personItems, unblock } from './person-menu.js';

await style('styles/cards.css', 'people/people.css');

const joined = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' });

/** A person's profile: names and bio, the relation to the user, and the memes that the user may see. */
class UserPage extends Page {
  #username = '';
  #profile = null;
  /** The data that the page shows. The page is drawn again only if the data differs. */
  #shown = '';
  /** Counts requests. The response of an overtaken request is dropped. */
  #asked = 0;
  #title = el('h1', { tabindex: -1, dir: 'ltr' });
  #more = el('button', {
    type: 'button', class: 'icon-button', 'aria-label': 'More', hidden: true, onclick: () => this.#menu(),
  }, icon('more'));
  #about = el('section', { class: 'profile', 'aria-label': 'About' });
  #shelf = null;
  #main = el('main', {}, this.#about);

  build() {
    this.append(
      el('header', { class: 'bar' }, backLink(to.people(), 'People'), this.#title, el('div', { class: 'bar-actions' }, this.#more)),
      this.#main);
  }

  connected() {
    let username = store.get('person')?.username;
    this.listen(store, 'person', () => {
      if (store.get('person')?.username !== username) this.#forget();
      username = store.get('person')?.username;
      this.#load();
    });
    this.listen(this, 'follow', ({ detail }) => {
      this.#profile = detail;
      this.#showCounts();
    });
  }

  enter({ username }) {
    this.#username = username;
    this.#title.textContent = `@${username}`;
    this.#load();
  }

  returned(focused) {
    this.#shelf?.returned();
    super.returned(focused);
    // The user may have just edited this profile.
    this.#load();
  }

  async #load() {
    const asked = ++this.#asked;
    this.#main.setAttribute('aria-busy', 'true');
    try {
      const profile = await api.get(`/users/${encodeURIComponent(this.#username)}`);
      if (asked === this.#asked) this.#show(profile);
    } catch (error) {
      const blocked = error.status === 404 && await this.#blocked();
      // The shown profile stays if the network fails.
      if (asked === this.#asked && !(error.isPassing && this.#shown)) this.#miss(error, blocked);
    }
    if (asked === this.#asked) this.#main.removeAttribute('aria-busy');
  }

  #show(profile) {
    const viewer = store.get('person')?.username ?? null;
    const shown = JSON.stringify([viewer, profile]);
    if (this.#shown === shown) return;
    this.#shown = shown;
    const hadFocus = this.#about.contains(document.activeElement);
    this.#profile = profile;
    if (profile.username !== this.#username) {
      // The person was renamed.
      if (location.pathname === to.user(this.#username)) history.replaceState(history.state, '', to.user(profile.username));
      this.#username = profile.username;
    }
    this.#title.textContent = `@${profile.username}`;
    this.#more.hidden = viewer === profile.username;
    this.#about.replaceChildren(...this.#facts(profile).filter(Boolean));
    this.#showCounts();
    if (hadFocus) this.#title.focus({ preventScroll: true });
    if (this.#shelf?.dataset.of !== `${viewer} ${profile.username}`) {
      this.#shelf?.remove();
      this.#shelf = this.#memes(profile);
      this.#shelf.dataset.of = `${viewer} ${profile.username}`;
      this.#main.replaceChildren(this.#about, this.#shelf);
    }
    this.renamed();
  }

  /** Removes the memes of the page, because another user may not see all of them. */
  #forget() {
    this.#shown = '';
    this.#shelf?.remove();
    this.#shelf = null;
  }

  #facts(profile) {
    const { username, displayName, bio, avatarUrl, createdAt, viewer } = profile;
    const isOwn = store.get('person')?.username === username;
    const large = `${avatarUrl}${avatarUrl.includes('?') ? '&' : '?'}size=512`;
    return [
      el('img', { class: 'avatar profile-picture', src: large, alt: `Picture of ${called(profile)}`, width: 96, height: 96 }),
      el('div', { class: 'profile-names' },
        el('p', { class: 'profile-name' }, el('bdi', {}, displayName ?? username)),
        el('p', { class: 'profile-since' }, viewer.followedBy && 'Follows you · ', `Joined ${joined.format(new Date(createdAt))}`)),
      el('div', { class: 'profile-counts' }),
      bio && el('p', { class: 'profile-bio', dir: 'auto' }, bio),
      isOwn
        ? el('a', { class: 'button is-wide', href: to.settings('profile') }, 'Edit profile')
        : new FollowButton(profile),
    ];
  }

  #showCounts() {
    const { username, counts } = this.#profile;
    const entry = (number, name, href) => el(href ? 'a' : 'span', { class: 'profile-count', href },
      el('strong', {}, count(number)), ' ', name);
    this.#about.querySelector('.profile-counts')?.replaceChildren(
      entry(counts.memes, counts.memes === 1 ? 'meme' : 'memes'),
      entry(counts.followers, counts.followers === 1 ? 'follower' : 'followers', to.user(username, 'followers')),
      entry(counts.following, 'following', to.user(username, 'following')));
  }

  #memes({ username }) {
    return new MemeShelf({
      path: `/users/${username}/memes`, view: 'grid', label: `Memes of ${username}`,
      takes: (meme) => meme.author?.username === username,
      empty: () => note('meme', 'No memes yet', 'Or none you can see.'),
    });
  }

  #menu() {
    menuSheet(called(this.#profile), personItems(this.#profile, () => this.#load()));
  }

  /**
   * The server hides a blocked person everywhere except in one list.
   *
   * @returns {Promise<object | null>} the person, if blocked
   */
  async #blocked() {
    if (!store.get('person')) return null;
    let cursor = null;
    try {
      do {
        const page = await api.get('/users/me/blocks', { query: { limit: 100, cursor } });
        const found = page.items.find((each) => each.username === this.#username.toLowerCase());
        if (found) return found;
        cursor = page.nextCursor;
      } while (cursor);
    } catch {
      // Without the list, the page reports that the person was not found.
    }
    return null;
  }

  #miss(error, blocked) {
    this.#more.hidden = true;
    this.#forget();
    const shown = blocked
      ? note('block', `You blocked ${called(blocked)}`, 'You can’t see each other.', el('button', {
        type: 'button', class: 'button', onclick: () => unblock(blocked, () => this.#load()),
      }, 'Unblock'))
      : problemNote(error, () => this.#load());
    this.#main.replaceChildren(shown);
  }
}

customElements.define('user-page', UserPage);
