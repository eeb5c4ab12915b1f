/** A machine cannot be prepared. The message says in one line what is missing. */
export class Unavailable extends Error {}
