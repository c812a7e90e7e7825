/** How many things of each kind are made; CONTRIBUTING says what it is for. */
export const AMOUNT = Number(process.env.GENERATED_AMOUNT || 100);

/** Each run makes the same things, unless told otherwise. */
export const SEED = Number(process.env.FC_SEED || 20_240_917);
