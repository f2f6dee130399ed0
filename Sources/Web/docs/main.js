import { base, el } from '../app/dom.js';
import { callPanel } from './call-panel.js';
import { Contract } from './contract.js';
import { blocks, inline } from './markdown.js';
import { overview } from './responses.js';

/**
 * The page `/docs`: all calls of the contract, with a filter. At most one call is open, and the URL's fragment names
 * it.
 */
const main = document.getElementById('docs');

/** The bearer token of requests. It is only in the memory of this page. */
const token = {
  input: el('input', {
    class: 'field', id: 'token', type: 'password', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'token-hint',
    oninput: () => token.changed(),
  }),
  callbacks: [],
  get: () => token.input.value.trim(),
  set(value) {
    token.input.value = value;
    token.changed();
    token.input.focus();
  },
  change: (callback) => token.callbacks.push(callback),
  changed: () => token.callbacks.forEach((callback) => callback()),
};

async function start() {
  main.setAttribute('aria-busy', 'true');
  main.replaceChildren();
  try {
    const response = await fetch(`${base}/openapi.json`);
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    show(new Contract(await response.json()));
  } catch (error) {
    main.append(el('div', { class: 'note', role: 'alert' },
      el('p', { class: 'note-title' }, 'The contract could not be loaded.'), el('p', {}, error.message),
      el('button', { type: 'button', class: 'button', onclick: start }, 'Try again')));
  }
  main.setAttribute('aria-busy', 'false');
}

/** @param {Contract} contract */
function show(contract) {
  const calls = new Map(contract.operations.map((operation) => [operation.id, callItem(contract, operation)]));
  const sections = contract.sections.map(({ name, description, operations }) => el('section', { class: 'docs-section' },
    el('h2', {}, name), ...blocks(description, contract), el('ul', { class: 'docs-calls' }, ...operations.map(({ id }) => calls.get(id).element))));
  const version = contract.document.info?.version;
  if (version) document.querySelector('h1').append(' ', el('small', {}, version));
  const filter = filterOf(contract.operations, calls, sections);
  main.append(tokenField(contract), overview(contract), filter.element, ...sections, filter.none);

  let open = null;
  const toggle = (id) => {
    const call = calls.get(id);
    const top = call.button.getBoundingClientRect().top;
    if (open) open.close();
    open = open === call ? null : call;
    open?.open();
    history.replaceState(null, '', open ? `#${id}` : location.pathname + location.search);
    // What closed above must not move the pressed button away.
    scrollBy({ top: call.button.getBoundingClientRect().top - top, behavior: 'instant' });
  };
  for (const [id, call] of calls) call.button.addEventListener('click', () => toggle(id));

  const follow = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const call = calls.get(id);
    if (!call) return;
    if (call.element.hidden) filter.clear();
    if (open !== call) toggle(id);
    call.button.focus({ preventScroll: true });
    call.element.scrollIntoView({ block: 'start', behavior: 'instant' });
  };
  addEventListener('hashchange', follow);
  follow();
}

/** A call of the list: its button, and below it a panel that is made when the call is first opened. */
function callItem(contract, operation) {
  const id = `call-${operation.id}`;
  const button = el('button', { type: 'button', class: 'docs-call', 'aria-expanded': 'false', 'aria-controls': id },
    el('span', { class: `docs-method is-${operation.method.toLowerCase()}` }, operation.method), ' ',
    // Long paths wrap before a slash.
    el('code', { class: 'docs-path' }, ...operation.path.split(/(?=\/)/).flatMap((step) => [el('wbr'), step])), ' ',
    el('span', { class: 'docs-summary' }, ...inline(operation.summary, contract).map((part) => part.textContent ?? part)));
  const place = el('div', { id, hidden: true });
  return {
    button,
    element: el('li', {}, el('h3', {}, button), place),
    open() {
      if (!place.firstChild) place.append(callPanel(contract, operation, token));
      place.hidden = false;
      button.setAttribute('aria-expanded', 'true');
    },
    close() {
      place.hidden = true;
      button.setAttribute('aria-expanded', 'false');
    },
  };
}

function filterOf(operations, calls, sections) {
  const input = el('input', {
    class: 'field', id: 'filter', type: 'search', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false',
    placeholder: 'Name, path or method', 'aria-describedby': 'filter-count',
  });
  const count = el('p', { class: 'docs-type', id: 'filter-count', role: 'status' });
  const none = el('div', { class: 'note', hidden: true }, el('p', { class: 'note-title' }));
  const apply = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const { id, words: text } of operations) {
      const isFound = words.every((word) => text.includes(word));
      calls.get(id).element.hidden = !isFound;
      found += isFound;
    }
    for (const section of sections) section.hidden = !section.querySelector('li:not([hidden])');
    count.textContent = words.length ? `${found} of ${operations.length} calls` : `${operations.length} calls`;
    none.hidden = found > 0;
    none.firstChild.textContent = found ? '' : `No call matches “${input.value.trim()}”.`;
  };
  const clear = () => {
    input.value = '';
    apply();
  };
  input.addEventListener('input', apply);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') clear();
    if (event.key === 'Enter') sections.flatMap((each) => [...each.querySelectorAll('li:not([hidden]) .docs-call')])[0]?.focus();
  });
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest?.('input, textarea, select')) return;
    event.preventDefault();
    input.focus();
  });
  apply();
  return {
    none, clear,
    element: el('search', { class: 'docs-filter' }, el('div', { class: 'form-field' }, el('label', { for: 'filter' }, 'Filter'), input), count),
  };
}

function tokenField(contract) {
  const signIn = contract.byAddress.get('POST /sessions');
  return el('div', { class: 'form-field docs-token' },
    el('label', { for: 'token' }, 'Token'), token.input,
    el('p', { class: 'field-hint', id: 'token-hint' },
      'Sent as a bearer token. The page does not store it. Requests do not use this browser’s session. ',
      signIn && el('a', { href: `#${signIn.id}` }, 'Sign in to get a token')));
}

start();
