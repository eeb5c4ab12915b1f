/** A loader for instances without plugins. */
export const noPlugins = { load: () => Promise.reject(new Error('there are none')) };
