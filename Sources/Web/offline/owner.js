import { store } from '../app/store.js';

/**
 * What marks the data of the signed-in user on this device: the ID, because the username can change.
 *
 * @returns {string | null} `null` if the user is signed out
 */
export function owner() {
  const person = store.get('person');
  // Earlier versions stored no ID. The first response of the server has it.
  return person?.id ?? person?.username ?? null;
}

/** Whether data with this mark may be used now: it is the signed-in user's, or was made while signed out. */
export const isOwn = (mark) => mark === null || mark === owner() || mark === store.get('person')?.username;
