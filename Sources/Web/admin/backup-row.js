import { el, icon } from '../app/dom.js';
import { ago, moment } from '../app/words.js';
import { bytes, exactly } from './amounts.js';

const moments = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const doing = { copying: 'Copying', verifying: 'Verifying' };

/** A backup as it is, and what can be done with it. @param {() => void} remove deletes it, or gives it up */
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
  if (state === 'failed') return [`It failed. ${problem ?? ''}`];
  const said = [
    byteCount !== null && bytes(byteCount), memes !== null && (memes === 1 ? '1 meme' : `${exactly(memes)} memes`),
    verifiedAt && el('time', { datetime: verifiedAt, title: moment(verifiedAt) }, `verified ${ago(verifiedAt)}`), version && `version ${version}`,
  ].filter(Boolean);
  // A fact is never broken; the lines are, between them.
  return said.flatMap((fact, index) => [index > 0 && ' · ', el('span', { class: 'backup-fact' }, fact)]);
}

/** How far it is. */
function progress(backup) {
  const { doneBytes = 0, allBytes = 0 } = backup.progress ?? {};
  const verb = doing[backup.state];
  return el('div', { class: 'backup-progress' },
    // Without a value it moves, as long as nobody knows how far it is.
    el('progress', { 'aria-label': `${verb} ${nameOf(backup)}`, ...(allBytes > 0 && { max: allBytes, value: doneBytes }) }),
    el('p', { class: 'backup-facts' }, allBytes > 0 ? `${verb}: ${bytes(doneBytes)} of ${bytes(allBytes)}` : `${verb} …`));
}

/** Shows in its row how far a backup is by now; whoever is at the row's button stays there. */
export const showProgress = (row, backup) => row.querySelector('.backup-progress')?.replaceWith(progress(backup));
