import { el, icon } from '../app/dom.js';
import { mark, mayDelete } from '../app/memes.js';
import { to } from '../app/places.js';
import { router } from '../app/router.js';
import { store } from '../app/store.js';
import { ago, called, count, counted, moment } from '../app/words.js';
import { notify } from '../elements/notice-bar.js';
import { shareMeme } from '../share/share.js';

const audiences = { friends: 'For friends', private: 'Only for you' };

/** The author, date and visibility of a meme, and the meme whose picture it has. */
export function memeFacts({ author, createdAt, updatedAt, version, visibility, remixOf }) {
  return el('p', { class: 'meme-facts' },
    author && el('img', { src: author.avatarUrl, alt: '', width: 32, height: 32 }),
    el('span', {},
      author
        ? el('a', { class: 'meme-author', href: to.user(author.username), dir: 'auto' }, called(author))
        : el('span', { class: 'meme-author' }, 'Anonymous'), ' ',
      el('time', { datetime: createdAt, title: moment(createdAt) }, ago(createdAt)),
      version > 1 && el('span', { title: moment(updatedAt) }, ' · edited'),
      audiences[visibility] && ` · ${audiences[visibility]}`,
      remixOf && ' · ', remixOf && el('a', { href: to.meme(remixOf) }, 'Remix of another meme')));
}

/** The tags of a meme, each linked to the memes with it. `false` if there are none. */
export const memeTags = ({ tags = [] }) => tags.length > 0 && el('ul', { class: 'meme-tags', 'aria-label': 'Tags', role: 'list' },
  ...tags.map((tag) => el('li', {}, el('a', { href: to.tag(tag), dir: 'auto' }, `#${tag}`))));

/** The number of likes, linked to the list of users. `false` if there are no likes. */
export const memeLikes = ({ id, counts }) => counts.likes > 0 && el('p', {},
  el('a', { class: 'meme-likes', href: to.likes(id) }, `Liked by ${counted(counts.likes, 'person', 'people')}`));

/** The actions for a meme. @param {() => void} remove */
export function memeActions(meme, remove) {
  const { counts, viewer } = meme;
  return el('ul', { class: 'meme-actions', 'aria-label': 'Actions' },
    item(toggle(meme, 'like', 'Like', counts.likes, viewer.liked)),
    item(toggle(meme, 'favorite', 'Favorite', counts.favorites, viewer.favorited)),
    item(button('share', 'Share', counts.shares, () => shareMeme(meme))),
    mayDelete(meme) && item(button('delete', 'Delete', 0, remove)));
}

const item = (child) => el('li', {}, child);

function button(name, label, number, run) {
  return el('button', { type: 'button', class: `meme-action is-${name}`, 'data-action': name, onclick: run },
    icon(name), el('span', {}, label), number > 0 && el('span', { class: 'meme-count' }, count(number)));
}

function toggle(meme, kind, label, number, isOn) {
  const element = button(kind, label, number, () => {
    if (store.get('person')) mark(meme, kind, !isOn);
    else {
      notify(kind === 'like' ? 'Sign in to like memes.' : 'Sign in to keep favorites.', {
        action: 'Sign in', run: () => router.go(to.signIn()),
      });
    }
  });
  element.setAttribute('aria-pressed', String(isOn));
  element.classList.toggle('is-on', isOn);
  return element;
}
