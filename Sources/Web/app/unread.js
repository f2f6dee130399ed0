import { api } from './api.js';
import { live } from './live.js';
import { store } from './store.js';

/** How often is asked while somebody looks, in seconds: nothing is pushed, and an answer that says nothing new has no body. */
const pause = 60;

let timer = 0;

async function ask() {
  clearTimeout(timer);
  if (!store.get('person') || document.hidden) return;
  timer = setTimeout(ask, pause * 1000);
  try {
    store.set('unread', (await api.get('/notifications', { query: { limit: 1 } })).unread);
  } catch {
    // Whoever wants to read them is told what is wrong.
  }
}

/** How many notifications wait, as the store's `unread`: what others did, of which nothing else tells. */
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
