/** Message for a removed working directory. */
export const goneDirectory = 'the current directory no longer exists';
