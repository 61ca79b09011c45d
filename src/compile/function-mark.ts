/** Marks a bundle that is no code but the number of a function in the program itself. */
export const FUNCTION = "function:";
