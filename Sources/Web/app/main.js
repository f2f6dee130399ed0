import { deleteTokens } from './delete-tokens.js';
import { live } from './live.js';
import { router } from './router.js';
import { session } from './session.js';

session.start();
await deleteTokens.load();
live.start();
await router.start(document.getElementById('pages'));
