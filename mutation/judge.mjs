// A process that runs scenarios or a campaign with one module replaced, and tells its parent what came of it.
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';

register({ tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)) });
await import('./judge.ts');
