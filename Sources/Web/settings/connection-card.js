import { el, icon } from '../app/dom.js';
import { to } from '../app/places.js';
import { store } from '../app/store.js';
import { ago, moment } from '../app/words.js';
import { menuSheet } from '../elements/menu-sheet.js';
import { amounts, descriptionOf, destination, reloadable, sends, stateOf, usesSecret } from './connection-words.js';

let made = 0;

/**
 * A connection in the list.
 *
 * @param {object} connection
 * @param {Record<'pause' | 'resume' | 'restart' | 'reload' | 'changeSecret' | 'remove', (connection: object) => void>} acts
 */
export function connectionCard(connection, acts) {
  const { name, state, lastError } = connection;
  const id = `connection-${++made}`;
  const description = descriptionOf(connection);
  const { word, icon: symbol } = stateOf(connection);
  return el('li', { class: 'card connection', tabindex: -1, 'aria-labelledby': id },
    el('div', { class: 'connection-head' },
      el('h3', { id }, el('bdi', {}, name)),
      el('p', { class: `connection-state is-${state}` }, icon(symbol), word)),
    el('p', {}, description),
    connection.mappingsState === 'reloading' && el('p', {}, 'All memes are being sent again.'),
    // The description of some states has it.
    lastError && !connection.stateDescription.includes(lastError)
      && el('p', { class: 'connection-error' }, 'Last error: ', el('bdi', {}, lastError)),
    el('ul', { class: 'connection-facts', role: 'list' }, ...facts(connection).map((fact) => el('li', {}, fact))),
    el('div', { class: 'connection-acts' }, ...buttons(connection, acts)));
}

function facts(connection) {
  const { owner, scope, lastDelivery, mappings } = connection;
  const isOther = owner !== store.get('person')?.username;
  return [
    el('bdi', { dir: 'ltr' }, destination(connection)),
    ...mappings.map(sends),
    scope === 'all' && `All public memes${isOther ? `, by ${owner}` : ''}`,
    amounts(connection).join(' · '),
    lastDelivery && el('time', { datetime: lastDelivery, title: moment(lastDelivery) }, `Last delivery ${ago(lastDelivery)}`),
  ].filter(Boolean);
}

function buttons(connection, acts) {
  const { id, name, state } = connection;
  const button = (verb, run) => el('button', {
    type: 'button', class: 'button is-small', 'aria-label': `${verb}: ${name}`, onclick: run,
  }, verb);
  return [
    ['failing', 'stopped'].includes(state) && button('Restart', () => acts.restart(connection)),
    ['running', 'failing'].includes(state) && button('Pause', () => acts.pause(connection)),
    state === 'paused' && button('Resume', () => acts.resume(connection)),
    el('a', { class: 'button is-small', href: to.deliveries(id), 'aria-label': `Deliveries: ${name}` }, 'Deliveries'),
    el('a', { class: 'button is-small', href: to.connection(id), 'aria-label': `Edit: ${name}` }, 'Edit'),
    button('More', () => menuSheet(name, [
      state !== 'stopped' && reloadable(connection).length > 0
        && { name: 'Send all memes again', icon: 'refresh', run: () => acts.reload(connection) },
      usesSecret(connection) && { name: 'Change secret', icon: 'key', run: () => acts.changeSecret(connection) },
      { name: 'Delete', icon: 'delete', isDangerous: true, run: () => acts.remove(connection) },
    ].filter(Boolean))),
  ].filter(Boolean);
}
