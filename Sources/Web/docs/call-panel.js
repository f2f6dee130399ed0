import { base, el } from '../app/dom.js';
import { send } from './answer.js';
import { bodyForm, fields } from './body-form.js';
import { curl, requestOf } from './curl.js';
import { input } from './inputs.js';
import { blocks } from './markdown.js';
import { details, responseList } from './responses.js';

const tokenTexts = { none: 'Needs no token.', optional: 'A token is optional.', required: 'Needs a token.' };

/**
 * The open part of a call: its description, a form, the curl command, and the responses.
 *
 * @param {import('./contract.js').Contract} contract
 * @param {import('./contract.js').Operation} operation
 * @param {{get: () => string, set: (token: string) => void, change: (callback: () => void) => void}} token
 */
export function callPanel(contract, operation, token) {
  const inputs = operation.parameters.filter(({ in: place }) => place !== 'cookie').map((parameter) => ({
    place: parameter.in, ...input(contract, {
      name: parameter.name, schema: parameter.schema, isRequired: parameter.required, isNeeded: parameter.in === 'path',
      description: parameter.description,
    }),
  }));
  const at = (place) => inputs.filter((each) => each.place === place);
  const accept = acceptInput(contract, operation);
  const body = operation.body && bodyForm(contract, operation.body);
  const headers = [...accept ? [accept] : [], ...at('header')];

  /** @returns {import('./curl.js').Call} */
  const call = () => {
    const values = (of) => of.map(({ name, value }) => [name, value()]).filter(([, value]) => value !== undefined);
    const steps = new Map(values(at('path')));
    const path = operation.path.replace(/\{([^}]+)\}/g, (braces, name) => (steps.has(name) ? encodeURIComponent(steps.get(name)) : braces));
    const query = values(at('query')).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
    const sent = values(headers);
    if (token.get() && operation.token !== 'none') sent.unshift(['Authorization', `Bearer ${token.get()}`]);
    const type = body?.type();
    if (type) sent.push(['Content-Type', type]);
    return {
      method: operation.method, url: `${location.origin}${base}${path}${query && `?${query}`}`, headers: sent,
      form: body?.form() ?? null, body: body?.content() ?? null,
    };
  };

  const command = el('code', {});
  const update = () => { command.textContent = curl(call()); };
  const answer = el('div', { class: 'docs-answer', role: 'group', 'aria-label': 'Response' });
  const note = el('p', { class: 'field-problem', role: 'alert' });
  const [sendButton, stopButton] = [
    el('button', { type: 'submit', class: 'button is-main' }, 'Send'), el('button', { type: 'button', class: 'button', hidden: true }, 'Stop')];
  const copyButton = el('button', { type: 'button', class: 'docs-link', onclick: () => copy(command, copyButton) }, 'Copy');

  const submit = async (event) => {
    event.preventDefault();
    note.textContent = '';
    const failed = inputs.find((each) => each.problem()) ?? body?.failed();
    if (failed) return failed.show();
    const stop = new AbortController();
    stopButton.onclick = () => stop.abort();
    sendButton.disabled = true;
    // The response of the last request stays until the next one comes.
    answer.setAttribute('aria-busy', 'true');
    // Most responses come before the button could be pressed.
    const timer = setTimeout(() => { stopButton.hidden = false; }, 400);
    try {
      await send(requestOf(call(), stop.signal), answer, token.set);
    } catch (error) {
      answer.replaceChildren();
      note.textContent = error.name === 'AbortError' ? 'Stopped.' : `The request failed: ${error.message}`;
    } finally {
      clearTimeout(timer);
      answer.setAttribute('aria-busy', 'false');
      stopButton.hidden = true;
      sendButton.disabled = false;
    }
  };

  const form = el('form', { novalidate: true, onsubmit: submit, oninput: update, onchange: update },
    section('Path', at('path')), section('Query', at('query')),
    body && el('section', { class: 'docs-part' },
      el('h4', {}, 'Body'), ...blocks(operation.body.description ?? '', contract), body.element),
    headers.length > 0 && opened('Request headers', fields(headers)),
    el('section', { class: 'docs-part' },
      el('div', { class: 'docs-curl-head' }, el('h4', {}, 'curl'), copyButton), el('pre', { class: 'code docs-curl' }, command)),
    el('div', { class: 'docs-send' }, sendButton, stopButton, note));
  token.change(update);
  update();
  return el('div', { class: 'docs-panel' },
    el('div', { class: 'docs-text' }, ...blocks(operation.description, contract), el('p', { class: 'docs-type' }, tokenTexts[operation.token])),
    form, answer,
    el('section', { class: 'docs-part' }, el('h4', {}, 'Responses'), responseList(contract, operation.responses)));
}

const section = (title, inputs) => inputs.length > 0 && el('section', { class: 'docs-part' }, el('h4', {}, title), fields(inputs));

/** A disclosure whose content exists from the start, because its values are sent whether it is open or not. */
function opened(title, content) {
  const element = details(title, () => content);
  element.append(content);
  return element;
}

/** A choice of `Accept`, if the successful responses are of several media types. */
function acceptInput(contract, { responses, parameters }) {
  if (parameters.some(({ name }) => name.toLowerCase() === 'accept')) return null;
  const types = new Set(responses.filter(([status]) => status.startsWith('2')).flatMap(([, response]) => Object.keys(response.content ?? {})));
  if (types.size < 2) return null;
  return input(contract, {
    name: 'Accept', schema: { type: 'string', enum: [...types] }, description: 'The media type of the response.',
  });
}

async function copy(command, button) {
  try {
    await navigator.clipboard.writeText(command.textContent);
    button.textContent = 'Copied';
  } catch {
    // Pages without HTTPS have no clipboard: the user copies the selected text.
    getSelection().selectAllChildren(command);
    button.textContent = 'Selected';
  }
  setTimeout(() => { button.textContent = 'Copy'; }, 2000);
}
