import { el, icon } from '../app/dom.js';
import { to } from '../app/places.js';
import { called } from '../app/words.js';
import { FollowButton } from './follow-button.js';

const noAvatar = () => el('span', { class: 'avatar no-avatar' }, icon('account'));

/**
 * A person in a list: picture, names and button.
 *
 * @param {object} profile
 * @param {(profile: object) => Node} [does] creates the button at the end
 */
export function personRow(profile, does = (each) => new FollowButton(each)) {
  const { username, bio, avatarUrl, viewer } = profile;
  return el('li', { class: 'person', 'data-username': username },
    el('a', { class: 'person-link', href: to.user(username) },
      // The server hides the picture of a blocked person.
      el('img', {
        class: 'avatar', src: avatarUrl, alt: '', width: 48, height: 48, loading: 'lazy',
        onerror: (event) => event.target.replaceWith(noAvatar()),
      }),
      el('span', { class: 'person-words' },
        el('span', { class: 'person-name' }, el('bdi', {}, called(profile))),
        el('span', { class: 'person-facts' }, el('span', { dir: 'ltr' }, `@${username}`),
          viewer.followedBy && ' · follows you'),
        bio && el('span', { class: 'person-bio' }, el('bdi', {}, bio)))),
    does(profile));
}
