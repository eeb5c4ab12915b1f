/** Message for a removed working directory. */
export const goneDirectory = 'the current directory does not exist any more';
