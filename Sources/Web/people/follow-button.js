import { api } from '../app/api.js';
import { el } from '../app/dom.js';
import { inOrder, tellProblem } from '../app/memes.js';
import { Part } from '../app/part.js';
import { to } from '../app/places.js';
import { router } from '../app/router.js';
import { store } from '../app/store.js';
import { called } from '../app/words.js';
import { notify } from '../elements/notice-bar.js';

/** The label of the button: the action, not the state. */
function label({ follows, followedBy }) {
  if (follows) return 'Unfollow';
  return followedBy ? 'Follow back' : 'Follow';
}

/**
 * Follows or unfollows a person. The button changes at once, and reverts if the request fails. A `follow` event with
 * the updated profile bubbles up.
 */
export class FollowButton extends Part {
  #profile;
  #button = el('button', { type: 'button', class: 'button follow', onclick: () => this.#toggle() });

  /** @param {object} profile in the server's format */
  constructor(profile) {
    super();
    this.#profile = profile;
  }

  build() {
    this.append(this.#button);
  }

  connected() {
    this.watch('person', (person) => { this.hidden = person?.username === this.#profile.username; });
    this.#show();
  }

  /** Shows another person, or the same person with new data. */
  show(profile) {
    this.#profile = profile;
    this.hidden = store.get('person')?.username === profile.username;
    this.#show();
  }

  #show() {
    const { viewer } = this.#profile;
    this.#button.textContent = label(viewer);
    this.#button.setAttribute('aria-label', `${label(viewer)}: ${called(this.#profile)}`);
    this.#button.classList.toggle('is-main', !viewer.follows);
  }

  async #toggle() {
    const before = this.#profile;
    if (!store.get('person')) {
      notify('Sign in to follow people.', { action: 'Sign in', run: () => router.go(to.signIn()) });
      return;
    }
    const follows = !before.viewer.follows;
    const after = {
      ...before, viewer: { ...before.viewer, follows },
      counts: { ...before.counts, followers: Math.max(0, before.counts.followers + (follows ? 1 : -1)) },
    };
    this.#become(after);
    try {
      await inOrder(`follow ${before.username}`, { before, after }, () => (follows ? api.put : api.delete)(`/users/${before.username}/follow`),
        (profile) => this.#become(profile));
    } catch (error) {
      tellProblem(error);
    }
  }

  #become(profile) {
    this.show(profile);
    this.dispatchEvent(new CustomEvent('follow', { bubbles: true, detail: profile }));
  }
}

customElements.define('follow-button', FollowButton);
