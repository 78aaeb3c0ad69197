import { build, checkNode, install, serve, wantedAddress } from './lib/prepare.mjs';

// npm start: from a fresh clone to a served app; quick when nothing has changed
checkNode();
wantedAddress();
await install();
await build();
await serve('start');
