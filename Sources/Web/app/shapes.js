/** What a list shows of a whole meme, by its `view`: the same that the server sends. */
export const shapes = {
  table: ({ id, top, bottom, author, createdAt, counts, thumbnails }) => (
    { id, top, bottom, author, createdAt, counts, thumbnail: thumbnails.table }),
  grid: ({ id, altText, thumbnails }) => ({ id, altText, thumbnail: thumbnails.grid }),
};
