import { counted } from '../app/words.js';
import { ask } from '../elements/ask-dialog.js';
import { outbox } from './outbox.js';

/**
 * Whether the user may sign out. Unsent memes exist only on this device, and other users of the device must not find
 * them. They are sent first. If that fails, the user decides whether to discard them.
 *
 * @returns {Promise<boolean>}
 */
export async function mayLeave() {
  await outbox.flush();
  const { length } = outbox.entries;
  if (length === 0) return true;
  return ask({
    title: `Discard ${counted(length, 'meme')}?`,
    text: length === 1 ? 'It hasn’t been sent yet. Signing out deletes it.' : 'They haven’t been sent yet. Signing out deletes them.',
    action: 'Sign out',
  });
}
