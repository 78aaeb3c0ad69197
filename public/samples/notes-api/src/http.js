const LARGEST_BODY = 16 * 1024;

/** An error that the client is told about. */
export class HttpError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export async function readJson(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw new HttpError(413, 'too_large', 'The body is larger than 16 KiB.');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  try {
    const value = text === '' ? {} : JSON.parse(text);
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value;
  } catch {
    // told below, as for any other body that is no object
  }
  throw new HttpError(400, 'invalid_json', 'The body is not a JSON object.');
}

export function sendJson(response, status, json) {
  if (json === undefined) return void response.writeHead(status).end();
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(json));
}

export function sendError(response, status, code, message) {
  sendJson(response, status, { error: { code, message } });
}
