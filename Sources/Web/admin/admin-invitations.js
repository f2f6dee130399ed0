import { style } from '../app/dom.js';
import { InvitationBox } from '../people/invitation-box.js';
import { AdminPage } from './admin-page.js';

await style('styles/forms.css');

/** The invitations of all people. */
class AdminInvitations extends AdminPage {
  #box = new InvitationBox(true);

  get part() {
    return 'invitations';
  }

  get title() {
    return 'Invitations';
  }

  build() {
    super.build();
    this.content.append(this.#box);
  }

  begin() {
    return this.#box.load();
  }
}

customElements.define('admin-invitations', AdminInvitations);
