/** A failure that the person in front of the screen can mend: its message is a sentence or two, with the remedy. */
export class CheckProblem extends Error {}
