import { z } from 'zod';

/** The configuration of a machine that has nothing to configure. */
export const noConfig = z.strictObject({}).describe('none: there is nothing to configure');

export { noPrograms } from '../machines/protocols/no-programs.ts';
