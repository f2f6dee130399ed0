import { api } from '../app/api.js';
import { el, icon } from '../app/dom.js';
import { to } from '../app/places.js';
import { counted } from '../app/words.js';
import { AdminPage } from './admin-page.js';
import { bytes, exactly, seconds } from './amounts.js';
import { worry } from './backup-words.js';
import './bar-plot.js';
import { plotCard } from './plot-card.js';
import { shareBar } from './share-bar.js';

const days = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** Statistics of the server and its recent activity. */
class AdminOverview extends AdminPage {
  get title() {
    return 'Overview';
  }

  async begin() {
    const [stats, usage, backups] = await Promise.all(
      ['/admin/stats', '/admin/usage', '/admin/backups'].map((path) => api.get(path)));
    const due = worry(backups);
    this.content.replaceChildren(
      ...(due ? [el('a', { class: 'card admin-due', href: to.admin('backups') }, icon('problem'), el('span', {}, due), icon('forward'))] : []),
      tiles(stats), uploads(stats.uploadsPerDay), storage(stats.bytes), owners(usage), renders(stats.renders),
      el('button', { type: 'button', class: 'button', onclick: () => this.load() }, icon('refresh'), 'Refresh'));
  }
}

function tiles(stats) {
  const tile = (number, name, href) => {
    const content = [el('dt', {}, name), el('dd', {}, href ? el('a', { href, 'aria-label': `${exactly(number)} ${name}` }, exactly(number)) : exactly(number))];
    return el('div', { class: `tile${href && number > 0 ? ' is-due' : ''}` }, ...content);
  };
  return el('dl', { class: 'tiles' },
    tile(stats.openReports, 'open reports', to.admin('reports')), tile(stats.memes, 'memes'), tile(stats.people, 'people'),
    tile(stats.sessions, 'sessions'), tile(stats.likes, 'likes'), tile(stats.comments, 'comments'),
    tile(stats.deletedMemes, 'in the trash'), tile(stats.suspended, 'suspended'));
}

function uploads(perDay) {
  const sum = perDay.reduce((total, { count }) => total + count, 0);
  const bars = perDay.map(({ date, count }) => ({ label: days.format(new Date(date)), value: count, says: counted(count, 'meme') }));
  return plotCard({
    title: 'Uploads', summary: `${counted(sum, 'meme')} in ${perDay.length} days`,
    plot: Object.assign(document.createElement('bar-plot'), { bars, name: 'Memes per day, last 30 days' }),
    columns: ['Day', 'Memes'], rows: bars.map(({ label, value }) => [label, exactly(value)]),
  });
}

function storage({ originals, images, thumbnails, derived, database, free }) {
  const rest = Math.max(0, database - originals - images - thumbnails - derived);
  const parts = [
    ['Originals', originals], ['Memes', images], ['Thumbnails', thumbnails], ['Other sizes', derived], ['Other', rest],
  ].map(([name, value]) => ({ name, value, says: bytes(value) }));
  return plotCard({
    title: 'Storage',
    summary: `The database has ${bytes(database)}${free === null ? '' : `, and ${bytes(free)} of its disk are free`}`,
    plot: shareBar(parts, 'Database size by kind'),
    columns: ['Kind', 'Size'], rows: parts.map(({ name, says }) => [name, says]),
  });
}

function owners({ anonymous, accounts }) {
  const of = (used, limit) => (limit === null ? bytes(used) : `${bytes(used)} of ${bytes(limit)}`);
  const each = accounts.limitOfEach === null ? '' : `; limit per account: ${bytes(accounts.limitOfEach)}`;
  return plotCard({
    title: 'Storage by account',
    summary: `Accounts have ${bytes(accounts.used)}${each}. Without an account: ${of(anonymous.used, anonymous.limit)}`,
    columns: ['Account', 'Size'], rows: accounts.largest.map(({ username, used }) => [username, bytes(used)]),
  });
}

function renders({ count, p50Seconds, p95Seconds, confinement, ranges }) {
  const first = ranges.findIndex((range) => range.count > 0);
  const last = ranges.findLastIndex((range) => range.count > 0);
  const name = (index) => (ranges[index].upToSeconds === null
    ? `over ${seconds(ranges[index - 1].upToSeconds)}` : `to ${seconds(ranges[index].upToSeconds)}`);
    // Omits empty ranges at both ends, except for one on each side.
  const bars = ranges.map((range, index) => ({ label: name(index), value: range.count, says: counted(range.count, 'picture') }))
    .slice(Math.max(0, first - 1), last + 2);
  const times = count === 0 ? 'No renders since the server started'
    : `${counted(count, 'picture')} since the server started: half within ${seconds(p50Seconds)}, 95 % within ${seconds(p95Seconds)}`;
  const isConfined = confinement?.calls && confinement.files;
  return plotCard({
    title: 'Render time',
    summary: isConfined ? times : `${times}. Decoders are not fully confined; see the startup log`,
    plot: count > 0 && Object.assign(document.createElement('bar-plot'), { bars, name: 'Pictures by render time' }),
    columns: ['Time', 'Pictures'], rows: count > 0 ? bars.map(({ label, value }) => [label, exactly(value)]) : [],
  });
}

customElements.define('admin-overview', AdminOverview);
