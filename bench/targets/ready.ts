import { createServer } from 'node:http';
import { announce } from './settings.ts';

/** The least that a response can cost: bare node:http returns ready bytes, and parses the JSON of a POST before. */
const BODY = Buffer.alloc(2_500, 'a');
const HEADERS = { 'content-type': 'application/json', 'content-length': BODY.length };

const server = createServer((request, response) => {
  const respond = () => response.writeHead(200, HEADERS).end(BODY);
  if (request.method === 'GET') return void respond();
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    respond();
  });
});
announce(server.listen(0, '127.0.0.1'));
