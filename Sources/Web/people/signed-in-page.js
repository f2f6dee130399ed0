import { el } from '../app/dom.js';
import { address } from '../app/api.js';
import { placeAt, to } from '../app/places.js';
import { preferences } from '../app/preferences.js';
import { router } from '../app/router.js';
import { session } from '../app/session.js';
import { problemNote } from '../elements/problem-note.js';
import { offerClaims } from './claims.js';
import { GuestPage } from './guest-page.js';

/** The end of a single sign-on: learns who has signed in, and opens the page whose path is in the fragment. */
class SignedInPage extends GuestPage {
  #place = el('div', { class: 'guest-place', 'aria-live': 'polite' });

  build() {
    this.card('Signing in…', this.#place);
  }

  enter() {
    this.#open(location.hash.slice(1));
  }

  async #open(path) {
    try {
      await session.refresh();
    } catch (error) {
      this.#place.replaceChildren(error.status === 401
        ? el('a', { href: to.signIn(), class: 'button is-main is-wide' }, 'Sign in')
        : problemNote(error, () => this.#open(path)));
      return;
    }
    await preferences.fetch().catch(() => {});
    const page = path.startsWith('/') ? address(path) : to.table();
    const url = new URL(page, location.href);
    await router.go(placeAt(url) ? page : to.table(), { replacing: true });
    offerClaims();
  }
}

customElements.define('signed-in-page', SignedInPage);
