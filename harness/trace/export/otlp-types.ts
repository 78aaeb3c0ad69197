/** The part of OpenTelemetry's OTLP/JSON encoding that an export writes: ids in hex, times as decimal strings of nanoseconds. */
export type OtlpValue =
  | { stringValue: string }
  | { boolValue: boolean }
  | { intValue: string }
  | { doubleValue: number }
  | { arrayValue: { values: OtlpValue[] } };

export interface OtlpAttribute {
  key: string;
  value: OtlpValue;
}

export interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 1 internal, 3 client. */
  kind: 1 | 3;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: OtlpAttribute[];
  events: { timeUnixNano: string; name: string; attributes: OtlpAttribute[] }[];
  links: { traceId: string; spanId: string }[];
  /** 0 unset, 1 ok, 2 error. */
  status: { code: 0 | 1 | 2; message?: string };
}

export interface OtlpTraces {
  resourceSpans: {
    resource: { attributes: OtlpAttribute[] };
    scopeSpans: { scope: { name: string; version: string }; schemaUrl: string; spans: OtlpSpan[] }[];
  }[];
}

type Plain = string | number | boolean | readonly string[] | null | undefined;

const encodeValue = (value: Exclude<Plain, null | undefined>): OtlpValue => {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((item) => ({ stringValue: item })) } };
};

/** Attributes of a plain record; what is unknown is left out rather than written as zero. */
export const attributes = (record: Readonly<Record<string, Plain>>): OtlpAttribute[] =>
  Object.entries(record).flatMap(([key, value]) => (value === null || value === undefined ? [] : [{ key, value: encodeValue(value) }]));
