import { counted } from '../app/words.js';
import { ask } from '../elements/ask-dialog.js';
import { outbox } from './outbox.js';

/**
 * Whether somebody may sign out. What is not sent yet is on this device alone, and nobody else is to find it there: it is sent
 * before, and where that cannot be, people say whether they can do without it.
 *
 * @returns {Promise<boolean>}
 */
export async function mayLeave() {
  await outbox.flush();
  const { length } = outbox.entries;
  if (length === 0) return true;
  return ask({
    title: `Discard ${counted(length, 'meme')}?`,
    text: `${length === 1 ? 'One that is' : 'Those that are'} not sent yet ${length === 1 ? 'is' : 'are'} on this device alone, and go${length === 1 ? 'es' : ''} when you sign out.`,
    action: 'Sign out',
  });
}
