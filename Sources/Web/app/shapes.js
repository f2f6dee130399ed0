/** Converts a whole meme to a list item, by `view`. The items have the same fields as those from the server. */
export const shapes = {
  table: ({ id, top, bottom, author, createdAt, counts, thumbnails }) => (
    { id, top, bottom, author, createdAt, counts, thumbnail: thumbnails.table }),
  grid: ({ id, altText, thumbnails }) => ({ id, altText, thumbnail: thumbnails.grid }),
};
