import { lasting } from './amounts.js';

/** The maximum age of the newest backup if there are no automatic backups, in seconds. */
const patience = 7 * 86400;

/**
 * @typedef {{state: string, createdAt: string}} Backup
 * @typedef {{items: Backup[], intervalSeconds: number, keepDays: number, keepWeeks: number,
 *   keepManual: number}} Backups
 */

/** The newest complete backup. @param {Backups} backups @returns {Backup | undefined} */
export const newest = ({ items }) => items.find(({ state }) => state === 'complete');

/** The running backup. @param {Backups} backups @returns {Backup | undefined} */
export const running = ({ items }) => items.find(({ state }) => state === 'copying' || state === 'verifying');

/** A warning about the backups in a few words, or `null`. @param {Backups} backups */
export function worry(backups, now = Date.now()) {
  const backup = newest(backups);
  if (!backup) return 'No backups yet';
  const age = (now - Date.parse(backup.createdAt)) / 1000;
  if (age < -60) return 'The newest backup has a date in the future: check the clock';
  const most = backups.intervalSeconds > 0 ? 2 * backups.intervalSeconds : patience;
  return age > most ? `The newest backup is ${lasting(age)} old` : null;
}

/** The schedule of the backups, and the rule by which they are kept. @param {Backups} backups */
export function rule({ intervalSeconds, keepDays, keepWeeks, keepManual }) {
  const schedule = intervalSeconds > 0 ? `Automatic backups: every ${lasting(intervalSeconds).replace(/^1 /, '')}.` : 'Automatic backups are off.';
  const last = [[keepDays, 'day'], [keepWeeks, 'week']].filter(([count]) => count > 0)
    .map(([count, unit]) => (count === 1 ? `the last ${unit}` : `each of the last ${count} ${unit}s`));
  const kept = last.length === 0 ? 'Only the newest is kept.' : `Keeps the newest of ${last.join(' and of ')}.`;
  const manual = keepManual === 0 ? '' : keepManual === 1 ? ' Also keeps the last manual backup.' : ` Also keeps the last ${keepManual} manual backups.`;
  return `${schedule} ${kept}${manual}`;
}
