import { to } from '../app/places.js';
import { note } from '../elements/problem-note.js';
import { ShelfPage } from './shelf-page.js';

/** The memes with a tag, newest first. */
class TagPage extends ShelfPage {
  enter({ tag }) {
    this.show(`#${tag}`, { href: to.table(), name: 'Sent Memes' }, {
      path: '/memes', query: { tag }, label: `Memes tagged ${tag}`,
      empty: () => note('search', 'No memes', 'You can see no memes with this tag.'),
    });
  }
}

customElements.define('tag-page', TagPage);
