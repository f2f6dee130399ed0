import { memeCell, showCell } from './meme-cell.js';
import { memeRow, showRow } from './meme-row.js';

/** The views of memes, by the server's names. */
export const memeViews = {
  table: {
    className: 'table', make: memeRow, update: showRow,
    // Large text needs one more line.
    layout: (width, rem) => ({ columns: 1, rowHeight: (width < 16 * rem ? 7 : 6) * rem }),
  },
  grid: {
    className: 'grid', make: memeCell, update: showCell,
    layout: (width, rem) => {
      const columns = Math.max(3, Math.round(width / (11 * rem)));
      return { columns, rowHeight: width / columns };
    },
  },
};
