import { api } from '../app/api.js';
import { tellProblem } from '../app/memes.js';
import { store } from '../app/store.js';
import { called } from '../app/words.js';
import { notify } from '../elements/notice-bar.js';
import { decide } from './decide-dialog.js';

/**
 * @typedef {object} Act an action on a report
 * @property {string} name the label of its button
 * @property {string} icon
 * @property {boolean} [isDanger]
 * @property {(report: object) => Promise<{told: string, more?: object, isForAll: boolean} | null>} run returns `null`
 *   if the admin cancels; throws a Problem if the server rejects the action
 */

/** Closes a report, and all other reports on the same subject. */
const close = ({ id }, status, note) => api.patch(`/admin/reports/${id}`, { json: { status, all: true, ...(note && { note }) } });

/** Ignores that the subject is already deleted, because that was the goal. */
const unlessGone = (error) => {
  if (error.status !== 404 && error.status !== 410) throw error;
};

const noteField = 'Note (admins only)';

/** @type {Act} */
const dismiss = {
  name: 'Dismiss', icon: 'close',
  run: async (report) => {
    const note = await decide({
      title: 'Dismiss this report?', text: others(report, 'No action is needed.'), action: 'Dismiss', field: noteField,
    });
    if (note === null) return null;
    await close(report, 'dismissed', note);
    return { told: 'Report dismissed.', isForAll: true };
  },
};

/** @type {Act} */
const resolve = {
  name: 'Resolve', icon: 'check',
  run: async (report) => {
    const note = await decide({
      title: 'Mark as resolved?', text: others(report, 'Action was taken.'), action: 'Resolve', field: noteField,
    });
    if (note === null) return null;
    await close(report, 'resolved', note);
    return { told: 'Report resolved.', isForAll: true };
  },
};

/** @type {Act} */
const deleteMeme = {
  name: 'Delete meme', icon: 'delete', isDanger: true,
  run: async (report) => {
    const { id } = report.subject;
    const note = await decide({
      title: 'Delete this meme?', text: others(report, 'It goes to the trash. Only admins can restore it.'),
      action: 'Delete meme', field: noteField, isDanger: true,
    });
    if (note === null) return null;
    await api.delete(`/memes/${id}`).catch(unlessGone);
    store.tell({ kind: 'delete', id });
    await close(report, 'resolved', note);
    const run = () => api.post(`/memes/${id}/restore`).then((meme) => {
      store.tell({ kind: 'upsert', meme });
      notify('Meme restored. The report stays resolved.');
    }).catch(tellProblem);
    return { told: 'Meme deleted, report resolved.', more: { action: 'Undo', run, undoes: true }, isForAll: true };
  },
};

/** @type {Act} */
const deleteComment = {
  name: 'Delete comment', icon: 'delete', isDanger: true,
  run: async (report) => {
    const note = await decide({
      title: 'Delete this comment?', text: others(report, 'This can’t be undone.'), action: 'Delete comment', field: noteField,
      isDanger: true,
    });
    if (note === null) return null;
    await api.delete(`/comments/${report.subject.id}`).catch(unlessGone);
    await close(report, 'resolved', note);
    return { told: 'Comment deleted, report resolved.', isForAll: true };
  },
};

/** @type {Act} */
const suspend = {
  name: 'Suspend', icon: 'block', isDanger: true,
  run: async (report) => {
    const { author } = report.subject;
    const reason = await decide({
      title: `Suspend ${called(author)}?`, action: 'Suspend', field: 'Reason (admins only)', isDanger: true,
      text: others(report, 'They can only sign out, export their data and delete their account. Their memes stay.'),
    });
    if (reason === null) return null;
    const path = `/admin/users/${author.username}/suspension`;
    await api.put(path, { json: reason ? { reason } : {} });
    await close(report, 'resolved', reason);
    const run = () => api.delete(path).then(() => notify(`${called(author)} unsuspended.`)).catch(tellProblem);
    return { told: `${called(author)} suspended, report resolved.`, more: { action: 'Undo', run, undoes: true }, isForAll: true };
  },
};

/** @type {Act} */
const reopen = {
  name: 'Reopen', icon: 'refresh',
  run: async ({ id }) => {
    await api.patch(`/admin/reports/${id}`, { json: { status: 'open' } });
    return { told: 'Report reopened.', isForAll: false };
  },
};

/** The actions for a report in its current state. @returns {Act[]} */
export function acts({ status, subject }) {
  if (status !== 'open') return [reopen];
  const { kind, gone, author } = subject;
  const mayBeSuspended = author && author.username !== store.get('person')?.username;
  return [
    kind === 'meme' && !gone && deleteMeme, kind === 'comment' && !gone && deleteComment, mayBeSuspended && suspend, resolve, dismiss,
  ].filter(Boolean);
}

function others({ openOnSubject }, text) {
  const more = openOnSubject - 1;
  return more > 0 ? `${text} This also closes ${more === 1 ? '1 other report' : `${more} other reports`} on the same item.` : text;
}
