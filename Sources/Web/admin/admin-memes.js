import { api } from '../app/api.js';
import { el, icon } from '../app/dom.js';
import { live } from '../app/live.js';
import { tellProblem } from '../app/memes.js';
import { Problem } from '../app/problem.js';
import { notify } from '../elements/notice-bar.js';
import { AdminPage } from './admin-page.js';
import { exactly } from './amounts.js';
import { confirmCount } from './confirm-count.js';
import { matching } from './matching.js';

/** The number of matching memes that are shown. */
const mostShown = 12;

/** Deletes many memes at once, by author and time, after a preview. */
class AdminMemes extends AdminPage {
  #makers = ['anybody', 'person', 'nobody'].map((value) => el('input', {
    type: 'radio', name: 'maker', value, checked: value === 'anybody', onchange: () => this.#changed(),
  }));
  #author = el('input', {
    class: 'field', name: 'author', maxlength: 30, autocapitalize: 'none', autocomplete: 'off', spellcheck: 'false',
    'aria-label': 'Username', placeholder: 'Username', disabled: true,
  });
  #after = el('input', { class: 'field', type: 'datetime-local', name: 'after' });
  #before = el('input', { class: 'field', type: 'datetime-local', name: 'before' });
  #told = el('p', { class: 'field-problem', role: 'alert' });
  #result = el('div', { 'aria-live': 'polite' });
  #look = el('button', { class: 'button is-main' }, icon('search'), 'Preview');
  /** Counts requests for previews. The response to an outdated filter is dropped. */
  #looked = 0;

  get part() {
    return 'memes';
  }

  get title() {
    return 'Delete Memes';
  }

  build() {
    super.build();
    const maker = (input, ...name) => el('label', { class: 'choice' }, input, el('span', {}, ...name));
    this.content.append(
      el('form', { class: 'card admin-form', onsubmit: (event) => this.#submit(event), oninput: () => this.#changed() },
        el('fieldset', {}, el('legend', {}, 'Made by'),
          maker(this.#makers[0], 'Anyone'),
          el('div', { class: 'choice-field' }, maker(this.#makers[1], 'One person'), this.#author),
          maker(this.#makers[2], 'No account')),
        el('div', { class: 'admin-times' },
          el('label', { class: 'admin-field' }, el('span', {}, 'From'), this.#after),
          el('label', { class: 'admin-field' }, el('span', {}, 'Until'), this.#before)),
        this.#told,
        el('div', { class: 'admin-submit' }, this.#look)),
      this.#result);
  }

  get #maker() {
    return this.#makers.find((input) => input.checked).value;
  }

  get #filter() {
    const time = ({ value }) => (value ? new Date(value).toISOString() : null);
    return {
      author: this.#maker === 'person' ? this.#author.value.trim() : null, anonymous: this.#maker === 'nobody' ? 'true' : null,
      after: time(this.#after), before: time(this.#before),
    };
  }

  #changed() {
    this.#author.disabled = this.#maker !== 'person';
    this.#told.textContent = '';
    this.#looked++;
    this.#result.replaceChildren();
  }

  async #submit(event) {
    event.preventDefault();
    const looked = ++this.#looked;
    this.#result.setAttribute('aria-busy', 'true');
    try {
      const filter = this.#filter;
      const { count } = await this.#ask(filter, true);
      const found = count > 0 ? await matching(filter, mostShown) : [];
      if (looked === this.#looked) this.#show(filter, count, found);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (looked === this.#looked) this.#refuse(error);
    }
    this.#result.removeAttribute('aria-busy');
  }

  #ask(filter, isDry) {
    return api.delete('/memes', { query: { ...filter, dryRun: isDry } });
  }

  #refuse(problem) {
    const isEmpty = problem.errors.some(({ field }) => field === 'filter');
    this.#told.textContent = isEmpty ? 'Choose a person or a time range.' : problem.sentence;
    (problem.errors.some(({ field }) => field === 'author') ? this.#author : this.#look).focus();
  }

  #show(filter, count, found) {
    if (count === 0) {
      this.#result.replaceChildren(el('p', { class: 'card admin-found' }, 'No memes match.'));
      return;
    }
    const words = count === 1 ? '1 meme' : `${exactly(count)} memes`;
    this.#result.replaceChildren(el('section', { class: 'card admin-found' },
      el('h2', {}, `${words} will be deleted`),
      found.length > 0 && el('p', { class: 'is-quiet' }, count > found.length ? 'Newest:' : 'These:'),
      found.length > 0 && el('ul', { class: 'found', role: 'list' }, ...found.map(({ thumbnail: { url, width, height }, top, bottom }) => (
        el('li', {}, el('img', { src: url, width, height, alt: [top, bottom].filter(Boolean).join(' – ') || 'Untitled meme' }))))),
      el('p', { class: 'is-quiet' }, 'They go to the trash. Admins can restore them until it is emptied.'),
      el('button', { type: 'button', class: 'button is-danger', onclick: () => this.#delete(filter, count) }, icon('delete'), `Delete ${words}`)));
  }

  async #delete(filter, count) {
    if (!await confirmCount(count)) return;
    try {
      // The admin confirmed a number of memes. If it has changed since, the admin has to confirm again.
      const { count: now } = await this.#ask(filter, true);
      if (now !== count) {
        this.#show(filter, now, await matching(filter, mostShown));
        notify(`${exactly(now)} memes match now. Nothing was deleted.`);
        return;
      }
      const { count: deleted } = await this.#ask(filter, false);
      this.#result.replaceChildren(el('p', { class: 'card admin-found', role: 'status' },
        `${deleted === 1 ? '1 meme is' : `${exactly(deleted)} memes are`} deleted.`));
      live.refresh();
      this.heading.focus({ preventScroll: true });
    } catch (error) {
      tellProblem(error);
    }
  }
}

customElements.define('admin-memes', AdminMemes);
