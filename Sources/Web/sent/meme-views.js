import { memeCell, showCell } from './meme-cell.js';
import { memeRow, showRow } from './meme-row.js';

/** How a `<windowed-list>` shows memes, by the names that the server has for what it then needs of them. */
export const memeViews = {
  table: { className: 'table', make: memeRow, update: showRow, layout: (width, rem) => ({ columns: 1, rowHeight: 6 * rem }) },
  grid: {
    className: 'grid', make: memeCell, update: showCell,
    layout: (width, rem) => {
      const columns = Math.max(3, Math.round(width / (11 * rem)));
      return { columns, rowHeight: width / columns };
    },
  },
};
