import { el, icon } from '../app/dom.js';

/**
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} [label] the text below the icon, if it differs from the name
 * @property {string} icon
 * @property {() => void} [run] the action of a tool without a panel
 * @property {string} [panel] the panel that the tool opens and closes
 * @property {boolean} [needsPicture]
 */

/** @type {Tool[]} first the sources of pictures, then the tools that edit them */
const tools = [
  { name: 'Camera', icon: 'camera' }, { name: 'Album', icon: 'album' }, { name: 'Template', icon: 'templates' },
  { name: 'Add text', label: 'Text', icon: 'text', needsPicture: true },
  { name: 'Style', icon: 'style', panel: 'style', needsPicture: true },
  { name: 'Crop', icon: 'crop', panel: 'crop', needsPicture: true },
  { name: 'More', icon: 'adjust', panel: 'more', needsPicture: true },
];

/**
 * The row of tools.
 *
 * @param {Record<string, () => void>} runs the actions of tools without a panel, by tool name
 * @param {(panel: string) => void} open
 */
export function toolBar(runs, open) {
  return el('fieldset', { class: 'tools', 'aria-label': 'Tools' }, ...tools.map(({ name, label, icon: picture, panel }) => el('button', {
    type: 'button', class: 'tool', 'data-tool': name, 'aria-label': label && name, 'data-panel': panel,
    'aria-expanded': panel && 'false', 'aria-controls': panel && `panel-${panel}`,
    onclick: panel ? () => open(panel) : runs[name],
  }, icon(picture), el('span', {}, label ?? name))));
}

/**
 * Enables and disables the tools.
 *
 * @param {HTMLElement} bar
 * @param {{hasPicture: boolean, panel: string | null, camera: import('./camera.js').Camera}} state
 */
export function updateTools(bar, { hasPicture, panel, camera }) {
  for (const { name, panel: own, needsPicture } of tools) {
    const button = bar.querySelector(`[data-tool="${name}"]`);
    button.disabled = Boolean(needsPicture && !hasPicture) || (name === 'Camera' && camera.kind === 'none');
    if (own) button.setAttribute('aria-expanded', String(own === panel));
    if (name === 'Camera') {
      if (camera.why) {
        button.title = camera.why;
        button.setAttribute('aria-describedby', 'camera-why');
      } else {
        button.removeAttribute('title');
        button.removeAttribute('aria-describedby');
      }
    }
  }
}
