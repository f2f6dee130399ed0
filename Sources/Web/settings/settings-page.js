import { el, style } from '../app/dom.js';
import { tellProblem } from '../app/memes.js';
import { Page } from '../app/page.js';
import { isForAnybody, mayConnect, membersInvite, to } from '../app/places.js';
import { preferences } from '../app/preferences.js';
import { store } from '../app/store.js';
import { group, redraw, segments, slider, toggle } from '../elements/controls.js';
import { menu } from '../elements/menu.js';
import { backLink } from '../elements/tab-bar.js';

await style('styles/cards.css', 'settings/settings.css');

const percent = (scale) => `${Math.round(scale * 100)} %`;

/** Appearance settings and, for signed-in users, account settings. */
class SettingsPage extends Page {
  #main = el('main', { class: 'column settings' });
  #looks = el('div');
  #account = el('div', { class: 'groups' });

  build() {
    this.classList.add('on-ground');
    this.append(
      el('header', { class: 'bar' }, backLink(to.you(), 'You'), el('h1', { tabindex: -1 }, 'Settings')), this.#main);
    this.#main.append(this.#looks, this.#account);
  }

  connected() {
    this.watch('settings', () => !this.#looks.contains(document.activeElement) && this.#showLooks());
    this.watch('person', () => this.#showAccount());
  }

  /** Changes a setting. Its control already shows the new value. If the server rejects it, the old value returns. */
  async #set(edit) {
    try {
      await preferences.change(edit);
    } catch (error) {
      tellProblem(error);
      this.#showLooks();
      this.#showAccount();
    }
  }

  #showLooks() {
    const { theme, accessibility: { textScale, reducedMotion, highContrast } } = store.get('settings');
    const set = (edit) => this.#set(edit);
    redraw(this.#looks, group('Appearance',
      el('div', { class: 'card' },
        segments({
          name: 'Theme', icon: 'theme', value: theme, options: [['system', 'System'], ['light', 'Light'], ['dark', 'Dark']],
          change: (value) => set({ theme: value }),
        }),
        slider({
          name: 'Text size', icon: 'text-size', value: textScale, min: 0.75, max: 2, step: 0.05, say: percent,
          change: (value) => set({ accessibility: { textScale: value } }),
        }),
        toggle({
          name: 'High contrast', icon: 'contrast', hint: 'Stronger colors and borders.', isOn: highContrast,
          change: (isOn) => set({ accessibility: { highContrast: isOn } }),
        }),
        toggle({
          name: 'Reduce motion', icon: 'motion', hint: 'Turns off animations.', isOn: reducedMotion,
          change: (isOn) => set({ accessibility: { reducedMotion: isOn } }),
        }))));
  }

  #showAccount() {
    const person = store.get('person');
    const captions = { name: 'Captions', icon: 'meme', href: to.settings('captions'), hint: 'Default style for new memes' };
    redraw(this.#account, ...(person ? [
      group('New memes', menu(captions), el('div', { class: 'card' }, this.#audience())),
      group('Account', menu(
        { name: 'Profile', icon: 'account', href: to.settings('profile'), hint: 'Photo, name and bio' },
        { name: 'Username', icon: 'account', href: to.settings('username') },
        { name: 'Email', icon: 'mail', href: to.settings('email') },
        { name: 'Password', icon: 'key', href: to.settings('password') },
        { name: 'Notifications', icon: 'bell', href: to.settings('notices') },
        ...(membersInvite ? [{ name: 'Invitations', icon: 'mail', href: to.settings('invitations') }] : []))),
      group('Privacy and safety', menu(
        { name: 'Devices', icon: 'device', href: to.settings('devices'), hint: 'Where you are signed in' },
        { name: 'Security', icon: 'key', href: to.settings('security'), hint: 'Second factor and single sign-on' },
        { name: 'Access tokens', icon: 'key', href: to.settings('tokens'), hint: 'For scripts and bots' },
        ...(mayConnect(person) ? [
          { name: 'Connections', icon: 'link', href: to.settings('connections'), hint: 'Slack, Discord or your own program' },
        ] : []),
        { name: 'Blocked people', icon: 'block', href: to.settings('blocks') })),
      group('Your data', menu(
        { name: 'Export', icon: 'download', href: to.settings('export'), hint: 'All your data in one file' },
        { name: 'Delete account', icon: 'delete', href: to.settings('delete'), isDangerous: true })),
    ] : [
      isForAnybody && group('New memes', menu(captions)),
      el('p', { class: 'group-note' }, 'These settings apply to this device. With an account, they apply to all your devices.'),
    ].filter(Boolean)));
  }

  #audience() {
    return segments({
      name: 'Who can see it', icon: 'eye', value: store.get('settings').visibility,
      options: [['public', 'Everyone'], ['friends', 'Friends'], ['private', 'Only me']],
      change: (value) => this.#set({ visibility: value }),
    });
  }
}

customElements.define('settings-page', SettingsPage);
