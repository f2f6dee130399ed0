import { count, counted, moment } from '../app/words.js';

/** The events, each as a choice and as the name of one event. Those of `isForAll` need the scope `all`. */
export const events = [
  { type: 'meme.created', name: 'New memes', one: 'New meme' },
  { type: 'meme.updated', name: 'Edited memes', one: 'Edited meme' },
  { type: 'meme.deleted', name: 'Deleted memes', one: 'Deleted meme' },
  { type: 'comment.created', name: 'Comments', one: 'Comment' },
  { type: 'like.created', name: 'Likes', one: 'Like' },
  { type: 'follow.created', name: 'New followers', one: 'New follower' },
  { type: 'report.created', name: 'Reports', one: 'Report', isForAll: true },
  { type: 'user.created', name: 'New accounts', one: 'New account', isForAll: true },
];

/** The formats: pairs of value and name, and where the user finds the URL. */
export const formats = [['json', 'JSON webhook'], ['slack', 'Slack'], ['discord', 'Discord']];
export const addresses = {
  json: 'Your program gets each event as a POST request with JSON.',
  slack: 'The URL of an incoming webhook of your Slack app.',
  discord: 'The URL of a webhook, from the settings of your channel.',
};

/** The visibility of the memes whose events are sent. */
export const visibilities = [['all', 'All'], ['public', 'Public'], ['friends', 'Friends'], ['private', 'Private']];

const states = {
  idle: { word: 'No events', icon: 'info' },
  running: { word: 'Running', icon: 'check' },
  paused: { word: 'Paused', icon: 'waiting' },
  failing: { word: 'Failing', icon: 'problem' },
  stopped: { word: 'Stopped', icon: 'block' },
};

export const stateOf = ({ state }) => states[state] ?? { word: state, icon: 'info' };

const instant = /(\bat )?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/g;

/** The reason for the state and what happens next. The word for the state is not repeated. */
export function descriptionOf(connection) {
  // The server's text for this state is for people who call the API.
  if (connection.state === 'idle') return 'It sends nothing. Choose events under “Edit”.';
  const start = `${stateOf(connection).word}. `;
  const text = connection.stateDescription;
  return (text.startsWith(start) ? text.slice(start.length) : text).replace(
    instant, (_, at, time) => `${at ? 'on ' : ''}${moment(time)}`);
}

export const nameOfEvent = (type) => events.find((each) => each.type === type)?.one ?? type;

/** "Slack: New memes, Comments (public memes only)". */
export function sends({ format, events: types, filter }) {
  const [, name] = formats.find(([value]) => value === format) ?? [null, format];
  const which = [filter.visibility && `${filter.visibility} memes only`, filter.author && `only by ${filter.author}`, filter.tag && `only with #${filter.tag}`].filter(Boolean);
  const all = types.map((type) => events.find((each) => each.type === type)?.name ?? type).join(', ');
  return `${name}: ${all}${which.length > 0 ? ` (${which.join(', ')})` : ''}`;
}

/** People who know the URL of a channel can write in it, so only its host is shown. */
export function destination({ url, mappings }) {
  const isChannel = mappings.some(({ format }) => format !== 'json');
  return isChannel && URL.canParse(url) ? new URL(url).host : url;
}

/** Whether the receiver checks signatures. Slack and Discord do not. */
export const usesSecret = ({ mappings }) => mappings.length === 0 || mappings.some(({ format }) => format === 'json');

/** The mappings whose memes can be sent again. */
export const reloadable = ({ mappings }) => mappings.filter((each) => each.events.includes('meme.created'));

/** "12 delivered", "1 failed", "3 waiting". */
export function amounts({ delivered, failed, lag }) {
  // The server counts no further.
  const waiting = lag >= 1000 ? '1,000 or more' : count(lag);
  return [`${count(delivered)} delivered`, `${count(failed)} failed`, `${waiting} waiting`];
}

/** How an attempt ended: "Delivered", "Failed, status 503". */
export function outcomeOf({ outcome, status }) {
  const words = { delivered: 'Delivered', failed: 'Failed', givenUp: 'Failed, and not tried again' };
  return [words[outcome] ?? outcome, status && `status ${status}`].filter(Boolean).join(', ');
}

/** 85 is "85 ms", 1250 is "1.3 seconds". */
export const duration = (milliseconds) => (
  milliseconds < 1000 ? `${milliseconds} ms` : counted(Math.round(milliseconds / 100) / 10, 'second'));
