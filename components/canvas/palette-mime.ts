/** What a dragged palette entry is called on the browser's drag clipboard. */
export const paletteMime = 'application/x-bridle-node-type';
