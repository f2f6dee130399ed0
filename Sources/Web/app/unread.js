import { api } from './api.js';
import { live } from './live.js';
import { store } from './store.js';

/** The polling interval while the tab is visible, in seconds. Polling is cheap: an unchanged response has no body. */
const pause = 60;

let timer = 0;

async function ask() {
  clearTimeout(timer);
  const person = store.get('person');
  if (!person || document.hidden) return;
  timer = setTimeout(ask, pause * 1000);
  try {
    const { unread } = await api.get('/notifications', { query: { limit: 1 } });
    // The user may have signed out since.
    if (person.username === store.get('person')?.username) store.set('unread', unread);
  } catch {
    // The notifications page shows the problem.
  }
}

/** Keeps the number of unread notifications in the store, as `unread`. */
export const unread = {
  start() {
    store.set('unread', 0);
    let username;
    store.addEventListener('person', () => {
      if (store.get('person')?.username === username) return;
      username = store.get('person')?.username;
      store.set('unread', 0);
      ask();
    });
    live.addEventListener('refresh', ask);
    username = store.get('person')?.username;
    ask();
  },
};
