import { api, calls } from './api.js';
import { store } from './store.js';

/**
 * Who is signed in. The session itself is a cookie that no script can read; what is kept here is who it is of, to show the
 * right list at once and to ask nothing where nobody is signed in. It opens nothing.
 */
const key = 'mememe.person';

function remember(person) {
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
function facts({ username, displayName, avatarUrl }) {
  return { username, displayName, avatarUrl };
}

export const session = {
  /** Takes up the session that the browser may have. */
  start() {
    store.set('person', remembered());
    calls.addEventListener('unauthorized', () => remember(null));
    // Somebody signed in or out in another tab.
    window.addEventListener('storage', (event) => {
      if (event.key === key) store.set('person', remembered());
    });
    if (store.get('person')) this.refresh().catch(() => {});
  },

  /** Asks who is signed in: the name or the picture may have changed. */
  async refresh() {
    remember(facts(await api.get('/users/me')));
  },

  /** @param {string} username or the email */
  async signIn(username, password) {
    const { user } = await api.post('/sessions', { json: { username, password, cookie: true } });
    remember(facts(user));
  },

  async signOut() {
    await api.delete('/sessions/current');
    remember(null);
  },
};
