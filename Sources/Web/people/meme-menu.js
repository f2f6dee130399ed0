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
 * What else can be done with a meme that is not one's own: claim it where it was made here without an account, block who made
 * it, report.
 *
 * @param {() => void} hidden called when the viewer does not see it any more
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
    notify(await claim(id) ? 'The meme is yours now.' : 'Somebody else has it by now.');
  } catch (error) {
    tellProblem(error);
  }
}
