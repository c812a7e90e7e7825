/** The generation of n8n that tests run on: 2, or 1 where N8N_GENERATION says so. `jest.config.js` refuses anything else. */
export const generation: 1 | 2 = process.env.N8N_GENERATION === '1' ? 1 : 2;
