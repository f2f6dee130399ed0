import { deleteTokens } from './delete-tokens.js';
import { live } from './live.js';
import { router } from './router.js';
import { session } from './session.js';
import { offline } from '../offline/start.js';

session.start();
await Promise.all([deleteTokens.load(), offline.start()]);
live.start();
const shown = router.start(document.getElementById('pages'));
offline.install(shown);
await shown;
