import { StringDecoder } from 'node:string_decoder';

/** Keeps the end of what a process writes, in bounded memory however much it is. */
export class OutputTail {
  readonly #keep: number;
  readonly #decoders: StringDecoder[] = [];
  #text = '';
  #flushed = false;
  bytes = 0;
  truncated = false;

  constructor(keep: number) {
    this.#keep = keep;
  }

  /** One taker per stream: a character cut between two pieces belongs to the stream it began in. */
  stream(): (bytes: Buffer) => void {
    const decoder = new StringDecoder('utf8');
    this.#decoders.push(decoder);
    return (bytes) => {
      this.bytes += bytes.length;
      this.#add(decoder.write(bytes));
    };
  }

  text(): string {
    if (!this.#flushed) for (const decoder of this.#decoders) this.#add(decoder.end());
    this.#flushed = true;
    const cut = this.#text.length > this.#keep;
    return cut ? this.#text.slice(-this.#keep) : this.#text;
  }

  #add(text: string): void {
    this.#text += text;
    if (this.#text.length <= this.#keep) return;
    this.truncated = true;
    // Cut only now and then: cutting at every piece would copy the whole tail each time.
    if (this.#text.length > 2 * this.#keep) this.#text = this.#text.slice(-this.#keep);
  }
}
