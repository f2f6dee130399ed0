import { api } from './api.js';
import { owner } from '../offline/owner.js';
import { store } from './store.js';

/**
 * The user's settings. A signed-in user's settings are stored on the server, so that all devices of the user share
 * them. This device also stores a copy for any user, so that it applies at once at the next start.
 */
const key = 'mememe.settings';

/** The default settings. A `null` in `captions` selects the server's default. */
const standard = {
  theme: 'system',
  accessibility: { textScale: 1, reducedMotion: false, highContrast: false },
  captions: { font: null, fill: null, outline: null, outlineWidth: null, size: null, case: null, align: null, layout: null },
  visibility: 'public',
  notifications: { likes: true, comments: true, follows: true },
};

const isObject = (value) => value !== null && typeof value === 'object';

/** Merges `edit` into `base`, member by member. Ignores unknown members. */
function merged(base, edit) {
  return Object.fromEntries(Object.entries(base).map(([name, value]) => {
    if (!isObject(edit) || edit[name] === undefined) return [name, value];
    return [name, isObject(value) ? merged(value, edit[name]) : edit[name]];
  }));
}

function kept() {
  try {
    return merged(standard, JSON.parse(localStorage.getItem(key)));
  } catch {
    return standard;
  }
}

function keep(settings) {
  try {
    localStorage.setItem(key, JSON.stringify(settings));
  } catch {
    // Without storage, the settings last as long as the page.
  }
  store.set('settings', settings);
  window.dispatchEvent(new CustomEvent('appearance', { detail: settings }));
}

/** Changes are sent to the server one at a time, in order. */
let sending = Promise.resolve();
/** Counts the changes. A response that is older than one of them is dropped. */
let changes = 0;

function send(work) {
  const sent = sending.then(work);
  sending = sent.catch(() => {});
  return sent;
}

export const preferences = {
  /** Loads this device's settings into the store, as `settings`. */
  start() {
    store.set('settings', kept());
    window.addEventListener('storage', (event) => {
      if (event.key === key) store.set('settings', kept());
    });
  },

  /** Fetches the signed-in user's settings from the server. */
  async fetch() {
    const [change, who] = [changes, owner()];
    await sending;
    const settings = await api.get('/users/me/settings');
    // Another user may have signed in.
    if (change === changes && who === owner()) keep(merged(standard, settings));
  },

  /** Copies this device's settings to an account that was just created. */
  async adopt() {
    const [change, json] = [++changes, store.get('settings')];
    const settings = await send(() => api.put('/users/me/settings', { json }));
    if (change === changes) keep(merged(standard, settings));
  },

  /**
   * Changes settings at once, and also on the server if the user is signed in.
   *
   * @param {object} edit the changed members of the settings
   * @throws {import('./problem.js').Problem} if the server rejects the change; the old settings then apply again
   */
  async change(edit) {
    const before = store.get('settings');
    keep(merged(before, edit));
    if (!store.get('person')) return;
    const change = ++changes;
    try {
      const settings = await send(() => api.patch('/users/me/settings', { json: edit }));
      // An earlier change may have been rejected.
      if (change === changes) keep(merged(standard, settings));
    } catch (error) {
      // The response to a later change has all settings.
      if (change === changes) await this.fetch().catch(() => keep(before));
      throw error;
    }
  },
};
