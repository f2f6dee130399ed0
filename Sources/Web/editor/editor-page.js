import { el } from '../app/dom.js';
import { Page } from '../app/page.js';
import { to } from '../app/places.js';
import { backLink } from '../elements/tab-bar.js';

/** The editor's place, until it is there. */
class EditorPage extends Page {
  build() {
    const call = `curl -F image=@photo.jpg -F top='one does not simply' -F bottom='walk into mordor' ${location.origin}/memes`;
    this.append(
      el('header', { class: 'bar' }, backLink(to.table(), 'Sent Memes'), el('h1', { tabindex: -1 }, 'New Meme')),
      el('main', { class: 'note' },
        el('p', {}, 'The editor is not here yet. Until it is, a meme is made with one line in a terminal:'),
        el('code', {}, call)));
  }
}

customElements.define('editor-page', EditorPage);
