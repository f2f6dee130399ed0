const space = 'http://www.w3.org/2000/svg';

/**
 * Creates an SVG element, as `el` creates an HTML element.
 *
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}
