import { el, icon } from '../app/dom.js';
import { ago, moment } from '../app/words.js';
import { bytes, exactly } from './amounts.js';

const moments = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const doing = { copying: 'Copying', verifying: 'Verifying' };

/** A backup's state and actions. @param {() => void} remove deletes the backup, or cancels it if it is running */
export function backupRow(backup, remove) {
  const { state, createdAt, url } = backup;
  const name = nameOf(backup);
  const isDone = !doing[state];
  const verb = isDone ? 'Delete' : 'Stop';
  return el('li', { class: `backup is-${state}`, tabindex: -1 },
    icon(state === 'failed' ? 'problem' : state === 'complete' ? 'check' : 'waiting'),
    el('div', { class: 'backup-words' },
      el('time', { class: 'backup-when', datetime: createdAt }, moments.format(new Date(createdAt))),
      isDone ? el('p', { class: 'backup-facts' }, ...facts(backup)) : progress(backup)),
    el('div', { class: 'backup-acts' },
      url && el('a', { class: 'icon-button', href: url, download: true, 'aria-label': `Download ${name}`, title: 'Download' }, icon('download')),
      el('button', { type: 'button', class: 'icon-button', 'aria-label': `${verb} ${name}`, title: verb, onclick: remove }, icon(isDone ? 'delete' : 'close'))));
}

const nameOf = ({ createdAt }) => `the backup of ${moment(createdAt)}`;

function facts({ state, problem, byteCount, memes, verifiedAt, version }) {
  if (state === 'failed') return [`Failed. ${problem ?? ''}`];
  const said = [
    byteCount !== null && bytes(byteCount), memes !== null && (memes === 1 ? '1 meme' : `${exactly(memes)} memes`),
    verifiedAt && el('time', { datetime: verifiedAt, title: moment(verifiedAt) }, `verified ${ago(verifiedAt)}`), version && `version ${version}`,
  ].filter(Boolean);
  // Lines break between facts, never within one.
  return said.flatMap((fact, index) => [index > 0 && ' · ', el('span', { class: 'backup-fact' }, fact)]);
}

/** The progress of a running backup. */
function progress(backup) {
  const { doneBytes = 0, allBytes = 0 } = backup.progress ?? {};
  const verb = doing[backup.state];
  return el('div', { class: 'backup-progress' },
    // A bar without a value is animated, for a backup whose progress is still unknown.
    el('progress', { 'aria-label': `${verb} ${nameOf(backup)}`, ...(allBytes > 0 && { max: allBytes, value: doneBytes }) }),
    el('p', { class: 'backup-facts' }, allBytes > 0 ? `${verb}: ${bytes(doneBytes)} of ${bytes(allBytes)}` : `${verb} …`));
}

/** Updates the progress in a backup's row. The row's button keeps the focus. */
export const showProgress = (row, backup) => row.querySelector('.backup-progress')?.replaceWith(progress(backup));
