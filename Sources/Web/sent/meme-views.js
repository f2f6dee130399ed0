import { memeCell, showCell } from './meme-cell.js';
import { memeRow, showRow } from './meme-row.js';

/** The views of memes for `<windowed-list>`, by the server's names of the list item formats. */
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
