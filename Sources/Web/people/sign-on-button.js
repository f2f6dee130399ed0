import { base, el } from '../app/dom.js';
import { placeAt, signOnName, to } from '../app/places.js';

/** The path of the page on whose address the sign-in is shown, for the server; `undefined` for the first page. */
function pageHere() {
  const isOwnPlace = placeAt(new URL(location.href))?.place.isForGuests;
  const path = location.pathname.slice(base.length);
  return isOwnPlace || !path.startsWith('/app/') ? undefined : path;
}

/**
 * The button that signs in by the provider of the server. It leaves the app: the provider has its own page.
 *
 * @param {() => string} [invitation] returns the code of an invitation, for a new account
 * @returns {HTMLElement | null} `null` if the server has no provider
 */
export function signOnButton(invitation = () => '') {
  if (!signOnName) return null;
  return el('button', {
    type: 'button', class: 'button is-wide',
    onclick: () => location.assign(to.signOn(pageHere(), invitation() || undefined)),
  }, `Sign in with ${signOnName}`);
}
