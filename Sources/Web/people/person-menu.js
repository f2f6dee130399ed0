import { api } from '../app/api.js';
import { live } from '../app/live.js';
import { tellProblem } from '../app/memes.js';
import { store } from '../app/store.js';
import { called } from '../app/words.js';
import { ask } from '../elements/ask-dialog.js';
import { notify } from '../elements/notice-bar.js';
import { report } from './report.js';

/**
 * The menu items for a person: block and report. There are none for the user's own profile.
 *
 * @param {{username: string, displayName: string | null}} person
 * @param {() => void} [blocked] called when the person is blocked
 */
export function personItems(person, blocked = () => {}) {
  const viewer = store.get('person');
  if (viewer?.username === person.username) return [];
  return [
    viewer && { name: `Block ${called(person)}`, icon: 'block', isDangerous: true, run: () => block(person, blocked) },
    { name: `Report ${called(person)}`, icon: 'report', run: () => report(`/users/${person.username}/reports`, `Report ${called(person)}`) },
  ].filter(Boolean);
}

async function block(person, blocked) {
  const isSure = await ask({
    title: `Block ${called(person)}?`,
    text: 'You’ll unfollow each other and won’t see each other. They won’t be notified.',
    action: 'Block',
  });
  if (!isSure) return;
  try {
    await api.put(`/users/${person.username}/block`);
  } catch (error) {
    return tellProblem(error);
  }
  tellPeople(person.username);
  notify(`${called(person)} blocked.`, { action: 'Undo', undoes: true, run: () => unblock(person, blocked) });
  blocked();
}

/** @param {() => void} done called when the person is no longer blocked */
export async function unblock(person, done) {
  try {
    await api.delete(`/users/${person.username}/block`);
  } catch (error) {
    return tellProblem(error);
  }
  tellPeople();
  notify(`${called(person)} unblocked.`);
  done();
}

/**
 * Reloads all lists after a person was blocked or unblocked.
 *
 * @param {string | null} [hidden] the username of the blocked person
 */
export function tellPeople(hidden = null) {
  store.tell({ kind: 'people', hidden });
  live.refresh();
}
