/** Formats amounts for admins. */

const numbers = new Intl.NumberFormat('en');
const rounded = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** 1234 is "1,234". */
export const exactly = (number) => numbers.format(number);

/** 1536 is "1.5 KiB". */
export function bytes(number) {
  const power = Math.min(units.length - 1, number < 1024 ? 0 : Math.floor(Math.log2(number) / 10));
  return `${rounded.format(number / 1024 ** power)} ${number === 1 ? 'byte' : units[power]}`;
}

/** 0.031 is "31 ms". */
export const seconds = (number) => (number < 1 ? `${rounded.format(number * 1000)} ms` : `${rounded.format(number)} s`);

const spans = [[86400, 'day'], [3600, 'hour'], [60, 'minute'], [1, 'second']];

/** 7200 is "2 hours", 604800 "7 days": rounded, in the largest unit that fits at least once. */
export function lasting(seconds) {
  const [size, unit] = spans.find(([size]) => seconds >= size) ?? spans.at(-1);
  const count = Math.round(seconds / size);
  return `${exactly(count)} ${unit}${count === 1 ? '' : 's'}`;
}
