/** Whether a number can be the id of something that the interface only names, such as a bot or a folder. */
export const isId = (number: number): boolean => Number.isSafeInteger(number) && number > 0;
