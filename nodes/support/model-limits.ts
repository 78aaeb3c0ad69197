/** The limits of a model call that a node sets itself; what is empty is left to the flow’s model settings. */
export const modelLimits = (config: { temperature: number | null; maxOutputTokens: number | null }) => ({
  ...(config.temperature === null ? {} : { temperature: config.temperature }),
  ...(config.maxOutputTokens === null ? {} : { maxOutputTokens: config.maxOutputTokens }),
});
