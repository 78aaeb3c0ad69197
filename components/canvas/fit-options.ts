/** How a whole flow is brought into view: narrow margins, and room for the tools at the lower left. */
export const fitOptions = {
  padding: { top: '24px', right: '24px', bottom: '56px', left: '24px' },
  maxZoom: 1,
  minZoom: 0.08,
} as const;
