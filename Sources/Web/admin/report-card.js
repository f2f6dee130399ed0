import { el, icon } from '../app/dom.js';
import { to } from '../app/places.js';
import { ago, called, counted, moment } from '../app/words.js';

const kinds = { meme: ['A meme', ' of '], comment: ['A comment', ' of '], person: ['A person', ': '] };

/**
 * A report: the current state of its subject, the reason, and the possible actions.
 *
 * @param {import('./report-acts.js').Act[]} acts
 * @param {(act: import('./report-acts.js').Act) => void} run
 */
export function reportCard(report, acts, run) {
  const { subject, reason, reporter, createdAt, openOnSubject, note, closedAt, closedBy } = report;
  const heading = `report-${report.id}`;
  return el('li', {}, el('article', { class: 'card report', 'aria-labelledby': heading },
    subjectPicture(subject),
    el('div', { class: 'report-words' },
      el('h2', { id: heading, tabindex: -1 }, kinds[subject.kind][0],
        ...(subject.author ? [kinds[subject.kind][1], el('bdi', {}, called(subject.author))] : []),
        subject.gone && ', deleted'),
      subject.text && el('blockquote', { dir: 'auto' }, subject.text),
      el('p', { class: 'report-reason', dir: 'auto' }, reason),
      el('p', { class: 'report-facts' },
        reporter ? el('bdi', {}, called(reporter)) : 'Someone without an account', ' · ',
        el('time', { datetime: createdAt, title: moment(createdAt) }, ago(createdAt)),
        openOnSubject > 1 && ` · ${counted(openOnSubject, 'open report')} on it`),
      closedAt && el('p', { class: 'report-facts' }, `${report.status === 'resolved' ? 'Resolved' : 'Dismissed'} by `,
        closedBy.username ?? 'admin token', ' · ', el('time', { datetime: closedAt, title: moment(closedAt) }, ago(closedAt))),
      note && el('p', { class: 'report-note', dir: 'auto' }, `Note: ${note}`)),
    el('div', { class: 'report-acts' }, ...acts.map((act) => el('button', {
      type: 'button', class: act.isDanger ? 'button is-risky' : 'button', onclick: () => run(act),
    }, icon(act.icon), act.name)))));
}

/** The meme's picture or the person's avatar; an icon if the subject is gone. */
function subjectPicture({ kind, meme, author }) {
  if (meme) {
    const { url, width, height } = meme.thumbnail;
    return el('a', { class: 'report-picture', href: to.meme(meme.id) }, el('img', { src: url, width, height, alt: meme.altText || 'Meme' }));
  }
  if (author) return el('span', { class: 'report-picture is-person' }, el('img', { class: 'avatar', src: author.avatarUrl, alt: '' }));
  return el('span', { class: 'report-picture' }, icon(kind === 'comment' ? 'comment' : kind === 'meme' ? 'meme' : 'account'));
}
