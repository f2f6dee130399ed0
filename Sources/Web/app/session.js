import { api, calls } from './api.js';
import { preferences } from './preferences.js';
import { Problem } from './problem.js';
import { store } from './store.js';
import { outbox } from '../offline/outbox.js';

/**
 * The signed-in user. The session itself is a cookie that scripts cannot read. This key stores the user's public data,
 * which lets the app show the right list at once and send no requests if no user is signed in. It grants no access.
 */
const key = 'mememe.person';

function remember(person) {
  // An unchanged person causes no event.
  if (JSON.stringify(person) === JSON.stringify(store.get('person'))) return;
  try {
    if (person) localStorage.setItem(key, JSON.stringify(person));
    else localStorage.removeItem(key);
  } catch {
    // Without storage, the app forgets the user at the next reload.
  }
  store.set('person', person);
}

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** The fields of an account that the whole app needs. */
function facts({ id, username, displayName, avatarUrl, role, emailConfirmed }) {
  return { id, username, displayName, avatarUrl, role, emailConfirmed };
}

/** Dispatches `ended` when the server reports that the session is over. */
class Session extends EventTarget {
  /** Restores the session that the browser may have. */
  start() {
    store.set('person', remembered());
    calls.addEventListener('unauthorized', () => this.#lost());
    // The user signed in or out in another tab.
    window.addEventListener('storage', (event) => {
      if (event.key === key) store.set('person', remembered());
    });
    if (!store.get('person')) return;
    this.refresh().catch(() => {});
    preferences.fetch().catch(() => {});
  }

  /**
   * Fetches the signed-in account; its name or picture may have changed.
   *
   * @returns {Promise<object>} the whole account
   */
  async refresh() {
    const user = await api.get('/users/me');
    this.changed(user);
    return user;
  }

  /** Applies account data from a response. */
  changed(user) {
    remember(facts(user));
  }

  /**
   * @param {string} username the username or the email
   * @param {string} [code] of the second factor
   */
  async signIn(username, password, code) {
    const { user } = await api.post('/sessions', { json: { username, password, code, cookie: true } });
    remember(facts(user));
    await preferences.fetch().catch(() => {});
  }

  /**
   * Creates an account and signs in.
   *
   * @param {{username: string, email: string, password: string, displayName?: string}} who
   * @param {string} key the same for every attempt
   */
  async register(who, key) {
    await api.post('/users', { json: who, key });
    const { user } = await api.post('/sessions', {
      json: { username: who.username, password: who.password, cookie: true },
    });
    remember(facts(user));
    await preferences.adopt().catch(() => {});
  }

  /**
   * Ends the session on this device and on the server, and deletes the session's data from this device.
   *
   * @returns {Promise<boolean>} `false` if the user decides to stay because of unsent memes
   */
  async signOut() {
    const { mayLeave } = await import('../offline/leaving.js').catch(() => {
      throw new Problem('unloaded', { detail: 'A part of the app couldn’t be loaded. Reload the page.' });
    });
    if (!await mayLeave()) return false;
    try {
      await api.delete('/sessions/current');
    } catch (error) {
      // The session is already over.
      if (error.status !== 401) throw error;
    }
    this.forget();
    return true;
  }

  /** Clears the signed-in user on this device. The server has already ended the session. */
  forget() {
    outbox.empty();
    remember(null);
  }

  #lost() {
    if (!store.get('person')) return;
    remember(null);
    this.dispatchEvent(new Event('ended'));
  }
}

export const session = new Session();
