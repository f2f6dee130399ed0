/** Converts a whole meme to a list item, by `view`. The items have the same fields as those from the server. */
export const shapes = {
  table: ({ id, top, bottom, captions, altText, author, createdAt, counts, thumbnails }) => {
    const first = [top, bottom, ...captions.map(({ text }) => text)].find((text) => text.trim());
    const title = first?.trim().replace(/\s+/g, ' ') ?? null;
    return { id, top, bottom, title, altText, author, createdAt, counts, thumbnail: thumbnails.table };
  },
  grid: ({ id, altText, thumbnails }) => ({ id, altText, thumbnail: thumbnails.grid }),
};
