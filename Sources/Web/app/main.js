import { deleteTokens } from './delete-tokens.js';
import { live } from './live.js';
import { preferences } from './preferences.js';
import { router } from './router.js';
import { session } from './session.js';
import { unread } from './unread.js';
import { notify } from '../elements/notice-bar.js';
import { offline } from '../offline/start.js';
import { to } from './places.js';

preferences.start();
session.start();
session.addEventListener('ended', () => {
  notify('Your session has ended.', { action: 'Sign in', run: () => router.go(to.signIn()) });
});
await Promise.all([deleteTokens.load(), offline.start()]);
live.start();
unread.start();
await router.start(document.getElementById('pages'));
document.getElementById('splash').remove();
await offline.install();
