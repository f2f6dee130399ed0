import { el, icon } from '../app/dom.js';
import { to } from '../app/places.js';
import { ago, called, moment } from '../app/words.js';
import { CommentForm } from './comment-form.js';

/**
 * A comment, or its form during editing.
 *
 * @param {{isEdited: boolean, edit: () => void, save: (text: string) => Promise<void>, cancel: () => void,
 *   remove: () => void, report: () => void}} does
 */
export function commentItem(comment, does) {
  const { id, author, text, createdAt, editedAt, viewer } = comment;
  const name = called(author);
  const content = does.isEdited
    ? new CommentForm({ label: 'Your comment', action: 'Save', text, send: does.save, cancel: does.cancel })
    : el('p', { class: 'comment-text', dir: 'auto' }, text);
  return el('li', { class: 'comment', 'data-comment': id },
    el('img', { src: author.avatarUrl, alt: '', width: 32, height: 32 }),
    el('div', { class: 'comment-body' },
      el('p', { class: 'comment-facts' },
        el('a', { class: 'comment-author', href: to.user(author.username), dir: 'auto' }, name), ' ',
        el('time', { datetime: createdAt, title: moment(createdAt) }, ago(createdAt)),
        editedAt && el('span', { title: moment(editedAt) }, ' · edited')),
      content),
    !does.isEdited && el('div', { class: 'comment-buttons' },
      viewer.canEdit && button('edit', `Edit your comment: ${text}`, 'comment-edit', does.edit),
      viewer.canDelete && button('delete', `Delete ${name}’s comment: ${text}`, 'comment-delete', does.remove),
      !viewer.canEdit && button('report', `Report ${name}’s comment: ${text}`, 'comment-report', does.report)));
}

const button = (name, label, kind, run) => el('button', {
  type: 'button', class: `icon-button ${kind}`, 'aria-label': label.slice(0, 80), onclick: run,
}, icon(name));
