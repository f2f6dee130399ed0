import { api } from '../app/api.js';
import { el, icon } from '../app/dom.js';
import { tellProblem } from '../app/memes.js';
import { to } from '../app/places.js';
import { router } from '../app/router.js';
import { session } from '../app/session.js';
import { FieldForm } from '../elements/field-form.js';
import { field } from '../elements/fields.js';
import { notify } from '../elements/notice-bar.js';
import { AccountPage } from './account-page.js';

/** Edits the public profile: picture, name and bio. */
class ProfilePage extends AccountPage {
  #picture = el('img', { class: 'avatar profile-picture', alt: 'Your picture', width: 96, height: 96 });
  #file = el('input', { type: 'file', accept: 'image/*', class: 'only-read', 'aria-label': 'Choose a picture', onchange: () => this.#chosen() });
  #remove = el('button', { type: 'button', class: 'button', onclick: () => this.#removePicture() }, 'Remove');
  #told = el('p', { class: 'field-problem', role: 'alert' });

  get title() {
    return 'Profile';
  }

  show(user) {
    this.#showPicture(user);
    this.place.replaceChildren(
      el('div', { class: 'card picture-card' },
        this.#picture,
        el('div', { class: 'picture-buttons' },
          el('label', { class: 'button is-main file-button' }, icon('camera'), 'Choose a picture', this.#file), this.#remove),
        this.#told),
      el('div', { class: 'card form-card' }, new FieldForm({
        fields: [
          field({
            name: 'displayName', label: 'Name', value: user.displayName ?? '', autocomplete: 'name', maxlength: 100,
            placeholder: user.username, hint: 'In any script, up to 50 characters.',
          }),
          field({ name: 'bio', label: 'About you', rows: 4, value: user.bio ?? '', maxlength: 1000, hint: 'Up to 500 characters.' }),
        ],
        action: 'Save',
        send: (values) => this.#save(values),
      })));
  }

  #showPicture({ avatarUrl }) {
    // Only an uploaded picture has a version in its address. Others are generated from the name.
    const isOwn = avatarUrl.includes('?v=');
    this.#picture.src = `${avatarUrl}${isOwn ? '&' : '?'}size=512`;
    this.#remove.hidden = !isOwn;
  }

  async #save({ displayName, bio }) {
    const user = await api.patch('/users/me', {
      json: { displayName: displayName.trim() || null, bio: bio.trim() || null },
    });
    session.changed(user);
    notify('Profile saved.');
    // The user may have left the page since.
    if (this.isShown) router.back(to.settings());
  }

  async #chosen() {
    const [file] = this.#file.files;
    this.#file.value = '';
    if (!file) return;
    await this.#change(async () => {
      const user = await api.put('/users/me/avatar', { body: file });
      session.changed(user);
      this.#showPicture(user);
      notify('Picture changed.');
    });
  }

  async #removePicture() {
    await this.#change(async () => {
      await api.delete('/users/me/avatar');
      this.#showPicture(await session.refresh());
      notify('Picture removed.');
      this.#file.focus();
    });
  }

  async #change(work) {
    this.#told.textContent = '';
    this.#picture.classList.add('is-busy');
    try {
      await work();
    } catch (error) {
      if (error.status === 415 || error.status === 422 || error.status === 413) this.#told.textContent = error.sentence;
      else tellProblem(error);
    }
    this.#picture.classList.remove('is-busy');
  }
}

customElements.define('profile-page', ProfilePage);
