import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { userError } from '@/harness/contract/errors';
import type { OutgoingRequest } from './request-rules';

export interface PinnedAddress {
  address: string;
  family: 4 | 6;
}

export interface Exchange extends OutgoingRequest {
  url: URL;
  /** The only address the connection may go to. */
  address: PinnedAddress;
  maxBytes: number;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
  truncated: boolean;
}

/** One request to one pinned address; no pool, no redirect, at most `maxBytes` of (unpacked) body. */
export function exchange(outgoing: Exchange, signal: AbortSignal): Promise<Answer> {
  const { url, address, method, headers, body } = outgoing;
  const pinned: LookupFunction = (_hostname, options, callback) => {
    // An answer in the same tick would let a refused connection fail before anybody listens for it.
    process.nextTick(() => {
      if (options.all === true) callback(null, [{ address: address.address, family: address.family }]);
      else callback(null, address.address, address.family);
    });
  };
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const payload = body === undefined ? undefined : Buffer.from(body, 'utf8');
    const request = send(
      url,
      {
        method,
        headers: { ...headers, ...(payload === undefined ? {} : { 'content-length': String(payload.length) }) },
        lookup: pinned,
        agent: false,
        signal,
        maxHeaderSize: 32_768,
      },
      (response) => {
        // A pinned connection that arrived elsewhere would be a fault of ours; it must not go unnoticed.
        const remote = response.socket.remoteAddress?.replace(/^::ffff:/, '');
        if (remote !== undefined && remote !== address.address.replace(/^::ffff:/, '')) {
          request.destroy();
          reject(
            userError('OUTBOUND_REFUSED', `The connection to ${url.host} did not go to the address that was checked.`, {
              retryable: false,
            }),
          );
          return;
        }
        readBody(response, outgoing.maxBytes, () => request.destroy()).then(
          (read) => resolve({ status: response.statusCode ?? 0, headers: flatten(response), ...read }),
          reject,
        );
      },
    );
    request.on('error', reject);
    request.end(payload);
  });
}

function unpacked(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.toLowerCase();
  const unpacker =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'deflate'
        ? createInflate()
        : encoding === 'br'
          ? createBrotliDecompress()
          : null;
  if (unpacker === null) return response;
  response.on('error', (error) => unpacker.destroy(error));
  return response.pipe(unpacker);
}

/** Reads until the end or the cap; the cap counts unpacked bytes, so a small file cannot unpack into a large one. */
async function readBody(response: IncomingMessage, maxBytes: number, stop: () => void): Promise<{ body: string; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stream = unpacked(response);
  for await (const chunk of stream) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    const room = maxBytes - size;
    if (bytes.length > room) {
      chunks.push(bytes.subarray(0, Math.max(0, room)));
      stop();
      return { body: decode(Buffer.concat(chunks), response), truncated: true };
    }
    chunks.push(bytes);
    size += bytes.length;
  }
  return { body: decode(Buffer.concat(chunks), response), truncated: false };
}

function decode(bytes: Buffer, response: IncomingMessage): string {
  const charset = /charset="?([\w-]+)/i.exec(response.headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}

function flatten(response: IncomingMessage): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
