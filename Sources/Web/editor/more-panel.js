import { el } from '../app/dom.js';
import { Part } from '../app/part.js';
import { store } from '../app/store.js';
import { title } from '../app/words.js';
import { saveTemplate } from '../people/save-template.js';
import { segments } from './controls.js';
import { tagProblem, tagsOf } from './tags.js';

/** The alt text of a meme, its tags and its visibility, and a button that saves the draft as a template. */
export class MorePanel extends Part {
  #draft = null;
  /** Shows whether the draft can be saved as a template. */
  #update = () => {};

  connected() {
    this.listen(store, 'person', () => this.#build());
  }

  /** @param {import('./draft.js').Draft} draft */
  show(draft) {
    if (draft !== this.#draft) this.listen(draft, 'change', () => this.#update());
    this.#draft = draft;
    this.#build();
  }

  #build() {
    if (!this.#draft) return;
    const draft = this.#draft;
    const field = el('textarea', {
      id: 'alt-text', class: 'field', rows: 3, maxlength: 1000, dir: 'auto', 'aria-describedby': 'alt-hint',
      oninput: () => {
        draft.altText = field.value;
        draft.changed();
      },
    });
    field.value = draft.altText;
    const told = el('p', { id: 'tags-problem', class: 'field-problem', role: 'alert' });
    const check = () => {
      told.textContent = tagProblem(draft.tags);
      if (told.textContent) tags.setAttribute('aria-invalid', 'true');
      else tags.removeAttribute('aria-invalid');
    };
    const tags = el('input', {
      id: 'tags', class: 'field', dir: 'auto', maxlength: 500, autocapitalize: 'none', autocomplete: 'off',
      'aria-describedby': 'tags-hint tags-problem', onchange: check,
      oninput: () => {
        draft.tags = tagsOf(tags.value);
        draft.changed();
        // A tag is wrong only once it is complete.
        if (told.textContent) check();
      },
    });
    tags.value = draft.tags.join(', ');
    check();
    const isSomebody = store.get('person') !== null;
    this.replaceChildren(
      el('div', { class: 'control' },
        el('label', { for: 'alt-text' }, 'Alt text'), field,
        el('p', { id: 'alt-hint', class: 'hint' }, 'For people who can’t see the picture. Leave empty to use the captions.')),
      el('div', { class: 'control' },
        el('label', { for: 'tags' }, 'Tags'), tags,
        el('p', { id: 'tags-hint', class: 'hint' }, 'At most 10, separated by commas. They help others find the meme.'), told),
      segments('Who can see it', [
        { value: 'public', name: 'Everyone' }, { value: 'friends', name: 'Friends', isDisabled: !isSomebody },
        { value: 'private', name: 'Only me', isDisabled: !isSomebody },
      ], draft.visibility, (value) => {
        draft.visibility = value;
        draft.changed();
      }),
      isSomebody ? this.#template() : el('p', { class: 'hint' }, 'Memes made without an account are public.'));
  }

  /** The button that saves the picture and the boxes as a template. */
  #template() {
    const draft = this.#draft;
    // The menu of a stored meme has this action too, and the server then knows whose picture it is.
    if (!draft.picture || draft.picture.isKept) return '';
    const button = el('button', {
      type: 'button', class: 'button', 'aria-describedby': 'template-hint',
      onclick: () => saveTemplate(title(draft.fields()), async () => {
        await draft.picture.arrived();
        return { ...draft.picture.source, boxes: JSON.stringify(draft.boxes()) };
      }),
    }, 'Save as template');
    const hint = el('p', { id: 'template-hint', class: 'hint' });
    this.#update = () => {
      // A template has the whole picture, and would show what was cropped away.
      button.disabled = draft.crop !== null;
      hint.textContent = button.disabled
        ? 'To save a template, remove the crop or save the meme first.' : 'Your picture and its text boxes, for everyone to make memes from.';
    };
    this.#update();
    return el('div', { class: 'control' }, button, hint);
  }
}

customElements.define('more-panel', MorePanel);
