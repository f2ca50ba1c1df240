import { z } from 'zod';

/** The programs of a machine that has none. */
export const noPrograms = z.array(z.never()).max(0).default([]).describe('none: the protocol is the program');
