import { base, el } from '../app/dom.js';
import { typeOf } from './inputs.js';
import { block, blocks, inline } from './markdown.js';

/**
 * The responses that the contract has for a call, or for requests of no single call.
 *
 * @param {import('./contract.js').Contract} contract
 * @param {[string, object][]} responses
 */
export function responseList(contract, responses) {
  const isSuccess = ([status]) => /^[1-3]/.test(status);
  const failures = responses.filter((each) => !isSuccess(each));
  return el('div', { class: 'docs-responses' },
    ...responses.filter(isSuccess).map(([status, response]) => success(contract, status, response)),
    failures.length > 0 && failureList(contract, failures));
}

function success(contract, status, response) {
  const content = Object.entries(response.content ?? {});
  const headers = Object.entries(response.headers ?? {}).filter(([name]) => name !== 'X-Request-Id');
  return el('div', { class: 'docs-response' },
    el('p', {}, el('strong', {}, status), ' ', ...inline(response.description ?? '', contract)),
    content.length > 0 && el('p', { class: 'docs-type' }, ...content.flatMap(([type], index) => [index > 0 && ', ', el('code', {}, type)])),
    ...content.filter(([, media]) => media.schema).map(([type, media]) => details(`Members of ${type}`, () => members(contract, media.schema))),
    headers.length > 0 && details('Headers', () => list(headers.map(([name, header]) =>
      [el('code', {}, name), inline(contract.resolved(header).description ?? '', contract)]))),
    ...content.flatMap(([, media]) => Object.values(media.examples ?? {})).map((each) => {
      const example = contract.resolved(each);
      return details(['Example: ', ...inline(example.summary ?? 'a response', contract)], () => block(JSON.stringify(example.value, null, 2)));
    }));
}

function failureList(contract, failures) {
  return details(`Errors: ${failures.map(([status]) => status).join(', ')}`, () => list(failures.map(([status, response]) => {
    const codes = codesOf(contract, response.content?.['application/problem+json']?.schema);
    const links = codes.flatMap((code) => [' ', el('a', { href: `${base}/problems/${code}` }, code)]);
    return [el('span', {}, el('strong', {}, status), ...links), inline(response.description ?? '', contract)];
  })));
}

/** The problem codes that a schema names. */
function codesOf(contract, node) {
  if (!node) return [];
  const { code } = contract.schema(node).properties ?? {};
  const named = (schema) => [
    ...schema.enum ?? [], ...('const' in schema ? [schema.const] : []), ...(schema.allOf ?? []).flatMap((part) => named(contract.resolved(part)))];
  const codes = code ? [...(code.allOf ?? [code])].map((part) => named(contract.resolved(part))) : [];
  // The schema of all problems names every code. A response that narrows it names its own.
  return codes.filter((each) => each.length > 0).sort((one, other) => one.length - other.length)[0] ?? [];
}

/** The members of a value, and what they contain. A member's own members are made when they are opened. */
function members(contract, node) {
  const schema = contract.schema(node);
  if (schema.alternatives.length) {
    return el('div', {}, ...schema.alternatives.map((each, index) => el('div', {},
      el('p', { class: 'docs-type' }, index === 0 ? 'Either' : 'Or', ': ', typeOf(each)), members(contract, each))));
  }
  if (schema.types.includes('array') && schema.items) {
    return el('div', {}, el('p', { class: 'docs-type' }, 'Each item: ', typeOf(contract.schema(schema.items))), members(contract, schema.items));
  }
  return list(Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const value = contract.schema(member);
    const inner = isNested(contract, value) && details(`Members of ${name}`, () => members(contract, member));
    const choices = value.enum?.map((each) => JSON.stringify(each)).join(', ');
    return [
      el('span', {}, el('code', {}, name), ' ', el('span', { class: 'docs-type' }, typeOf(value))),
      [...inline((value.description ?? '').replaceAll('\n', ' '), contract), choices && el('p', { class: 'docs-type' }, 'One of ', choices), inner],
    ];
  }));
}

function isNested(contract, schema) {
  const inner = schema.types.includes('array') && schema.items ? contract.schema(schema.items) : schema;
  return Boolean(inner.properties || inner.alternatives.some((each) => each.properties));
}

/** A description list. @param {[Node, (Node | string | false | undefined)[]][]} rows */
const list = (rows) => el('dl', { class: 'docs-list' }, ...rows.map(([name, text]) => el('div', {}, el('dt', {}, name), el('dd', {}, ...text))));

/** A disclosure whose content is made when it is first opened. */
export function details(summary, content) {
  const element = el('details', { class: 'docs-details' }, el('summary', {}, ...[summary].flat()));
  element.addEventListener('toggle', () => {
    if (element.open && element.children.length === 1) element.append(content());
  });
  return element;
}

/** What the contract says about the whole API, and about requests of no single call. */
export function overview(contract) {
  const { info = {} } = contract.document;
  const others = [['x-options', 'OPTIONS'], ['x-any-request', 'Any request']].filter(([key]) => contract.document[key]);
  return el('div', { class: 'docs-overview' },
    details('General rules', () => el('div', { class: 'docs-text' }, ...blocks(info.description ?? '', contract))),
    ...others.map(([key, title]) => details(title, () => {
      const node = contract.document[key];
      const responses = Object.entries(node.responses ?? {}).map(([status, response]) => [status, contract.resolved(response)]);
      return el('div', { class: 'docs-text' }, ...blocks(node.description ?? '', contract), responseList(contract, responses));
    })));
}
