import { deleteTokens } from '../app/delete-tokens.js';
import { tellProblem } from '../app/memes.js';
import { store } from '../app/store.js';
import { title } from '../app/words.js';
import { menuSheet } from '../elements/menu-sheet.js';
import { notify } from '../elements/notice-bar.js';
import { claim } from './claims.js';
import { personItems } from './person-menu.js';
import { report } from './report.js';
import { saveMeme } from './save-template.js';

/**
 * Shows the other actions for a meme: save it as a template, claim it if it was made in this browser without an account,
 * block its author, report it. Users cannot block themselves or report their own memes.
 *
 * @param {() => void} hidden called when the user can no longer see the meme
 */
export function memeMenu(meme, hidden) {
  const { id, author } = meme;
  const person = store.get('person');
  const isMine = person !== null && author?.username === person.username;
  menuSheet(title(meme), [
    person && (isMine || meme.visibility === 'public')
      && { name: 'Save as template', icon: 'templates', run: () => saveMeme(meme) },
    person && !author && deleteTokens.of(id)
      && { name: 'Make it mine', icon: 'account', run: () => claimOne(id) },
    ...(author && !isMine ? personItems(author, hidden) : []),
    !isMine && { name: 'Report this meme', icon: 'report', run: () => report(`/memes/${id}/reports`, 'Report this meme') },
  ].filter(Boolean));
}

async function claimOne(id) {
  try {
    notify(await claim(id) ? 'The meme is now yours.' : 'Someone else already claimed it.');
  } catch (error) {
    tellProblem(error);
  }
}
