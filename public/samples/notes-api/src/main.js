import { createServer } from 'node:http';
import { createApp } from './app.js';

const port = Number(process.env.PORT ?? 8600);
createServer(createApp().handler).listen(port, '127.0.0.1');
process.stdout.write(`notes-api listens on http://127.0.0.1:${port}\n`);
