import { deleteTokens } from '../app/delete-tokens.js';
import { tellProblem } from '../app/memes.js';
import { store } from '../app/store.js';
import { title } from '../app/words.js';
import { menuSheet } from '../elements/menu-sheet.js';
import { notify } from '../elements/notice-bar.js';
import { claim } from './claims.js';
import { personItems } from './person-menu.js';
import { report } from './report.js';

/**
 * Shows the other actions for a meme that is not the user's own: claim it if it was made in this browser without an
 * account, block its author, report it.
 *
 * @param {() => void} hidden called when the user can no longer see the meme
 */
export function memeMenu(meme, hidden) {
  const { id, author } = meme;
  menuSheet(title(meme), [
    store.get('person') && !author && deleteTokens.of(id)
      && { name: 'Make it mine', icon: 'account', run: () => claimOne(id) },
    ...(author ? personItems(author, hidden) : []),
    { name: 'Report this meme', icon: 'report', run: () => report(`/memes/${id}/reports`, 'Report this meme') },
  ].filter(Boolean));
}

async function claimOne(id) {
  try {
    notify(await claim(id) ? 'The meme is now yours.' : 'Someone else already claimed it.');
  } catch (error) {
    tellProblem(error);
  }
}
