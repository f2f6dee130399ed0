import { api } from '../app/api.js';
import { el } from '../app/dom.js';
import { live } from '../app/live.js';
import { tellProblem } from '../app/memes.js';
import { Part } from '../app/part.js';
import { to } from '../app/places.js';
import { store } from '../app/store.js';
import { count } from '../app/words.js';
import { ask } from '../elements/ask-dialog.js';
import { notify } from '../elements/notice-bar.js';
import { orReload } from '../elements/or-reload.js';
import { problemNote } from '../elements/problem-note.js';
import { owner } from '../offline/owner.js';
import { CommentForm } from './comment-form.js';
import { commentItem } from './comment-item.js';

/** The default size of a page, the same as the server's. */
const pageSize = 30;

/** The comments on a meme, newest or oldest first, and a form for signed-in users. */
class MemeComments extends Part {
  #meme = null;
  #sort = 'newest';
  #items = [];
  #cursor = null;
  #hasBegun = false;
  /** The items of the comments that are being edited, by ID. They keep their forms, and so their texts. */
  #edited = new Map();
  /** The user for whom the comments were requested. */
  #viewer = owner();
  /** The form for a new comment, and its user. It keeps its text while the user is signed out. */
  #own = { person: null, form: null };
  /** Counts requests. A response that is not from the latest request is dropped. */
  #asked = 0;
  #isAsking = false;
  /** Counts changes of the list. A refresh that one of them overtakes is dropped. */
  #changes = 0;
  /** Whether the user sees other people than when the comments were requested. */
  #isOutdated = false;
  #heading = el('h2', { tabindex: -1 }, 'Comments');
  #order = el('select', { class: 'field', 'aria-label': 'Order of comments', onchange: () => this.#reorder() },
    el('option', { value: 'newest' }, 'Newest first'), el('option', { value: 'oldest' }, 'Oldest first'));
  #form = el('div');
  #list = el('ul', { class: 'comments', role: 'list' });
  #more = el('div', { class: 'comments-more' });

  build() {
    this.append(el('div', { class: 'comments-head' }, this.#heading, this.#order), this.#form, this.#list, this.#more);
  }

  connected() {
    this.listen(live, 'refresh', () => this.#refresh());
    this.listen(store, 'meme', ({ detail }) => {
      if (detail.kind !== 'people') return;
      this.#isOutdated = true;
      if (detail.hidden) this.#hide(detail.hidden);
    });
    this.watch('person', (person) => {
      this.#changes++;
      if (!person) return this.#form.replaceChildren(el('p', { class: 'is-quiet' }, el('a', { href: to.signIn() }, 'Sign in'), ' to comment.'));
      if (this.#own.person !== owner()) {
        const form = new CommentForm({ label: 'Your comment', action: 'Comment', send: (text, key) => this.#write(text, key) });
        this.#own = { person: owner(), form };
        // The forms of edited comments belong to the user before.
        const hadForms = this.#edited.size > 0;
        this.#edited.clear();
        if (hadForms) this.#draw();
      }
      // Putting it back would move the focus out of it.
      if (!this.#own.form.isConnected) this.#form.replaceChildren(this.#own.form);
    });
    this.listen(store, 'person', () => {
      if (this.#viewer === owner()) return;
      this.#viewer = owner();
      // The account determines which comments the user sees and may change.
      if (this.#meme) this.#ask(null, this.#shownLimit);
    });
  }

  /** Shows the comments of a meme. Requests them if it is another meme than before. */
  show(meme) {
    const before = this.#meme;
    this.#meme = meme;
    this.#heading.textContent = meme.counts.comments > 0 ? `Comments (${count(meme.counts.comments)})` : 'Comments';
    this.#order.hidden = meme.counts.comments < 2;
    if (before?.id !== meme.id) this.#ask(null);
    else if (this.#isOutdated || before.counts.comments !== meme.counts.comments) this.#refresh();
  }

  /** Whether the list must stay as it is: the user is editing a comment or has the focus there, or it is hidden. */
  get #isHeld() {
    return !this.#hasBegun || this.#isAsking || this.#edited.size > 0 || this.closest('[hidden]')
      || [this.#list, this.#more].some((part) => part.contains(document.activeElement));
  }

  /** The size of a page with all shown comments, if the server permits it. */
  get #shownLimit() {
    return this.#items.length > pageSize ? Math.min(this.#items.length, 100) : null;
  }

  /** Requests the shown comments again. */
  async #refresh() {
    if (this.#isHeld) return;
    const change = ++this.#changes;
    const page = await api.get(`/memes/${this.#meme.id}/comments`, { query: { sort: this.#sort, limit: this.#shownLimit } }).catch(() => null);
    if (!page || page.kept || change !== this.#changes || this.#isHeld) return;
    [this.#items, this.#cursor] = [page.items, page.nextCursor];
    this.#isOutdated = false;
    this.#draw();
  }

  /** Removes the comments of a person, also while the list must stay as it is otherwise. */
  #hide(username) {
    this.#changes++;
    this.#items = this.#items.filter(({ author }) => author.username !== username);
    this.#draw();
  }

  #reorder() {
    this.#sort = this.#order.value;
    this.#ask(null);
  }

  async #ask(cursor, limit = null) {
    const asked = ++this.#asked;
    this.#isAsking = true;
    this.#changes++;
    try {
      const page = await api.get(`/memes/${this.#meme.id}/comments`, { query: { sort: this.#sort, cursor, limit } });
      if (asked !== this.#asked) return;
      this.#items = cursor ? [...this.#items, ...page.items] : page.items;
      this.#cursor = page.nextCursor;
      this.#hasBegun = true;
      this.#draw();
    } catch (error) {
      if (asked === this.#asked) this.#more.replaceChildren(this.#missed(error, cursor));
    }
    if (asked === this.#asked) this.#isAsking = false;
  }

  /** If the server is unreachable, the offline bar already says so. The comments load once it is reachable again. */
  #missed(problem, cursor) {
    if (!problem.isUnanswered) return problemNote(problem, () => this.#ask(cursor));
    store.addEventListener('isReached', () => this.#ask(cursor), { once: true, signal: this.lifetime });
    return el('p', { class: 'is-quiet' }, 'You need to be online to see comments.');
  }

  #draw() {
    const focused = this.#list.querySelector('comment-form :focus');
    this.#list.replaceChildren(...this.#items.map((comment) => this.#edited.get(comment.id) ?? this.#item(comment)));
    // Its item was taken out of the document and put back.
    focused?.focus({ preventScroll: true });
    this.#list.hidden = this.#items.length === 0;
    this.#more.replaceChildren(...this.#rest());
  }

  #item(comment, isEdited = false) {
    return commentItem(comment, {
      isEdited,
      edit: () => this.#edit(comment),
      save: (text) => this.#save(comment.id, text),
      cancel: () => this.#close(comment.id),
      remove: () => this.#remove(comment),
      report: () => this.#report(comment),
    });
  }

  #rest() {
    if (this.#cursor) {
      return [el('button', { type: 'button', class: 'button', onclick: () => this.#ask(this.#cursor) }, 'More comments')];
    }
    return this.#hasBegun && this.#items.length === 0 ? [el('p', { class: 'is-quiet' }, 'No comments yet. Be the first.')] : [];
  }

  /** Opens a comment's form. Forms of other comments stay open. */
  #edit(comment) {
    this.#edited.set(comment.id, this.#item(comment, true));
    this.#draw();
    this.#edited.get(comment.id).querySelector('textarea').focus();
  }

  /** Closes a comment's form. */
  #close(id) {
    this.#edited.delete(id);
    this.#draw();
    // The user may already write another comment.
    if (document.activeElement !== document.body) return;
    this.#list.querySelector(`[data-comment="${CSS.escape(id)}"] .comment-edit`)?.focus();
  }

  /** @throws {import('../app/problem.js').Problem} shown by the form */
  async #write(text, key) {
    const comment = await api.post(`/memes/${this.#meme.id}/comments`, { json: { text }, key });
    this.#changes++;
    if (this.#sort === 'newest') this.#items = [comment, ...this.#items];
    else if (!this.#cursor) this.#items = [...this.#items, comment];
    this.#hasBegun = true;
    this.#draw();
    this.#counted(1);
    notify('Comment posted.');
  }

  /** @throws {import('../app/problem.js').Problem} shown by the form */
  async #save(id, text) {
    const changed = await api.patch(`/comments/${id}`, { json: { text } });
    this.#changes++;
    this.#items = this.#items.map((comment) => (comment.id === id ? changed : comment));
    this.#close(id);
    notify('Comment updated.');
  }

  async #remove(comment) {
    const isSure = await ask({ title: 'Delete this comment?', text: 'This can’t be undone.', action: 'Delete' });
    if (!isSure) return;
    try {
      await api.delete(`/comments/${comment.id}`);
    } catch (error) {
      if (error.status !== 404 && error.status !== 410) return tellProblem(error);
    }
    this.#changes++;
    this.#items = this.#items.filter((other) => other.id !== comment.id);
    this.#draw();
    this.#counted(-1);
    this.#heading.focus({ preventScroll: true });
    notify('Comment deleted.');
  }

  async #report(comment) {
    const { report } = await orReload(import('../people/report.js'));
    report?.(`/comments/${comment.id}/reports`, 'Report this comment');
  }

  #counted(change) {
    const { id, counts } = this.#meme;
    const comments = Math.max(0, counts.comments + change);
    // The list already has this change.
    this.#meme = { ...this.#meme, counts: { ...counts, comments } };
    store.tell({ kind: 'counts', id, counts: this.#meme.counts });
  }
}

customElements.define('meme-comments', MemeComments);
