import { api } from '../app/api.js';
import { el, style } from '../app/dom.js';
import { tellProblem } from '../app/memes.js';
import { Page } from '../app/page.js';
import { to } from '../app/places.js';
import { store } from '../app/store.js';
import { called } from '../app/words.js';
import { notify } from '../elements/notice-bar.js';
import { note } from '../elements/problem-note.js';
import { backLink } from '../elements/tab-bar.js';
import { PersonList } from './person-list.js';
import { tellPeople } from './person-menu.js';

await style('styles/cards.css', 'people/people.css');

const findPeople = () => el('a', { href: to.people(), class: 'button is-main' }, 'Find people');

/** The lists of people: their titles, their paths, and the notes for empty lists. */
const kinds = {
  followers: ({ username }) => ({
    title: 'Followers', path: `/users/${username}/followers`, from: to.user(username), none: 'No followers yet.' }),
  following: ({ username }) => ({
    title: 'Following', path: `/users/${username}/following`, from: to.user(username), none: 'Not following anyone yet.' }),
  likes: ({ id }) => ({ title: 'Likes', path: `/memes/${id}/likes`, from: to.meme(id), none: 'No likes yet.' }),
  friends: () => ({
    title: 'Friends', path: '/users/me/friends', from: to.you(), more: findPeople,
    none: 'When you and someone follow each other, you’re friends and can see each other’s friends-only memes.' }),
  blocks: () => ({
    title: 'Blocked people', path: '/users/me/blocks', from: to.settings(), does: unblockButton,
    none: 'You haven’t blocked anyone. Blocked people can’t see you, and you don’t see them.' }),
};

/** A button that unblocks a person and removes the person from the list. */
function unblockButton(profile) {
  return el('button', {
    type: 'button', class: 'button follow', 'aria-label': `Unblock ${called(profile)}`, onclick: async (event) => {
      const list = event.target.closest('person-list');
      try {
        await api.delete(`/users/${profile.username}/block`);
      } catch (error) {
        return tellProblem(error);
      }
      tellPeople();
      list.remove(profile.username);
      list.closest('person-list-page').heading.focus();
      notify(`${called(profile)} unblocked.`);
    },
  }, 'Unblock');
}

/** A list of people: followers, followed people, likes of a meme, friends, or blocked people. */
class PersonListPage extends Page {
  #header = el('header', { class: 'bar' });
  #title = el('h1', { tabindex: -1 });
  #main = el('main', { class: 'column' });
  #parameters = {};

  build() {
    this.append(this.#header, this.#main);
  }

  connected() {
    let username = store.get('person')?.username;
    this.watch('person', (person) => {
      if (person?.username === username) return;
      username = person?.username;
      this.#show();
    });
  }

  enter(parameters) {
    this.#parameters = parameters;
    this.#show();
  }

  #show() {
    const { view, list } = this.#parameters;
    const kind = kinds[view ?? list]?.(encoded(this.#parameters));
    if (!kind) {
      this.#title.textContent = 'Page not found';
      this.#header.replaceChildren(backLink(to.table(), 'Sent Memes'), this.#title);
      return;
    }
    const { title, path, from, none, more, does } = kind;
    this.#title.textContent = title;
    this.#header.replaceChildren(backLink(from, 'Back'), this.#title);
    this.#main.replaceChildren(new PersonList(path, { does, empty: () => note('friends', 'No one yet', none, ...(more ? [more()] : [])) }));
  }
}

/** Parameters of the address are decoded. Another address needs them encoded. */
const encoded = ({ username = '', id = '' }) => ({ username: encodeURIComponent(username), id: encodeURIComponent(id) });

customElements.define('person-list-page', PersonListPage);
