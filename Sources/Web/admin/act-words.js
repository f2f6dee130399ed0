import { el } from '../app/dom.js';
import { to } from '../app/places.js';
import { counted, moment } from '../app/words.js';
import { bytes } from './amounts.js';

/** The texts of acts by name: an icon, the words before the subject, and the kind of subject. */
const words = {
  'edit-meme': ['edit', 'edited', 'meme'],
  'delete-meme': ['delete', 'deleted', 'meme'],
  'restore-meme': ['refresh', 'restored', 'meme'],
  'delete-memes': ['delete', 'deleted', 'memes'],
  'edit-template': ['edit', 'edited a template', 'id'],
  'delete-template': ['delete', 'deleted a template', 'id'],
  'delete-templates': ['delete', 'deleted', 'templates'],
  'delete-comment': ['delete', 'deleted a comment', 'id'],
  suspend: ['block', 'suspended', 'person'],
  unsuspend: ['account', 'unsuspended', 'person'],
  'create-person': ['account', 'created the account', 'person'],
  'change-role': ['admin', 'changed the role of', 'person'],
  'change-role-by-sign-in': ['admin', 'got another role by signing in:', 'person'],
  'change-quota': ['admin', 'changed the storage quota of', 'person'],
  'reset-password': ['link', 'created a password link for', 'person'],
  'turn-off-second-factor': ['key', 'turned off the second factor of', 'person'],
  'delete-person': ['delete', 'deleted the account', 'person'],
  'create-invitation': ['mail', 'created an invitation', 'id'],
  'delete-invitation': ['delete', 'deleted an invitation', 'id'],
  'resolve-report': ['check', 'resolved a report', 'id'],
  'dismiss-report': ['close', 'dismissed a report', 'id'],
  'reopen-report': ['report', 'reopened a report', 'id'],
  'create-backup': ['backup', 'created a backup', 'id'],
  'download-backup': ['download', 'downloaded a backup', 'id'],
  'delete-backup': ['delete', 'deleted a backup', 'id'],
};

export const symbolOf = ({ act }) => words[act]?.[0] ?? 'info';

/** The person who acted. */
export function actorOf({ actor: { kind, username } }) {
  if (username !== null) return username;
  return kind === 'command' ? 'Command line' : 'Admin token';
}

/** The act, as the words after the actor's name. An unknown act of a newer server is shown by its own name. */
export function sentence({ act, subject, details }) {
  const [, verb, kind] = words[act] ?? ['', act, 'id'];
  if (kind === 'memes') return [`${verb} ${counted(details.count ?? 0, 'meme')}`];
  if (kind === 'templates') return [`${verb} ${counted(details.count ?? 0, 'template')}`];
  if (kind === 'meme') return [`${verb} `, el('a', { href: to.meme(subject) }, 'a meme')];
  if (kind === 'person') return [`${verb} `, el('bdi', { class: 'act-person' }, subject)];
  return [verb];
}

/** Further details of the act, one per line. */
export function details({ act, details: { reason, role, quotaBytes, author, anonymous, after, before, count, note } }) {
  return [
    reason && `Reason: ${reason}`,
    role && (act.startsWith('change-role') ? `Now: ${role}` : `Role: ${role}`),
    act === 'change-quota' && (quotaBytes === undefined ? 'Now: the limit of all accounts' : `Now: ${bytes(quotaBytes)}`),
    author && `Of ${author}`,
    anonymous && 'Without an account',
    after && `From ${moment(after)}`,
    before && `Before ${moment(before)}`,
    count > 1 && !act.startsWith('delete-') && counted(count, 'report'),
    note && `Note: ${note}`,
  ].filter(Boolean);
}
