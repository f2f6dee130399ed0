import { el } from '../app/dom.js';

/**
 * The Markdown subset of the contract's descriptions as elements: paragraphs, lists, fenced code and inline code.
 *
 * @param {string} text
 * @param {import('./contract.js').Contract} contract inline code such as `GET /memes` links to that call
 * @returns {HTMLElement[]}
 */
export function blocks(text, contract) {
  const made = [];
  const lines = text.split('\n');
  const taken = (belongs) => {
    const end = lines.findIndex((line) => !belongs(line));
    return lines.splice(0, end < 0 ? lines.length : end);
  };
  const isText = (line) => line !== '' && !line.startsWith('- ') && !line.startsWith('```');
  while (lines.length) {
    if (lines[0].startsWith('```')) {
      lines.shift();
      const code = taken((line) => !line.startsWith('```'));
      lines.shift();
      made.push(block(code.join('\n')));
    } else if (lines[0].startsWith('- ')) {
      made.push(el('ul', {}, ...taken((line) => line.startsWith('- ')).map((line) => el('li', {}, ...inline(line.slice(2), contract)))));
    } else if (lines[0] === '') {
      lines.shift();
    } else {
      made.push(el('p', {}, ...inline(taken(isText).join(' '), contract)));
    }
  }
  return made;
}

/** One line, with inline code. A backtick without a closing one is literal. */
export function inline(text, contract) {
  return text.split(/(`[^`]+`)/).filter(Boolean).map((part) => {
    if (!/^`[^`]+`$/.test(part)) return part;
    const code = el('code', {}, part.slice(1, -1));
    const operation = contract.byAddress.get(part.slice(1, -1));
    return operation ? el('a', { href: `#${operation.id}` }, code) : code;
  });
}

/** Code on lines of its own. It wraps, so that it never needs to scroll. */
export const block = (text) => el('pre', { class: 'code' }, el('code', {}, text));
