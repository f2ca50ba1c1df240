import { defineConfig } from 'lockstep';
import { lockServer } from './machine.js';

export default defineConfig({ machines: [lockServer], scenarios: 'scenarios' });
