import { checkNode, install, serve } from './lib/prepare.mjs';

// npm run dev: as npm start, with changes shown as they are saved
checkNode();
await install();
await serve('dev');
