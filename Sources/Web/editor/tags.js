/** The server's limits (`Tag`). */
const maxTags = 10;
const maxLength = 40;
const pieces = /^[\p{L}\p{N}][\p{L}\p{N}\p{Mn}\p{Mc}]*(-[\p{L}\p{N}][\p{L}\p{N}\p{Mn}\p{Mc}]*)*$/u;

/** The tags of a field, separated by commas. A tag has hyphens in place of spaces. */
export const tagsOf = (text) => text.split(',').map(hyphened).filter(Boolean);

const hyphened = (text) => text.trim().replace(/[\s-]+/gu, '-').replace(/^-|-$/gu, '');

/** What is wrong with tags; empty if the server accepts them. @param {string[]} tags */
export function tagProblem(tags) {
  const known = tags.map((tag) => tag.replace(/^#+/u, '').replace(/[\p{Cf}\p{DI}]/gu, '').normalize('NFKC').toLowerCase().normalize('NFKC'));
  const wrong = known.findIndex((tag) => !pieces.test(tag) || [...tag].length > maxLength);
  if (wrong >= 0) return `“${tags[wrong]}” isn’t a tag. Use 1 to ${maxLength} letters, digits and hyphens.`;
  return new Set(known).size > maxTags ? `Use at most ${maxTags} tags.` : '';
}
