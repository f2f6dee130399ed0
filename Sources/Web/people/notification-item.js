import { el, icon } from '../app/dom.js';
import { to } from '../app/places.js';
import { store } from '../app/store.js';
import { ago, called, counted, moment } from '../app/words.js';

const symbols = { like: 'like', comment: 'comment', follow: 'account' };

/** "Bob", "Bob and Eve", "Bob and 4 others"; "5 people" if the names are hidden. Each name has its own direction. */
function who(actors, count) {
  if (actors.length === 0) return [count === 1 ? 'Someone' : `${count} people`];
  const [first, second] = actors.map((actor) => el('bdi', { class: 'told-name' }, called(actor)));
  if (count === 1) return [first];
  return [first, ' and ', count === 2 && second ? second : counted(count - 1, 'other')];
}

/** The sentence. It states the number of comments, not of their authors. */
function sentence({ kind, count, actors }) {
  switch (kind) {
    case 'like': return [...who(actors, count), ' liked your meme.'];
    case 'follow': return [...who(actors, count), ' followed you.'];
    default: return [
      ...who(actors, Math.max(actors.length, 1)),
      count > actors.length ? ` wrote ${counted(count, 'comment')} on your meme.` : ' commented on your meme.'];
  }
}

/** Identifies a group of actions. Its ID changes with each new action. */
export const groupKey = ({ kind, meme, createdAt }) => [kind, meme?.id, createdAt].join();

/** The list item of a notification, which groups actions of the same kind. */
export function notificationItem(notification) {
  const { kind, read, actors, meme, comment, updatedAt } = notification;
  const href = meme ? to.meme(meme.id)
    : actors.length === 1 ? to.user(actors[0].username) : to.user(store.get('person').username, 'followers');
  const content = [
    el('span', { class: 'told-faces' },
      ...actors.slice(0, 2).map((actor) => el('img', { class: 'avatar', src: actor.avatarUrl, alt: '', width: 40, height: 40, loading: 'lazy' })),
      el('span', { class: `told-kind is-${kind}` }, icon(symbols[kind]))),
    el('span', { class: 'told-words' },
      !read && el('span', { class: 'only-read' }, 'New: '),
      el('span', {}, ...sentence(notification)),
      comment && el('span', { class: 'told-comment', dir: 'auto' }, `“${comment.text}”`),
      el('time', { class: 'is-quiet', datetime: updatedAt, title: moment(updatedAt) }, ago(updatedAt))),
    meme && el('img', { class: 'told-meme', src: meme.thumbnail.url, alt: meme.altText || 'Meme', width: 48, height: 48, loading: 'lazy' }),
  ];
  return el('li', { class: read ? 'told' : 'told is-new', 'data-group': groupKey(notification), 'data-at': updatedAt },
    el('a', { class: 'told-link', href }, ...content));
}
