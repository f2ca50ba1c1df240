import { register as addHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';

// The sources run as they are, with this project's settings wherever the command is called from.
register({ tsconfig: fileURLToPath(new URL('../../tsconfig.json', import.meta.url)) });
addHooks('../../scenarios/modules/hooks.mjs', import.meta.url);
