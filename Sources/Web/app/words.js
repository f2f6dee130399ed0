/** Formats numbers, times and names for display. */

const numbers = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const moments = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' });

/** 1234 is "1.2K". */
export const count = (number) => numbers.format(number);

/** 1 "comment", 2 "comments". */
export const counted = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

const steps = [[60, 'second'], [60, 'minute'], [24, 'hour'], [7, 'day']];

/** "5 min. ago"; after a week the date. */
export function ago(time, now = Date.now()) {
  const date = new Date(time);
  let amount = (date.getTime() - now) / 1000;
  if (Math.abs(amount) < 45) return 'now';
  for (const [size, unit] of steps) {
    if (Math.abs(amount) < size) return relative.format(Math.round(amount), unit);
    amount /= size;
  }
  return dates.format(date);
}

/** How long to wait: 90 is "2 minutes". Rounds up. */
export function wait(seconds) {
  if (seconds < 60) return counted(Math.ceil(seconds), 'second');
  if (seconds < 3600) return counted(Math.ceil(seconds / 60), 'minute');
  return counted(Math.ceil(seconds / 3600), 'hour');
}

/** "November 22, 2026 at 5:46 AM". */
export const moment = (time) => moments.format(new Date(time));

/** The captions of a meme that are not blank, each on one line. */
const lines = ({ top = '', bottom = '', captions = [] }) => [top, bottom, ...captions.map((caption) => caption.text)]
  .map((text) => text.replace(/\s+/g, ' ').trim()).filter(Boolean);

/** A meme as text: its captions on one line, or else its alt text. */
export function title(meme) {
  // The no-break space prevents a line break before the dash.
  return lines(meme).join('\u00a0– ') || meme.altText || 'Untitled meme';
}

/** The alt text that the server gives a meme without one. */
export const standardAltText = (meme) => (
  [...lines(meme).join(' – ')].slice(0, 1000).join('') || 'A picture without a caption.');

/** A person's display name, or else the username. */
export const called = (author) => author.displayName ?? author.username;
