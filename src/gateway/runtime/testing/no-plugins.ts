/** Loads plugins for instances that have none. */
export const noPlugins = { load: () => Promise.reject(new Error('there are none')) };
