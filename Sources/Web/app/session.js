import { api, calls } from './api.js';
import { preferences } from './preferences.js';
import { Problem } from './problem.js';
import { store } from './store.js';
import { outbox } from '../offline/outbox.js';

/**
 * Who is signed in. The session itself is a cookie that no script can read; what is kept here is who it is of, to show the
 * right list at once and to ask nothing where nobody is signed in. It opens nothing.
 */
const key = 'mememe.person';

function remember(person) {
  // Who is asked for anew and is the same changes nothing.
  if (JSON.stringify(person) === JSON.stringify(store.get('person'))) return;
  try {
    if (person) localStorage.setItem(key, JSON.stringify(person));
    else localStorage.removeItem(key);
  } catch {
    // Without a memory it is asked for anew after a reload.
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

/** What of a person the app has to know everywhere. */
function facts({ username, displayName, avatarUrl, role }) {
  return { username, displayName, avatarUrl, role };
}

/** Tells by an event `ended` that the session is over though nobody ended it here. */
class Session extends EventTarget {
  /** Takes up the session that the browser may have. */
  start() {
    store.set('person', remembered());
    calls.addEventListener('unauthorized', () => this.#lost());
    // Somebody signed in or out in another tab.
    window.addEventListener('storage', (event) => {
      if (event.key === key) store.set('person', remembered());
    });
    if (!store.get('person')) return;
    this.refresh().catch(() => {});
    preferences.fetch().catch(() => {});
  }

  /** Asks who is signed in: the name or the picture may have changed. @returns {Promise<object>} the whole account */
  async refresh() {
    const user = await api.get('/users/me');
    this.changed(user);
    return user;
  }

  /** Takes up what the server said about the account. */
  changed(user) {
    remember(facts(user));
  }

  /** @param {string} username or the email */
  async signIn(username, password) {
    const { user } = await api.post('/sessions', { json: { username, password, cookie: true } });
    remember(facts(user));
    await preferences.fetch().catch(() => {});
  }

  /**
   * Makes an account, and signs in.
   *
   * @param {{username: string, email: string, password: string, displayName?: string}} who
   * @param {string} key the same for every try
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
   * Ends the session here and on the server, and with it what this device has of it.
   *
   * @returns {Promise<boolean>} `false` where somebody rather stays, for memes that are not sent yet
   */
  async signOut() {
    const { mayLeave } = await import('../offline/leaving.js').catch(() => {
      throw Problem.unanswered();
    });
    if (!await mayLeave()) return false;
    try {
      await api.delete('/sessions/current');
    } catch (error) {
      // Over is over.
      if (error.status !== 401) throw error;
    }
    this.forget();
    return true;
  }

  /** Nobody is signed in any more, which the server knows already. */
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
