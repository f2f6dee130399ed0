import { api } from './api.js';
import { store } from './store.js';

/**
 * What people have set: on the server for who is signed in, so that it is the same on all their devices, and on this device for
 * who is not. What is on this device shows at once at the next start, whoever that is.
 */
const key = 'mememe.settings';

/** As where nobody chooses. What is `null` of `captions` is as the server draws it. */
const standard = {
  theme: 'system',
  accessibility: { textScale: 1, reducedMotion: false, highContrast: false },
  captions: { font: null, fill: null, outline: null, outlineWidth: null, size: null, case: null, align: null, layout: null },
  visibility: 'public',
  notifications: { likes: true, comments: true, follows: true },
};

const isObject = (value) => value !== null && typeof value === 'object';

/** One over the other, member by member; those that are not known are left out. */
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
    // It holds as long as the page is open.
  }
  store.set('settings', settings);
  window.dispatchEvent(new CustomEvent('appearance', { detail: settings }));
}

/** Changes reach the server one after the other, in the order in which they were made. */
let sending = Promise.resolve();

export const preferences = {
  /** Takes up what is on this device; the store has it as `settings` from then on. */
  start() {
    store.set('settings', kept());
    window.addEventListener('storage', (event) => {
      if (event.key === key) store.set('settings', kept());
    });
  },

  /** Asks the server for those of whoever is signed in. */
  async fetch() {
    keep(merged(standard, await api.get('/users/me/settings')));
  },

  /** Gives an account that was made right now what was chosen on this device before. */
  async adopt() {
    keep(merged(standard, await api.put('/users/me/settings', { json: store.get('settings') })));
  },

  /**
   * Changes something at once, and for who is signed in on the server.
   *
   * @param {object} edit members as those of the settings
   * @throws {import('./problem.js').Problem} where the server does not take it; then it is as it was
   */
  async change(edit) {
    const before = store.get('settings');
    keep(merged(before, edit));
    if (!store.get('person')) return;
    const sent = sending.then(() => api.patch('/users/me/settings', { json: edit }));
    sending = sent.catch(() => {});
    try {
      await sent;
    } catch (error) {
      // Something else may have been changed since.
      await this.fetch().catch(() => keep(before));
      throw error;
    }
  },
};
